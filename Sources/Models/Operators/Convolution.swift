import FaceKitKernels
import FaceKitTensor

/// What CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV and FULLY_CONNECTED have in common: weights that
/// may be quantised, and a bias.
enum Convolution {
  /// Types and scales that go together, and a bias of the right length.
  static func check(
    input: Operand, filter: Operand, bias: Operand?, outputChannels: Int
  ) throws(ModelError) {
    switch (input.type, filter.type) {
    case (.float32, .float32): break
    case (.float32, _):
      // "Hybrid": float activations, integer weights with scales.
      try checkScales(filter, outputChannels)
      guard filter.constant != nil else {
        throw ModelError(.type, "quantised weights of a float layer must be constant")
      }
    case (.int8, .int8), (.uint8, .uint8), (.int16, .int8):
      _ = try input.perTensorQuantization("the input")
      try checkScales(filter, outputChannels)
    default:
      throw ModelError(
        .type, "\(filter.type.name) weights do not go with a \(input.type.name) input")
    }
    guard let bias else { return }
    switch input.type {
    case .float32: try bias.check("the bias", type: .float32, rank: 0...8)
    case .int16: try bias.check("the bias", type: .int64, .int32, rank: 0...8)
    default: try bias.check("the bias", type: .int32, rank: 0...8)
    }
    guard bias.shape.count == outputChannels else {
      throw ModelError(
        .shape, "the bias has \(bias.shape.count) elements for \(outputChannels) channels")
    }
  }

  private static func checkScales(_ filter: Operand, _ channels: Int) throws(ModelError) {
    let quantization = try filter.checkedQuantization("the filter")
    guard quantization.isPerTensor || quantization.scales.count == channels else {
      throw ModelError(
        .quantization, "the filter has \(quantization.scales.count) scales, not \(channels)")
    }
    let first = quantization.zeroPoints[0]
    for zeroPoint in quantization.zeroPoints where zeroPoint != first {
      throw ModelError(.quantization, "the filter has several zero points")
    }
  }

  /// The weights as floats: themselves, or a dequantised copy made once.
  static func floatWeights(_ filter: TensorBinding) throws(ModelError) -> TensorBinding {
    if filter.type == .float32 { return filter }
    let values = try filter.operand.dequantizedConstant("the filter")
    return TensorBinding(
      operand: Operand(type: .float32, shape: filter.shape, constant: values), layout: .rowMajor,
      place: .constant(values))
  }

  /// The fixed-point factors and bounds of a quantised layer.
  static func requantization(
    input: Operand, filter: Operand, output: Operand, activation: Activation
  ) throws(ModelError) -> Requantization {
    let x = try input.perTensorQuantization("the input")
    let w = try filter.checkedQuantization("the filter")
    let y = try output.perTensorQuantization("the output")
    var factors: [FixedPointFactor] = []
    factors.reserveCapacity(w.scales.count)
    for scale in w.scales {
      // TensorFlow Lite forms the product in single precision where there is one uint8 scale.
      let product =
        input.type == .uint8 ? Double(x.scale * scale) : Double(x.scale) * Double(scale)
      factors.append(FixedPointFactor(product / Double(y.scale)))
    }
    return Requantization(
      inputZero: x.zeroPoint, filterZero: w.zeroPoint, outputZero: y.zeroPoint, factors: factors,
      activation: try output.quantizedBounds(activation))
  }

  /// Integer kernels of the SIMD back end, for `kind` full or depthwise; `nil` where they do not apply,
  /// or weights or bias are not constant.
  static func lowerIntegers(
    _ context: inout LoweringContext, shape: ConvolutionShape, activation: Activation,
    kind: ConvolutionKind
  ) throws(ModelError) -> NodeKernel? {
    let (input, filter, bias, output) = (
      context.input(0), context.input(1), context.optional(2), context.output
    )
    guard context.usesSIMD, case .constant(let weights) = filter.place, filter.type == input.type
    else { return nil }
    var constants = IntegerConv2D.Constants(filter: weights.base, bias: nil)
    if let bias {
      guard case .constant(let values) = bias.place, bias.type == .int32 else { return nil }
      constants.bias = values.base.assumingMemoryBound(to: Int32.self)
    }
    let requantization = try requantization(
      input: input.operand, filter: filter.operand, output: output.operand,
      activation: activation)
    if kind == .depthwise {
      guard
        let conv = IntegerDepthwise(
          shape: shape, inputType: input.type, constants: constants,
          requantization: requantization)
      else { return nil }
      return context.rowKernel(
        rows: conv.rows, cost: conv.multiplyAccumulates, scratchBytes: conv.scratchBytes
      ) { workspace, rows, scratch in
        conv.run(
          rows: rows, from: input.pointer(workspace), to: output.pointer(workspace),
          scratch: scratch)
      }
    }
    guard
      let conv = IntegerConv2D(
        shape: shape, inputType: input.type, constants: constants,
        requantization: requantization, isa: context.isa)
    else { return nil }
    return context.rowKernel(
      rows: conv.rows, cost: conv.multiplyAccumulates, scratchBytes: conv.scratchBytes
    ) { workspace, rows, scratch in
      conv.run(
        rows: rows, from: input.pointer(workspace), to: output.pointer(workspace),
        scratch: scratch)
    }
  }

  static func lowerQuantized(
    _ context: LoweringContext, shape: ConvolutionShape, activation: Activation,
    kind: ConvolutionKind,
    operands indices: (input: Int, filter: Int, bias: Int) = (0, 1, 2)
  ) throws(ModelError) -> NodeKernel {
    let (input, filter) = (context.input(indices.input), context.input(indices.filter))
    let (bias, output) = (context.optional(indices.bias), context.output)
    let type = input.type
    let wideBias = bias?.type == .int64
    let requantization = try requantization(
      input: input.operand, filter: filter.operand, output: output.operand,
      activation: activation)
    return { (workspace) throws(ModelError) in
      let operands = QuantizedConvolutionOperands(
        input: input.pointer(workspace), filter: filter.pointer(workspace),
        bias: bias.map { UnsafeRawPointer($0.pointer(workspace)) }, wideBias: wideBias,
        output: output.pointer(workspace), inputType: type)
      Reference.quantizedConvolution(
        operands, kind: kind, shape: shape, requantization: requantization)
    }
  }
}

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
