import FaceKitKernels
import FaceKitTensor

/// CONV_3D: NDHWC activations, DHWIO weights, a bias for each output channel. Floats only.
package struct Conv3D: Operator {
  package var padding: Padding
  /// Depth, height, width.
  package var strides, dilations: [Int]
  package var activation: Activation

  package var name: String { "CONV_3D" }

  package var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("stride", "\(Shape(strides))"),
      Attribute("dilation", "\(Shape(dilations))"), Attribute("activation", activation.name),
    ]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...3)
    let (input, filter) = (try inputs[0], try inputs[1])
    try input.check("the input", type: .float32, rank: 5...5)
    try filter.check("the filter", type: .float32, rank: 5...5)
    let shape = try shape(input.shape, filter.shape)
    try Convolution.check(
      input: input, filter: filter, bias: inputs.optional(2), outputChannels: filter.shape[4])
    return [
      TensorType(
        .float32,
        [
          input.shape[0], shape.depth.output, shape.height.output, shape.width.output,
          filter.shape[4],
        ])
    ]
  }

  private func shape(_ input: Shape, _ filter: Shape) throws(ModelError) -> Convolution3DShape {
    guard filter.count > 0, filter[3] == input[4] else {
      throw ModelError(.shape, "a filter \(filter) does not fit an input \(input)")
    }
    func axis(_ index: Int) throws(ModelError) -> WindowAxis {
      let (extent, kernel) = (input[index + 1], filter[index])
      // The rules are those of two dimensions: borrow a grid of one column.
      let grid = try WindowGrid(
        input: [1, extent, 1, 1], kernel: (kernel, 1), stride: (strides[index], 1),
        dilation: (dilations[index], 1), padding: padding)
      return WindowAxis(
        input: extent, kernel: kernel, stride: strides[index], dilation: dilations[index],
        output: grid.outputHeight, padding: grid.paddingTop)
    }
    return Convolution3DShape(
      batch: input[0], inputChannels: input[4], outputChannels: filter[4], depth: try axis(0),
      height: try axis(1), width: try axis(2))
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, filter, bias) = (context.input(0), context.input(1), context.optional(2))
    let (output, bounds) = (context.output, activation.bounds)
    let shape = try shape(input.shape, filter.shape)
    return { (workspace) throws(ModelError) in
      Reference.conv3D(
        input: input.floats(workspace), filter: filter.floats(workspace),
        bias: bias?.floats(workspace), output: output.floats(workspace), shape: shape,
        activation: bounds)
    }
  }

  package func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let filter = inputs.optional(1)?.shape, filter.rank == 5, let output = outputs.first
    else { return 0 }
    return output.shape.count * filter[0] * filter[1] * filter[2] * filter[3]
  }
}

extension Conv3D: ReadableOperator {
  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    padding = try options.padding(0)
    strides = [
      try options.positive(1, "stride_d"), try options.positive(3, "stride_h"),
      try options.positive(2, "stride_w"),
    ]
    dilations = [
      try options.positive(5, "dilation_d_factor", default: 1),
      try options.positive(7, "dilation_h_factor", default: 1),
      try options.positive(6, "dilation_w_factor", default: 1),
    ]
    activation = try options.activation(4)
  }
}
