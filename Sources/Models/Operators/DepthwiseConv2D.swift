import FaceKitKernels
import FaceKitTensor

/// DEPTHWISE_CONV_2D: each output channel sees one input channel. NHWC activations, 1HWO weights.
///
/// The channel multiplier follows from the shapes; the file's `depth_multiplier` may be stale.
public struct DepthwiseConv2D: Operator {
  public var padding: Padding
  public var strideHeight, strideWidth: Int
  public var dilationHeight, dilationWidth: Int
  public var activation: Activation

  public init(
    padding: Padding, strideHeight: Int = 1, strideWidth: Int = 1, dilationHeight: Int = 1,
    dilationWidth: Int = 1, activation: Activation = .none
  ) {
    self.padding = padding
    self.strideHeight = strideHeight
    self.strideWidth = strideWidth
    self.dilationHeight = dilationHeight
    self.dilationWidth = dilationWidth
    self.activation = activation
  }

  public var name: String { "DEPTHWISE_CONV_2D" }
  public var pattern: RewritePattern { .depthwiseConv2D(self) }

  public var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("stride", "\(strideHeight)×\(strideWidth)"),
      Attribute("dilation", "\(dilationHeight)×\(dilationWidth)"),
      Attribute("activation", activation.name),
    ]
  }

  /// `[N, H, W, C]`, `[1, KH, KW, C·multiplier]` and `[C·multiplier]` give `[N, H′, W′, C·multiplier]`.
  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...3)
    let (input, filter) = (try inputs[0], try inputs[1])
    try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 4...4)
    try filter.check("the filter", type: .float32, .int8, .uint8, rank: 4...4)
    let shape = try shape(input: input.shape, filter: filter.shape)
    try Convolution.check(
      input: input, filter: filter, bias: inputs.optional(2), outputChannels: filter.shape[3])
    let (window, batch) = (shape.window, shape.batch)
    return [
      TensorType(input.type, [batch, window.outputHeight, window.outputWidth, filter.shape[3]])
    ]
  }

  func shape(input: Shape, filter: Shape) throws(ModelError) -> ConvolutionShape {
    guard filter[0] == 1, filter[1] > 0, filter[2] > 0, filter[3] > 0, input[3] > 0,
      filter[3] % input[3] == 0
    else { throw ModelError(.shape, "a filter \(filter) does not fit an input \(input)") }
    let window = try WindowGrid(
      input: input, kernel: (filter[1], filter[2]), stride: (strideHeight, strideWidth),
      dilation: (dilationHeight, dilationWidth), padding: padding)
    return ConvolutionShape(
      batch: input[0], inputChannels: input[3], outputChannels: filter[3], filterChannels: 1,
      window: window)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    if context.input(0).type != .float32 {
      let shape = try shape(input: context.input(0).shape, filter: context.input(1).shape)
      if let kernel = try Convolution.lowerIntegers(
        &context, shape: shape, activation: activation, kind: .depthwise)
      {
        return kernel
      }
    }
    return try lowerReference(&context)
  }

  /// The textbook loops.
  func lowerReference(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, filter, bias) = (context.input(0), context.input(1), context.optional(2))
    let output = context.output
    let shape = try shape(input: input.shape, filter: filter.shape)
    if input.type != .float32 {
      return try Convolution.lowerQuantized(
        context, shape: shape, activation: activation, kind: .depthwise)
    }
    let weights = try Convolution.floatWeights(filter)
    let bounds = activation.bounds
    return { (workspace) throws(ModelError) in
      Reference.depthwiseConv2D(
        input: input.floats(workspace), filter: weights.floats(workspace),
        bias: bias?.floats(workspace), output: output.floats(workspace), shape: shape,
        activation: bounds)
    }
  }

  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let filter = inputs.optional(1)?.shape, filter.rank == 4, let output = outputs.first
    else { return 0 }
    return output.shape.count * filter[1] * filter[2]
  }
}

extension DepthwiseConv2D: ReadableOperator {
  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(2)
    self.init(
      padding: try options.padding(0), strideHeight: try options.positive(2, "stride_h"),
      strideWidth: try options.positive(1, "stride_w"),
      dilationHeight: try options.positive(6, "dilation_h_factor", default: 1),
      dilationWidth: try options.positive(5, "dilation_w_factor", default: 1),
      activation: try options.activation(4))
  }
}
