import FaceKitModels
import FaceKitTensor
import ToolSupport

/// A graph as the reports show it: one JSON for `--json`, the HTML page and nothing else.
package struct GraphReport {
  package let title: String
  package let graph: Graph
  /// The same graph with its constants, where compilation has moved them into kernels.
  package let constants: Graph?

  package init(title: String, _ graph: Graph, constants: Graph? = nil) {
    self.title = title
    self.graph = graph
    self.constants = constants
  }

  /// The graph as JSON; with `details` statistics of the weights too, for the page.
  package func json(details: Bool) -> JSON {
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
