import FaceKitModels
import FaceKitTensor
import ToolSupport

extension ModelInspection {
  package func text(optimised: Bool) -> String {
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

package enum TensorLine {
  package static func text(_ value: Graph.Value) -> String {
    var text = "\(value.name): \(value.shape) \(value.type.name)"
    if let quantization = value.quantization, quantization.isPerTensor {
      text += ", scale \(quantization.scale), zero point \(quantization.zeroPoint)"
    }
    if let signature = value.shapeSignature { text += ", may be resized \(signature)" }
    return text
  }
}

extension TFLiteModel {
  /// The operators of a file that this engine cannot read in full: names and declared shapes.
  package func operatorList(_ path: String) -> String {
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
