import FaceKitModels
import Inspection
import ToolSupport

extension Command {
  static let profile = Command(
    name: "profile",
    summary: "shows where a model's time goes",
    synopsis: "model.tflite [options]",
    options: [
      Option("--repetitions", value: "N", help: "measured runs (100)"),
      Option("--sort", help: "slowest node first"),
      Option("--operators", help: "operator by operator: without the passes that fuse them"),
      Option("--json", help: "print JSON"),
      Option(
        "--html", value: "FILE", role: .output, help: "write one page with the graph and a roofline"
      ),
      Option(
        "--trace", value: "FILE", role: .output, help: "write one run in Chrome's trace format"),
    ] + EngineArguments.options,
    details: """
      Times are medians. Peak is what register-only multiply–adds reach, memory what a large copy reaches, both
      measured in the same call. GB/s count every operand of a node once; above 100 % of memory, caches did it.
      Inputs are a fixed ramp: no kernel's time depends on its values.

      JSON: {"model", "threads", "isa", "backend", "wholeUs", "sumUs", "overhead", "peakGflops", "bandwidthGBs",
      "nodes": [{"node", "op", "sources", "medianUs", "share", "macs", "bytes", "gflops", "peakShare", …}]}.
      """
  ) { arguments, console in
    let paths = try arguments.requireFiles("model")
    guard paths.count == 1 else {
      throw UsageError(
        "\(paths.count) models given", at: "facekit profile", advice: "give one model")
    }
    var options = try EngineArguments.engine(arguments)
    let repetitions = try arguments.integer("--repetitions", in: 1...100_000) ?? 100
    if arguments.has("--operators") { options.disabledPasses = ["all"] }
    let (html, trace) = (try arguments.output("--html"), try arguments.output("--trace"))
    let path = paths[0]
    let opened = try InputFile.lastingUTF8Path(path)
    let (inspection, profile): (ModelInspection, Profile)
    do throws(ModelError) {
      inspection = try ModelInspection(path: opened, options: options)
      guard inspection.compiled.plan != nil else {
        throw ModelError(
          .unsupportedOperator, "shapes depend on data, so there is no fixed run to measure",
          advice: "measure the whole with `facekit bench model`")
      }
      let session = try inspection.compiled.makeSession()
      session.fillWithRamps()
      profile = try Profile(session, repetitions: repetitions)
    } catch {
      throw ToolError(error, in: path)
    }

    let inputs = arguments.protectedFiles
    if let html {
      var page = inspection.page(showsOptimised: true)
      page = page.adding(["profile": profile.json(graph: 1), "tab": "roofline"])
      try OutputFile.write(
        HTMLReport.page(title: SystemName.shown(path), data: page), to: html, protecting: inputs)
    }
    if let trace {
      try OutputFile.write(
        Array(profile.chromeTrace(model: path).text.utf8), to: trace, protecting: inputs)
    }
    if arguments.has("--json") {
      let head: JSON = [
        "model": .string(path), "threads": .integer(options.threads),
        "isa": .string(options.isa.rawValue), "backend": .string(options.backend.rawValue),
      ]
      console.print(head.adding(profile.json()).text)
    } else {
      console.print(profile.text(graph: inspection.compiled.graph, sorted: arguments.has("--sort")))
    }
    return .done
  }
}
