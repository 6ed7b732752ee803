import FaceKitKernels
import FaceKitTensor

/// TRANSPOSE_CONV: the gradient of a convolution, for upsampling. Its inputs are the output's shape,
/// the weights, the activations and an optional bias, in this order.
package struct TransposeConv2D: Operator {
  package var padding: Padding
  package var strideHeight, strideWidth: Int
  package var activation: Activation

  package init(
    padding: Padding, strideHeight: Int, strideWidth: Int, activation: Activation = .none
  ) {
    self.padding = padding
    self.strideHeight = strideHeight
    self.strideWidth = strideWidth
    self.activation = activation
  }

  package var name: String { "TRANSPOSE_CONV" }
  package var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("stride", "\(strideHeight)×\(strideWidth)"),
      Attribute("activation", activation.name),
    ]
  }

  /// `[4]`, `[O, KH, KW, C]`, `[N, H, W, C]` and `[O]` give the shape that the first input holds.
  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...4)
    let (filter, input) = (try inputs[1], try inputs[2])
    try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 4...4)
    try filter.check("the filter", type: .float32, .int8, .uint8, rank: 4...4)
    let output = Shape(try inputs.integers(0))
    _ = try shape(output: output, filter: filter.shape, input: input.shape)
    try Convolution.check(
      input: input, filter: filter, bias: inputs.optional(3), outputChannels: filter.shape[0])
    return [TensorType(input.type, output)]
  }

  /// The convolution that this one transposes: its input is our output.
  private func shape(
    output: Shape, filter: Shape, input: Shape
  ) throws(ModelError) -> ConvolutionShape {
    _ = try output.safeCount()
    guard output.rank == 4, filter[1] > 0, filter[2] > 0, filter[3] == input[3], filter[0] > 0,
      output[3] == filter[0], output[0] == input[0]
    else {
      throw ModelError(.shape, "a filter \(filter) does not take \(input) to \(output)")
    }
    let isSame = padding == .same
    return ConvolutionShape(
      batch: input[0], inputChannels: input[3], outputChannels: filter[0],
      filterChannels: filter[3],
      window: WindowGrid(
        input: (output[1], output[2]), kernel: (filter[1], filter[2]),
        stride: (strideHeight, strideWidth), output: (input[1], input[2]),
        padding: (
          isSame ? try before(input[1], strideHeight, filter[1], output[1]) : 0,
          isSame ? try before(input[2], strideWidth, filter[2], output[2]) : 0
        )))
  }

  private func before(
    _ input: Int, _ stride: Int, _ kernel: Int, _ output: Int
  ) throws(ModelError) -> Int {
    let reach = input == 0 ? 0 : try (input - 1).times(stride).plus(kernel)
    return Swift.max(0, reach - output) / 2
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (filter, input, bias) = (context.input(1), context.input(2), context.optional(3))
    let output = context.output
    let shape = try shape(output: output.shape, filter: filter.shape, input: input.shape)
    if input.type != .float32 {
      return try Convolution.lowerQuantized(
        context, shape: shape, activation: activation, kind: .transposed, operands: (2, 1, 3))
    }
    return try TransposeConv2D.floatKernel(
      input: input, filter: filter, bias: bias, output: output, shape: shape,
      activation: activation)
  }

  /// The float kernel, shared with MediaPipe's custom operator.
  static func floatKernel(
    input: TensorBinding, filter: TensorBinding, bias: TensorBinding?, output: TensorBinding,
    shape: ConvolutionShape,
    activation: Activation
  ) throws(ModelError) -> NodeKernel {
    let weights = try Convolution.floatWeights(filter)
    let bounds = activation.bounds
    return { (workspace) throws(ModelError) in
      Reference.transposeConv2D(
        input: input.floats(workspace), filter: weights.floats(workspace),
        bias: bias?.floats(workspace), output: output.floats(workspace), shape: shape,
        activation: bounds)
    }
  }

  package func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let filter = inputs.optional(1)?.shape, let input = inputs.optional(2)?.shape,
      filter.rank == 4
    else { return 0 }
    return input.count * filter[0] * filter[1] * filter[2]
  }
}

extension TransposeConv2D: ReadableOperator {
  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    self.init(
      padding: try options.padding(0), strideHeight: try options.positive(2, "stride_h"),
      strideWidth: try options.positive(1, "stride_w"), activation: try options.activation(3))
  }
}
