import FaceKitKernels
import FaceKitTensor

/// A bound of a clamp in the quantised domain, infinite ones at the type's end.
func quantizedBound(_ value: Float, _ scale: Quantization, _ type: ElementType) -> Int {
  let range = type.quantizedRange
  if value == -.infinity { return range.lowerBound }
  if value == .infinity { return range.upperBound }
  // A tiny scale sends 6 out of every range: the float is bounded before it becomes an integer.
  let steps = Reference.roundHalfAway(value / scale.scale)
  let quantized = scale.zeroPoint + Int(Swift.min(Swift.max(steps, -1e6), 1e6))
  return Swift.min(Swift.max(quantized, range.lowerBound), range.upperBound)
}

extension Operand {
  /// The values an activation leaves, in the quantised domain of an output.
  func quantizedBounds(_ activation: Activation) throws(ModelError) -> ClosedRange<Int> {
    let quantization = try perTensorQuantization("the output")
    let bounds = activation.bounds
    return quantizedBound(
      bounds.lowerBound, quantization, type)...quantizedBound(
        bounds.upperBound, quantization, type)
  }

  /// A constant of integers as the real numbers they stand for.
  func dequantizedConstant(_ role: StaticString) throws(ModelError) -> StorageView {
    let quantization = try checkedQuantization(role)
    guard let constant else { throw ModelError(.graph, "\(role) is not constant") }
    let count = try shape.safeCount()
    let (bytes, overflow) = count.multipliedReportingOverflow(by: 4)
    guard !overflow else { throw ModelError(.shape, "\(role) is too large") }
    let storage = Storage(count: bytes)
    let scaling = try Scaling(quantization, shape: shape)
    Reference.dequantize(
      constant.base, type: type, output: storage.base.assumingMemoryBound(to: Float.self),
      count: count, scaling: scaling)
    return StorageView(storage)
  }
}

extension Scaling {
  /// The scales of a tensor, placed along its axis.
  init(_ quantization: Quantization, shape: Shape) throws(ModelError) {
    if quantization.isPerTensor {
      self.init(scales: quantization.scales, zeroPoints: quantization.zeroPoints, inner: 1)
      return
    }
    guard quantization.axis >= 0, quantization.axis < shape.rank,
      quantization.scales.count == shape[quantization.axis]
    else {
      throw ModelError(
        .quantization, "\(quantization.scales.count) scales do not fit the shape \(shape)")
    }
    self.init(
      scales: quantization.scales, zeroPoints: quantization.zeroPoints,
      inner: shape.inner(after: quantization.axis))
  }
}
