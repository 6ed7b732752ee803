import FaceKitModels
import FaceKitTensor
import ToolSupport

/// A tensor of a run, as numbers that can be compared.
package struct TensorRecord {
  /// The operator of the file that makes it.
  package let source: Int
  package let op: String
  package let name: String
  package let shape: Shape
  /// Index of the tensor in the file; `nil` for values that a pass made.
  package let tensor: Int?
  package let quantization: Quantization?
  /// Row-major, dequantised.
  package let values: [Float]

  /// Every tensor of one run of a filled session, in order of execution.
  package static func all(of session: Session) throws(ModelError) -> [TensorRecord] {
    var records: [TensorRecord] = []
    let graph = session.model.graph
    try session.run { index, outputs in
      let node = graph.nodes[index]
      // Conversions of the layout have no operator in the file.
      guard let source = node.sources.last else { return }
      for (value, tensor) in zip(node.outputs, outputs) {
        let value = graph.values[value]
        guard let numbers = tensor.numbers(value.quantization) else { continue }
        records.append(
          TensorRecord(
            source: source, op: node.operator.name, name: value.name, shape: tensor.shape,
            tensor: value.sourceTensor, quantization: value.quantization, values: numbers))
      }
    }
    return records
  }

  /// Values by name. Names that stand for several tensors say nothing, and are left out.
  package static func unique(_ records: [TensorRecord]) -> [String: [Float]] {
    var counts: [String: Int] = [:]
    for record in records { counts[record.name, default: 0] += 1 }
    var values: [String: [Float]] = [:]
    for record in records where counts[record.name] == 1 { values[record.name] = record.values }
    return values
  }

  // MARK: Reports

  package func json(_ found: TensorComparison, departs: Bool) -> JSON {
    [
      "operator": .integer(source), "op": .string(op), "name": .string(name),
      "shape": .array(shape.extents.map { .integer($0) }),
      "largestDifference": .double(found.largestDifference), "relative": .double(found.relative),
      "rms": .double(found.rms), "place": .integer(found.place), "departs": .bool(departs),
    ]
  }

  package func text(_ found: TensorComparison, departs: Bool) -> String {
    "\(departs ? "≠" : "=") \(source) \(op) \(shape) '\(name)': "
      + "\(Float(found.largestDifference)) at \(found.place), "
      + "\(Float(found.relative)) of the largest value, rms \(Float(found.rms))"
  }
}
