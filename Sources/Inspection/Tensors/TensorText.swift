import FaceKitTensor

/// A tensor in one line, for people.
package enum TensorText {
  package static func line(_ name: String, _ tensor: Tensor) -> String {
    var text = "\(name): \(tensor.shape) \(tensor.type.name)"
    guard tensor.type == .float32 else { return text }
    let values = tensor.floats
    guard let low = values.min(), let high = values.max() else { return text }
    let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
    text += ", min \(low), max \(high), mean \(Float(mean)), first "
    return text + values.prefix(4).map { "\($0)" }.joined(separator: " ")
  }
}
