import FaceKitModels
import Inspection
import ToolSupport

extension Command {
  static let inspect = Command(
    name: "inspect",
    summary: "shows what is in a model",
    synopsis: "model.tflite [options]",
    options: [
      Option("--optimised", help: "the graph as it runs, and what each pass did to it"),
      Option("--json", help: "print JSON"),
      Option(
        "--html", value: "FILE", role: .output,
        help: "write one page: both graphs, weights, passes, memory plan;\nopens without network"),
    ] + EngineArguments.options,
    details: """
      Operations are two for each multiply–accumulate; bytes count every operand once, so that op/byte is the
      arithmetic intensity without caches. Memory is planned for the graph as it runs.

      JSON: {"model", "description", "graph": {"nodes", "values", "inputs", "outputs"}, "macs", "weightBytes",
      "memory": {"bytes", "placements"}, "metadata", "passes"}; nodes refer to values by index.
      """
  ) { arguments, console in
    let paths = try arguments.requireFiles("model")
    let options = try EngineArguments.engine(arguments)
    if arguments.has("--html"), paths.count > 1 {
      throw UsageError(
        "\(paths.count) models cannot go to one page", at: "facekit inspect",
        advice: "give one model with --html")
    }
    let html = try arguments.output("--html")
    var status = ToolStatus.done
    for path in paths where !console.isBroken {
      do {
        try inspectModel(path, options, arguments, console, html: html)
      } catch {
        status = .failed
        console.report(error)
      }
    }
    return status
  }
}

/// One model of `facekit inspect`.
private func inspectModel(
  _ path: String, _ options: EngineOptions, _ arguments: Arguments, _ console: Console,
  html: String?
) throws {
  let isOptimised = arguments.has("--optimised")
  let opened = try InputFile.lastingUTF8Path(path)
  let inspection: ModelInspection
  do throws(ModelError) {
    inspection = try ModelInspection(path: opened, options: options)
  } catch {
    if error.code == .unsupportedOperator, !arguments.has("--json"),
      let file = try? TFLiteModel(path: opened)
    {
      console.print(file.operatorList(SystemName.shown(path)))
    }
    throw ToolError(error, in: path)
  }
  console.print(
    arguments.has("--json")
      ? inspection.json(optimised: isOptimised).text : inspection.text(optimised: isOptimised))
  if let html {
    let page = HTMLReport.page(
      title: SystemName.shown(path), data: inspection.page(showsOptimised: isOptimised))
    try OutputFile.write(page, to: html, protecting: arguments.protectedFiles)
  }
}
