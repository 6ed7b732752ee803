import FaceKitKernels
import FaceKitTensor

/// Expansion (optional), depthwise convolution and projection, streamed row by row.
///
/// Inputs: activation, residual?, then weights, bias?, slopes? of each stage.
struct RowStreamBlock: Operator {
  enum Input {
    static let activation = 0
    static let residual = 1
    static func stage(_ index: Int) -> Int { 2 + 3 * index }
  }

  /// Two or three convolutions: the last but one is depthwise, the others 1×1.
  let stages: [FusedConvolution]
  /// Shapes between the stages; see ``infer(_:)``.
  let overwritesInput: Bool

  var name: String { "ROW_STREAM" }

  var attributes: [Attribute] {
    stages.enumerated().map { Attribute("stage \($0)", "\($1.name) \($1.epilogue.name)") }
  }

  func layoutPolicy(_ inputs: Operands) -> LayoutPolicy { .blocked(acceptsRowMajor: false) }

  var overwritableInputs: [Int] { overwritesInput ? [Input.activation] : [] }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try shapes(inputs).suffix(1).map { TensorType(.float32, $0) }
  }

  /// The input's shape, and that after each stage.
  private func shapes(_ inputs: Operands) throws(ModelError) -> [Shape] {
    var operand = try inputs[0]
    var shapes = [operand.shape]
    for (index, stage) in stages.enumerated() {
      let first = Input.stage(index)
      let types = try stage.infer(
        Operands([operand, inputs.optional(first), inputs.optional(first + 1)]))
      operand = Operand(type: types[0].type, shape: types[0].shape)
      shapes.append(operand.shape)
    }
    return shapes
  }

  func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let shapes = try? shapes(inputs) else { return 0 }
    var total = 0
    for (index, stage) in stages.enumerated() {
      total += stage.multiplyAccumulates(
        Operands([nil, inputs.optional(Input.stage(index))]),
        [TensorType(.float32, shapes[index + 1])])
    }
    return total
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(Input.activation), context.output)
    let residual = context.optional(Input.residual)
    let stream = try makeStream(context)
    let residualMap = residual.map { BlockedMap($0.shape) }
    let inputImage = BlockedMap(input.shape).floatCount
    let outputMap = BlockedMap(output.shape)
    return context.rowKernel(
      rows: input.shape[0] * outputMap.height, cost: stream.multiplyAccumulates * input.shape[0],
      scratchBytes: stream.scratchBytes
    ) { workspace, rows, scratch in
      forEachImage(rows, outputMap.height) { n, rows in
        var added: (map: BlockedMap, data: UnsafePointer<Float>)?
        if let residual, let residualMap {
          added = (
            residualMap, UnsafePointer(residual.floats(workspace) + n * residualMap.floatCount)
          )
        }
        stream.run(
          rows: rows, from: input.floats(workspace) + n * inputImage,
          to: output.floats(workspace) + n * outputMap.floatCount, residual: added,
          scratch: scratch)
      }
    }
  }

  private func makeStream(_ context: LoweringContext) throws(ModelError) -> RowStream {
    func parameters(_ stage: Int) -> FusedConvolution.Parameters {
      let first = Input.stage(stage)
      return .init(
        weights: context.input(first), bias: context.optional(first + 1),
        slopes: context.optional(first + 2))
    }
    var shape = context.input(Input.activation).shape
    var expand: BlockedConv2D?
    var index = 0
    if stages.count == 3 {
      expand = try stages[0].dense(
        input: shape, layout: .blocked, parameters: parameters(0), isa: context.isa)
      shape[3] = expand!.output.channels
      index = 1
    }
    let depthwise = try stages[index].depthwise(
      input: shape, parameters: parameters(index), isa: context.isa)
    shape = [
      shape[0], depthwise.output.height, depthwise.output.width, depthwise.output.channels,
    ]
    let project = try stages[index + 1].dense(
      input: shape, layout: .blocked, parameters: parameters(index + 1), isa: context.isa)
    return RowStream(expand: expand, depthwise: depthwise, project: project)
  }
}
