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
        "--html", value: "FILE",
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
    var status = ToolStatus.done
    for path in paths {
      do throws(ModelError) {
        let inspection = try ModelInspection(path: path, options: options)
        do {
          if let file = arguments.string("--html") {
            let page = HTMLReport.page(
              title: path, data: inspection.page(showsOptimised: arguments.has("--optimised")))
            try OutputFile.write(page, to: file)
          }
        } catch {
          status = .failed
          console.report(error)
        }
        let optimised = arguments.has("--optimised")
        console.print(
          arguments.has("--json")
            ? inspection.json(optimised: optimised).text : inspection.text(optimised: optimised))
      } catch {
        status = .failed
        if error.code == .unsupportedOperator, !arguments.has("--json"),
          let file = try? TFLiteModel(path: path)
        {
          console.print(file.operatorList(path))
        }
        console.report(ToolError(error, in: path))
      }
    }
    return status
  }
}
