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

  /// The extents of a convolution, from the shapes of input and filter.
  typealias ShapeOfOperands =
    @Sendable (_ input: Shape, _ filter: Shape) throws(ModelError) -> ConvolutionShape

  /// int8 and uint8 convolutions, and matrix products as 1×1 convolutions, on SIMD dot products.
  static func integerProducts(
    _ activation: Activation, shape: @escaping ShapeOfOperands
  ) -> KernelCandidate {
    KernelCandidate(
      "integer dot products", backend: .simd, types: [.int8, .uint8], hasTiers: true,
      note: "8-bit activations and constant 8-bit weights, packed in panels at load",
      declines: { request in
        if let reason = integerRefusal(request) { return reason }
        guard let extents = try? integerShape(request, shape) else { return "its shape is unknown" }
        return IntegerConv2D.takes(extents)
          ? nil : "the channels are grouped, or the packed weights would be out of proportion"
      },
      make: { (context) throws(ModelError) in
        let (input, output) = (context.input(0), context.output)
        let plan = try integerPlan(context, activation, shape)
        guard
          let conv = IntegerConv2D(
            shape: plan.shape, inputType: input.type, constants: plan.constants,
            requantization: plan.requantization, isa: context.isa)
        else { throw ModelError(.type, "no integer kernel takes this convolution") }
        return context.rowKernel(
          rows: conv.rows, cost: conv.multiplyAccumulates, scratchBytes: conv.scratchBytes
        ) { workspace, rows, scratch in
          conv.run(
            rows: rows, from: input.pointer(workspace), to: output.pointer(workspace),
            scratch: scratch)
        }
      })
  }

  /// int8 and uint8 depthwise convolutions with weights widened to 16 bits.
  static func integerDepthwise(
    _ activation: Activation, shape: @escaping ShapeOfOperands
  ) -> KernelCandidate {
    KernelCandidate(
      "integer depthwise", backend: .simd, types: [.int8, .uint8],
      note: "8-bit activations, constant weights widened to 16 bits at load",
      declines: { request in
        if let reason = integerRefusal(request) { return reason }
        guard let extents = try? integerShape(request, shape) else { return "its shape is unknown" }
        return extents.inputChannels == extents.outputChannels
          ? nil : "the channel multiplier is not 1"
      },
      make: { (context) throws(ModelError) in
        let (input, output) = (context.input(0), context.output)
        let plan = try integerPlan(context, activation, shape)
        guard
          let conv = IntegerDepthwise(
            shape: plan.shape, inputType: input.type, constants: plan.constants,
            requantization: plan.requantization)
        else { throw ModelError(.type, "no integer kernel takes this convolution") }
        return context.rowKernel(
          rows: conv.rows, cost: conv.multiplyAccumulates, scratchBytes: conv.scratchBytes
        ) { workspace, rows, scratch in
          conv.run(
            rows: rows, from: input.pointer(workspace), to: output.pointer(workspace),
            scratch: scratch)
        }
      })
  }

  /// What keeps an 8-bit convolution from the integer kernels, whatever its shape.
  private static func integerRefusal(_ request: KernelRequest) -> String? {
    guard let input = request.inputs.optional(0), let filter = request.inputs.optional(1) else {
      return "an operand is missing"
    }
    if filter.type != input.type { return "the weights are \(filter.type.name)" }
    if filter.constant == nil { return "the weights are not constant" }
    return request.isAbsentOrConstant(2, .int32) ? nil : "the bias is not constant"
  }

  private static func integerShape(
    _ request: KernelRequest, _ shape: ShapeOfOperands
  ) throws(ModelError) -> ConvolutionShape {
    try shape(try request.inputs[0].shape, try request.inputs[1].shape)
  }

  /// What both integer kernels are packed from. `integerRefusal` has seen to it that weights and bias are
  /// constant.
  private static func integerPlan(
    _ context: LoweringContext, _ activation: Activation, _ shape: ShapeOfOperands
  ) throws(ModelError) -> (
    shape: ConvolutionShape, constants: IntegerConv2D.Constants, requantization: Requantization
  ) {
    let (input, filter, output) = (context.input(0), context.input(1), context.output)
    guard case .constant(let weights) = filter.place else {
      throw ModelError(.graph, "the weights are not constant")
    }
    var constants = IntegerConv2D.Constants(filter: weights.base, bias: nil)
    if case .constant(let values) = context.optional(2)?.place {
      constants.bias = values.base.assumingMemoryBound(to: Int32.self)
    }
    return (
      try shape(input.shape, filter.shape), constants,
      try requantization(
        input: input.operand, filter: filter.operand, output: output.operand,
        activation: activation)
    )
  }

  /// The plainest loops over integers, exact in the order TensorFlow Lite rounds.
  ///
  /// - `indices`: positions of the operands in the node's inputs.
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
