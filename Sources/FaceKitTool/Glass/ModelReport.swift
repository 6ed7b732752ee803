import FaceKitModels
import FaceKitTensor

/// A graph as the reports show it: one JSON for `--json`, the HTML page and nothing else.
struct GraphReport {
  let title: String
  let graph: Graph
  /// The same graph with its constants, where compilation has moved them into kernels.
  let constants: Graph?

  init(title: String, _ graph: Graph, constants: Graph? = nil) {
    self.title = title
    self.graph = graph
    self.constants = constants
  }

  /// The graph as JSON; with `details` statistics of the weights too, for the page.
  func json(details: Bool) -> JSON {
    let costs = graph.costs
    return [
      "title": .string(title),
      "nodes": .array(
        graph.nodes.indices.map { node($0, costs[$0]) }),
      "values": .array(graph.values.indices.map { value($0, details: details) }),
      "inputs": .array(graph.inputs.map { .integer($0) }),
      "outputs": .array(graph.outputs.map { .integer($0) }),
    ]
  }

  private func node(_ index: Int, _ cost: Graph.Cost) -> JSON {
    let node = graph.nodes[index]
    return [
      "index": .integer(index), "op": .string(node.operator.name),
      "attributes": .object(
        node.operator.attributes.map { .init(name: $0.name, value: .string($0.value)) }),
      "inputs": .array(node.inputs.map { $0.map { .integer($0) } ?? .null }),
      "outputs": .array(node.outputs.map { .integer($0) }),
      "sources": .array(node.sources.map { .integer($0) }),
      "macs": .integer(cost.multiplyAccumulates), "weightBytes": .integer(cost.weightBytes),
      "inputBytes": .integer(cost.inputBytes), "outputBytes": .integer(cost.outputBytes),
    ]
  }

  private func value(_ index: Int, details: Bool) -> JSON {
    let value = graph.values[index]
    let constant = constants?.values[index].constant ?? value.constant
    var statistics: TensorStatistics?
    if details, let constant, let bytes = value.type.bytes(for: value.shape.count),
      bytes == constant.count
    {
      let tensor = Tensor(type: value.type, shape: value.shape, data: constant)
      statistics = tensor.numbers(value.quantization).flatMap(TensorStatistics.init)
    }
    return .object([
      "name": .string(value.name), "type": .string(value.type.name),
      "shape": .array(value.shape.extents.map { .integer($0) }),
      "constant": constant == nil ? nil : .bool(true),
      "layout": value.layout == .blocked ? "blocked" : nil,
      "scale": value.quantization.map { .floats($0.scales) },
      "zeroPoint": value.quantization.map { .array($0.zeroPoints.map { .integer($0) }) },
      "statistics": statistics?.json,
    ])
  }
}

extension JSON: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .string(value) }
}

extension MemoryPlan {
  /// The most bytes alive at once: no plan can need fewer.
  func peakAlive(nodes: Int) -> Int {
    // Values that share a place (an output over its dying input) count once.
    var peak = 0
    for node in 0..<max(1, nodes) {
      var alive: [Int: Int] = [:]
      for placement in placements where placement.firstNode <= node && node <= placement.lastNode {
        alive[placement.offset] = max(alive[placement.offset] ?? 0, placement.bytes)
      }
      peak = max(peak, alive.values.reduce(0, +))
    }
    return peak
  }

  var json: JSON {
    [
      "bytes": .integer(bytes),
      "placements": .array(
        placements.map {
          [
            "value": .integer($0.value), "offset": .integer($0.offset),
            "bytes": .integer($0.bytes), "first": .integer($0.firstNode),
            "last": .integer($0.lastNode),
          ]
        }),
    ]
  }
}

/// What one step of compilation changed, by counting operators.
struct StageDifference: Equatable {
  let name: String
  let summary: String
  let before: Int
  let after: Int
  /// Operators whose number changed, in alphabetical order.
  let changes: [(name: String, count: Int)]
  /// Nodes that stand for more operators of the file than any did before.
  let merged: [(name: String, sources: [Int])]

  static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.before == b.before && a.after == b.after
      && a.changes.elementsEqual(b.changes, by: ==) && a.merged.elementsEqual(b.merged, by: ==)
  }

  init(_ stage: Graph.CompilationStage, after previous: Graph) {
    name = stage.name
    summary = stage.summary
    before = previous.nodes.count
    after = stage.graph.nodes.count
    var counts: [String: Int] = [:]
    for node in previous.nodes { counts[node.operator.name, default: 0] -= 1 }
    for node in stage.graph.nodes { counts[node.operator.name, default: 0] += 1 }
    changes = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    let known = Set(previous.nodes.map(\.sources))
    merged = stage.graph.nodes.filter { $0.sources.count > 1 && !known.contains($0.sources) }
      .map { ($0.operator.name, $0.sources) }
  }

  var text: String {
    let list = changes.map { ($0.count > 0 ? "+" : "−") + "\($0.count.magnitude) \($0.name)" }
    return list.isEmpty ? "nothing to do" : list.joined(separator: ", ")
  }

  var json: JSON {
    [
      "name": .string(name), "summary": .string(summary), "nodesBefore": .integer(before),
      "nodesAfter": .integer(after),
      "changes": .object(changes.map { .init(name: $0.name, value: .integer($0.count)) }),
      "merged": .array(
        merged.map {
          ["op": .string($0.name), "sources": .array($0.sources.map { .integer($0) })]
        }),
    ]
  }
}
