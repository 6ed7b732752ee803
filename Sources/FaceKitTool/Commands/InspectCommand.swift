import FaceKitModels
import FaceKitTensor

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
        let inspection = try Inspection(path: path, options: options)
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

extension TFLiteModel {
  /// The operators of a file that this engine cannot read in full: names and declared shapes.
  func operatorList(_ path: String) -> String {
    var table = TextTable([.right("#"), .left("operator"), .left("version"), .left("output")])
    for (index, entry) in operators.enumerated() {
      let output = entry.outputs.first.map { tensors[$0] }
      table.add([
        "\(index)", entry.isCustom ? "\(entry.name) (custom)" : entry.name, "\(entry.version)",
        output.map { "\($0.shape) \($0.type.name)" } ?? "",
      ])
    }
    return "\(path): \(description)\n\(table.text)"
  }
}

/// All there is to know of a model without running it.
struct Inspection {
  let path: String
  let file: TFLiteModel
  let metadata: ModelMetadata?
  /// The graph as the file has it.
  let source: Graph
  let compiled: CompiledModel
  let stages: [Graph.CompilationStage]

  init(path: String, options: EngineOptions) throws(ModelError) {
    self.path = path
    file = try TFLiteModel(path: path)
    metadata = try file.authorMetadata()
    source = try file.makeGraph()
    stages = try source.compilationStages(options: options)
    compiled = try CompiledModel(graph: source, options: options)
  }

  private var differences: [StageDifference] {
    var previous = source
    return stages.map { stage in
      defer { previous = stage.graph }
      return StageDifference(stage, after: previous)
    }
  }

  private func report(optimised: Bool) -> GraphReport {
    optimised
      ? GraphReport(title: "as it runs", compiled.graph, constants: stages.last?.graph)
      : GraphReport(title: "as in the file", source)
  }

  // MARK: JSON

  func json(optimised: Bool) -> JSON {
    let report = report(optimised: optimised)
    let costs = report.graph.costs
    return .object([
      "model": .string(path), "description": .string(file.description),
      "graph": report.json(details: false),
      "macs": .integer(costs.reduce(0) { $0 + $1.multiplyAccumulates }),
      "weightBytes": .integer(costs.reduce(0) { $0 + $1.weightBytes }),
      "memory": compiled.plan?.json, "metadata": metadata?.json,
      "passes": optimised ? .array(differences.map(\.json)) : nil,
    ])
  }

  /// The data of the HTML page: both graphs, the one asked for first shown.
  func page(showsOptimised: Bool) -> JSON {
    .object([
      "model": .string(path), "description": .string(file.description),
      "graphs": .array([
        report(optimised: false).json(details: true), report(optimised: true).json(details: true),
      ]),
      "shown": .integer(showsOptimised ? 1 : 0),
      "memory": compiled.plan?.json, "metadata": metadata?.json,
      "passes": .array(differences.map(\.json)),
    ])
  }

  // MARK: Text

  func text(optimised: Bool) -> String {
    let graph = report(optimised: optimised).graph
    let costs = graph.costs
    var lines = ["\(path): \(file.description)"]
    for (title, values) in [("input", graph.inputs), ("output", graph.outputs)] {
      lines += values.map { "  \(title) \(TensorLine.text(graph.values[$0]))" }
    }
    lines.append("")
    var table = TextTable([
      .right("#"), .left("operator"), .left("output"), .left("attributes"), .right("parameters"),
      .right("MACs"), .right("bytes"), .right("op/byte"),
    ])
    for (index, node) in graph.nodes.enumerated() {
      let output = node.outputs.first.map { graph.values[$0] }
      table.add([
        "\(index)", node.operator.name,
        output.map { "\($0.shape) \($0.type.name)" } ?? "",
        node.operator.attributes.map { "\($0.name) \($0.value)" }.joined(separator: ", "),
        Formatting.short(parameters(of: node, in: graph)),
        Formatting.short(costs[index].multiplyAccumulates), Formatting.short(costs[index].bytes),
        Formatting.fixed(costs[index].arithmeticIntensity, 1),
      ])
    }
    lines.append(table.text)
    lines.append("")
    lines.append(summary(graph, costs))
    if let plan = compiled.plan {
      lines.append(
        "memory as it runs: \(Formatting.short(plan.bytes))B for \(plan.placements.count) values, "
          + "\(Formatting.short(plan.peakAlive(nodes: compiled.graph.nodes.count)))B alive at the peak, "
          + "\(Formatting.short(compiled.arenaBytes))B with working memory")
    } else {
      lines.append("memory is found while running: shapes depend on data")
    }
    if optimised { lines += passLines }
    if let metadata { lines += metadata.lines }
    return lines.joined(separator: "\n")
  }

  private var passLines: [String] {
    ["", "passes:"]
      + differences.flatMap { difference -> [String] in
        [
          "  \(difference.name): \(difference.before) → \(difference.after) nodes "
            + "(\(difference.summary))",
          "    \(difference.text)",
        ]
          + difference.merged.map {
            "      \($0.name) ← operators \($0.sources.map(String.init).joined(separator: ", "))"
          }
      }
  }

  /// Elements of the constants a node reads.
  private func parameters(of node: Graph.Node, in graph: Graph) -> Int {
    let constants = stages.last?.graph.values ?? source.values
    var count = 0
    for case .some(let input) in node.inputs
    where graph.values[input].constant != nil
      || (input < constants.count && constants[input].constant != nil)
    {
      count += graph.values[input].shape.count
    }
    return count
  }

  private func summary(_ graph: Graph, _ costs: [Graph.Cost]) -> String {
    let macs = costs.reduce(0) { $0 + $1.multiplyAccumulates }
    let weights = costs.reduce(0) { $0 + $1.weightBytes }
    var kinds: [String: Int] = [:]
    for node in graph.nodes { kinds[node.operator.name, default: 0] += 1 }
    let list = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    return "\(graph.nodes.count) nodes, \(Formatting.short(macs)) MACs, "
      + "\(Formatting.short(weights))B of weights: \(list)"
  }
}

enum TensorLine {
  static func text(_ value: Graph.Value) -> String {
    var text = "\(value.name): \(value.shape) \(value.type.name)"
    if let quantization = value.quantization, quantization.isPerTensor {
      text += ", scale \(quantization.scale), zero point \(quantization.zeroPoint)"
    }
    if let signature = value.shapeSignature { text += ", may be resized \(signature)" }
    return text
  }
}

extension ModelMetadata {
  var lines: [String] {
    var lines = ["", "metadata: \(name)"]
    for (key, value) in [
      ("description", description), ("version", version), ("author", author), ("license", license),
    ] where !value.isEmpty { lines.append("  \(key): \(value)") }
    for (title, tensors) in [("input", inputs), ("output", outputs)] {
      for tensor in tensors {
        var line = "  \(title) \(tensor.name): \(tensor.description)"
        if let normalization = tensor.normalization {
          line +=
            " (normalised: mean \(normalization.means), deviation \(normalization.standardDeviations))"
        }
        lines.append(line)
        lines += tensor.associatedFiles.map { "    file \($0.name) (\($0.kind))" }
      }
    }
    for file in associatedFiles {
      let labels = file.kind == .axisLabels || file.kind == .valueLabels
      let count = labels ? (try? self.labels(in: file).count).map { ", \($0) labels" } ?? "" : ""
      lines.append("  file \(file.name) (\(file.kind)\(count))")
    }
    lines += custom.map { "  custom \($0.name): \($0.data.count) bytes" }
    return lines
  }

  var json: JSON {
    func tensor(_ tensor: TensorMetadata) -> JSON {
      .object([
        "name": .string(tensor.name), "description": .string(tensor.description),
        "mean": tensor.normalization.map { .floats($0.means) },
        "deviation": tensor.normalization.map { .floats($0.standardDeviations) },
        "files": .array(tensor.associatedFiles.map { .string($0.name) }),
      ])
    }
    return [
      "name": .string(name), "description": .string(description), "version": .string(version),
      "author": .string(author), "license": .string(license),
      "inputs": .array(inputs.map(tensor)), "outputs": .array(outputs.map(tensor)),
      "files": .array(
        associatedFiles.map { ["name": .string($0.name), "kind": .string("\($0.kind)")] }),
      "custom": .array(
        custom.map { ["name": .string($0.name), "bytes": .integer($0.data.count)] }),
    ]
  }
}
