import FaceKitModels
import FaceKitTensor
import ImageCodecs
import ToolSupport

/// What one layer of a model produced in one run.
package struct LayerActivation {
  /// The node of the graph as it ran.
  package let node: Int
  /// The operator of the file that the node stands for.
  package let source: Int
  package let op: String
  /// The tensor's name.
  package let name: String
  package let tensor: Tensor
  package let map: FeatureMap
  package let statistics: TensorStatistics

  /// Runs a session and keeps what its layers produce.
  ///
  /// With a `layer`, only this operator of the file, or the next one that runs: what depends on weights alone is
  /// folded when the model is compiled.
  package static func record(_ session: Session, layer: Int? = nil) throws(ModelError)
    -> [LayerActivation]
  {
    var layers: [LayerActivation] = []
    let graph = session.model.graph
    let selected = layer.map { layer in
      graph.nodes.compactMap(\.sources.last).filter { $0 >= layer }.min()
    }
    try session.run { index, outputs in
      let node = graph.nodes[index]
      // Conversions of the layout have no operator in the file.
      guard let source = node.sources.last, selected == nil || selected == source else { return }
      for (value, tensor) in zip(node.outputs, outputs) {
        let quantization = graph.values[value].quantization
        guard let map = FeatureMap(tensor, quantization: quantization),
          let statistics = tensor.numbers(quantization).flatMap(TensorStatistics.init)
        else { continue }
        layers.append(
          LayerActivation(
            node: index, source: source, op: node.operator.name,
            name: graph.values[value].name, tensor: tensor, map: map, statistics: statistics))
      }
    }
    return layers
  }

  /// What is conspicuous: dead channels, saturation, values that are not finite.
  package var flags: [String] { map.flags(statistics) }

  /// Starts a file's name: number and operator, `0012-CONV_2D`.
  package var fileStem: String { "\(Formatting.zeros(source, 4))-\(TensorFiles.fileName(op))" }

  // MARK: Reports

  package func json(model: String, file: String?) -> JSON {
    .object([
      "model": .string(model), "operator": .integer(source), "op": .string(op),
      "name": .string(name), "shape": .array(tensor.shape.extents.map { .integer($0) }),
      "statistics": statistics.json,
      "deadChannels": .array(map.deadChannels.map { .integer($0) }),
      "saturation": .double(map.saturation), "flags": .array(flags.map { .string($0) }),
      "file": file.map { .string($0) },
    ])
  }

  package func text(model: String, file: String?) -> String {
    var line = "\(model) \(source) \(op) \(tensor.shape): "
    line += "\(statistics.minimum) … \(statistics.maximum), mean \(Float(statistics.mean)), "
    line += "deviation \(Float(statistics.standardDeviation))"
    if !flags.isEmpty { line += " — " + flags.joined(separator: ", ") }
    if let file { line += " → \(file)" }
    return line
  }

  /// The data of the HTML page: the graph as it ran, and a picture of each layer.
  package static func page(
    _ layers: [LayerActivation], model: String, graph: Graph
  ) throws -> JSON {
    [
      "model": .string(model), "description": "",
      "graphs": .array([GraphReport(title: "as watched", graph).json(details: true)]),
      "shown": .integer(0), "activationGraph": .integer(0),
      "activations": .array(try layers.map { try $0.pageEntry() }), "tab": "activations",
    ]
  }

  private func pageEntry() throws -> JSON {
    // Hundreds of pictures share one page.
    let picture = Base64.encode(try ImageEncoder.png(map.image(largestTile: 64)))
    return [
      "node": .integer(node), "op": .string("\(op), operator \(source),"),
      "name": .string(name), "shape": .array(tensor.shape.extents.map { .integer($0) }),
      "statistics": statistics.json, "flags": .array(flags.map { .string($0) }),
      "png": .string("data:image/png;base64," + picture),
    ]
  }
}
