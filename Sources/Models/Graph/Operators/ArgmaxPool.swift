import FaceKitKernels
import FaceKitTensor

/// `MaxPoolingWithArgmax2D` and `MaxUnpooling2D`: a pool that remembers where its maxima were, and its
/// inverse.
struct ArgmaxPool: Operator {
  let unpools: Bool
  let padding: Padding
  let strideHeight, strideWidth, filterHeight, filterWidth: Int
  let activation: Activation

  init(_ source: OperatorSource, unpools: Bool) throws(ModelError) {
    self.unpools = unpools
    let options = try RawOptions(source, count: 6)
    padding = try options.padding(0)
    strideWidth = try options.positive(1, "stride_width")
    strideHeight = try options.positive(2, "stride_height")
    filterWidth = try options.positive(3, "filter_width")
    filterHeight = try options.positive(4, "filter_height")
    guard let activation = Activation(schemaCode: options[5]) else {
      throw ModelError(.option, "fused activation \(options[5]) is not supported")
    }
    self.activation = activation
  }

  var name: String { unpools ? "MaxUnpooling2D" : "MaxPoolingWithArgmax2D" }
  var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("filter", "\(filterHeight)×\(filterWidth)"),
      Attribute("stride", "\(strideHeight)×\(strideWidth)"),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(unpools ? 2...2 : 1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float32, rank: 4...4)
    if unpools {
      let places = try inputs[1]
      try places.check("the places", type: .float32)
      guard places.shape == input.shape else {
        throw ModelError(.shape, "places \(places.shape) for \(input.shape)")
      }
      return [TensorType(.float32, try unpooled(input.shape))]
    }
    let window = try shape(input.shape).window
    let output: Shape = [
      input.shape[0], window.outputHeight, window.outputWidth, input.shape[3],
    ]
    return [TensorType(.float32, output), TensorType(.float32, output)]
  }

  private func unpooled(_ input: Shape) throws(ModelError) -> Shape {
    [input[0], try input[1].times(filterHeight), try input[2].times(filterWidth), input[3]]
  }

  /// The pool over the larger map.
  private func shape(_ large: Shape) throws(ModelError) -> PoolShape {
    PoolShape(
      batch: large[0], channels: large[3],
      window: try WindowGrid(
        input: large, kernel: (filterHeight, filterWidth), stride: (strideHeight, strideWidth),
        padding: padding))
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, bounds) = (context.input(0), context.output, activation.bounds)
    if unpools {
      let places = context.input(1)
      var shape = try shape(output.shape)
      // Every element of the input is put back, whatever the pool's own extents would be.
      (shape.window.outputHeight, shape.window.outputWidth) = (input.shape[1], input.shape[2])
      let fixed = shape
      return { (workspace) throws(ModelError) in
        Reference.maxUnpool(
          input: input.floats(workspace), places: places.floats(workspace),
          output: output.floats(workspace), shape: fixed)
      }
    }
    let (places, shape) = (context.outputs[1], try shape(input.shape))
    return { (workspace) throws(ModelError) in
      Reference.maxPoolWithArgument(
        input: input.floats(workspace), output: output.floats(workspace),
        places: places.floats(workspace), shape: shape, activation: bounds)
    }
  }
}
