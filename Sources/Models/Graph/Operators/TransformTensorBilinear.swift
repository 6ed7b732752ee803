import FaceKitKernels
import FaceKitTensor

/// `TransformTensorBilinear`: a map seen through a transform.
struct TransformTensorBilinear: Operator {
  let outputHeight, outputWidth: Int

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.flexOptions()
    guard let height = try options.int("output_height"),
      let width = try options.int("output_width"),
      height >= 1, width >= 1
    else { throw ModelError(.option, "no 'output_height' or 'output_width'") }
    (outputHeight, outputWidth) = (height, width)
  }

  var name: String { "TransformTensorBilinear" }
  var attributes: [Attribute] { [Attribute("output", "\(outputHeight)×\(outputWidth)")] }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, transform) = (try inputs[0], try inputs[1])
    try input.check("the map", type: .float32, rank: 4...4)
    try transform.check("the transform", type: .float32)
    guard input.shape[0] == 1, transform.shape.count == 16, input.shape[1] > 0, input.shape[2] > 0
    else { throw ModelError(.shape, "a map \(input.shape) with \(transform.shape)") }
    return [TensorType(.float32, [1, outputHeight, outputWidth, input.shape[3]])]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, transform, output) = (context.input(0), context.input(1), context.output)
    let (height, width, channels) = (input.shape[1], input.shape[2], input.shape[3])
    let (outputHeight, outputWidth) = (outputHeight, outputWidth)
    return { (workspace) throws(ModelError) in
      Reference.transformBilinear(
        input: input.floats(workspace), height: height, width: width, channels: channels,
        transform: transform.floats(workspace), output: output.floats(workspace),
        outputHeight: outputHeight, outputWidth: outputWidth)
    }
  }
}
