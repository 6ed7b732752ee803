import FaceKitKernels
import FaceKitTensor

/// Expansion (optional), depthwise convolution and projection, streamed row by row. Made by the pass
/// `stream-rows`.
///
/// Inputs: activation, residual?, then weights, bias?, slopes? of each stage.
struct RowStreamBlock: Operator {
  enum Input {
    static let activation = 0
    static let residual = 1
    static func stage(_ index: Int) -> Int { 2 + 3 * index }
  }

  /// Two or three convolutions: the last but one is depthwise, the others 1×1.
  let stages: [Conv2D]
  /// Whether the output may take the place of the activation: the ring of rows decouples reading from
  /// writing, and nobody else reads the activation afterwards.
  let overwritesInput: Bool

  var name: String { "ROW_STREAM" }

  var attributes: [Attribute] {
    stages.enumerated().map { Attribute("stage \($0)", "\($1.name) \($1.activation.name)") }
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try shapes(inputs).suffix(1).map { TensorType(.float32, $0) }
  }

  /// The input's shape, and that after each stage.
  private func shapes(_ inputs: Operands) throws(ModelError) -> [Shape] {
    var operand = try inputs[Input.activation]
    var shapes = [operand.shape]
    for (index, stage) in stages.enumerated() {
      let type = try stage.infer(
        Operands(operands(of: index, in: inputs.all, activation: operand)))[0]
      operand = Operand(type: type.type, shape: type.shape)
      shapes.append(operand.shape)
    }
    return shapes
  }

  /// What a stage has as its own inputs: the residual belongs to the last.
  private func operands<Value>(
    of index: Int, in all: [Value?], activation: Value
  ) -> [Value?] {
    let first = Input.stage(index)
    let stage = stages[index]
    var own: [Value?] = [activation, all[first], all[first + 1]]
    if stage.activation == .prelu || stage.addsResidual { own.append(all[first + 2]) }
    if stage.addsResidual { own.append(all[Input.residual]) }
    return own
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

  var kernels: [KernelCandidate] {
    [
      KernelCandidate(
        "f32_conv_row + f32_depthwise_row, streamed", backend: .simd, types: [.float32],
        layout: .blocked(acceptsRowMajor: false),
        overwrites: overwritesInput ? [Input.activation] : [], hasTiers: true,
        note: "the maps between have no other reader: their rows stay in a ring in cache",
        make: { (context) throws(ModelError) in try makeStreamed(&context) }),
      reference(note: "one stage after the other"),
    ]
  }

  private func makeStreamed(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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
    func parameters(_ stage: Int) -> Conv2D.Parameters {
      let first = Input.stage(stage)
      return .init(
        weights: context.input(first), bias: context.optional(first + 1),
        slopes: context.optional(first + 2))
    }
    var shape = context.input(Input.activation).shape
    var expand: BlockedConv2D?
    var index = 0
    if stages.count == 3 {
      expand = try stages[0].packedDense(
        input: shape, layout: .blocked, parameters: parameters(0), isa: context.isa)
      shape[3] = expand!.output.channels
      index = 1
    }
    let depthwise = try stages[index].packedDepthwise(
      input: shape, parameters: parameters(index), isa: context.isa)
    shape = [
      shape[0], depthwise.output.height, depthwise.output.width, depthwise.output.channels,
    ]
    let project = try stages[index + 1].packedDense(
      input: shape, layout: .blocked, parameters: parameters(index + 1), isa: context.isa)
    return RowStream(expand: expand, depthwise: depthwise, project: project)
  }

  /// The stages' own reference kernels, with the maps between in working memory.
  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    var operand = context.input(Input.activation)
    let shapes = try shapes(context.operands)
    // In a struct, because arrays of functions with typed errors need a run-time library that Apple's systems
    // have from macOS 15 and iOS 18 on.
    struct StageKernel: Sendable {
      let run: NodeKernel
    }
    var kernels: [StageKernel] = []
    for (index, stage) in stages.enumerated() {
      var output = context.output
      if index < stages.count - 1 {
        let shape = shapes[index + 1]
        output = TensorBinding(
          operand: Operand(type: .float32, shape: shape), layout: .rowMajor,
          place: .arena(offset: context.scratch(bytes: shape.count * 4)))
      }
      var own = context.binding(
        operands(of: index, in: context.inputs, activation: operand), [output])
      kernels.append(StageKernel(run: try stage.lower(&own)))
      operand = output
    }
    let all = kernels
    return { (workspace) throws(ModelError) in
      for kernel in all { try kernel.run(workspace) }
    }
  }
}
