import FaceKitKernels
import FaceKitTensor

/// `Convolution2DTransposeBias`: a transposed convolution with a bias, whose output extents follow from
/// the input's.
struct Convolution2DTransposeBias: Operator {
  let padding: Padding
  let strideHeight, strideWidth: Int

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try RawOptions(source, count: 3)
    padding = try options.padding(0)
    strideWidth = try options.positive(1, "stride_width")
    strideHeight = try options.positive(2, "stride_height")
  }

  var name: String { "Convolution2DTransposeBias" }
  var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("stride", "\(strideHeight)×\(strideWidth)"),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (input, filter, bias) = (try inputs[0], try inputs[1], try inputs[2])
    try input.check("the input", type: .float32, rank: 4...4)
    try filter.check("the filter", type: .float32, rank: 4...4)
    try bias.check("the bias", type: .float32)
    let shape = try shape(input.shape, filter.shape)
    guard bias.shape.count == filter.shape[0] else {
      throw ModelError(.shape, "a bias \(bias.shape) for \(filter.shape[0]) channels")
    }
    let window = shape.window
    return [
      TensorType(
        .float32, [input.shape[0], window.inputHeight, window.inputWidth, filter.shape[0]])
    ]
  }

  private func shape(_ input: Shape, _ filter: Shape) throws(ModelError) -> ConvolutionShape {
    guard filter[1] > 0, filter[2] > 0, filter[3] == input[3], input[1] > 0, input[2] > 0 else {
      throw ModelError(.shape, "a filter \(filter) does not fit an input \(input)")
    }
    let vertical = try extent(input[1], filter[1], strideHeight)
    let horizontal = try extent(input[2], filter[2], strideWidth)
    return ConvolutionShape(
      batch: input[0], inputChannels: input[3], outputChannels: filter[0],
      filterChannels: filter[3],
      window: WindowGrid(
        input: (vertical.output, horizontal.output), kernel: (filter[1], filter[2]),
        stride: (strideHeight, strideWidth), output: (input[1], input[2]),
        padding: (vertical.before, horizontal.before)))
  }

  private func extent(
    _ input: Int, _ kernel: Int, _ stride: Int
  ) throws(ModelError) -> (output: Int, before: Int) {
    // MediaPipe's own formula: it takes the remainder of the input, not of the output.
    let total = padding == .same ? Swift.max(0, kernel - (input - 1) % stride - 1) : 0
    return (try (input - 1).times(stride).plus(kernel) - total, total / 2)
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, filter, bias) = (context.input(0), context.input(1), context.input(2))
    return try TransposeConv2D.floatKernel(
      input: input, filter: filter, bias: bias, output: context.output,
      shape: try shape(input.shape, filter.shape), activation: .none)
  }

  func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let input = inputs.optional(0)?.shape, let filter = inputs.optional(1)?.shape,
      filter.rank == 4
    else { return 0 }
    return input.count * filter[0] * filter[1] * filter[2]
  }
}
