import FaceKitKernels
import FaceKitTensor

/// PRELU: a slope for negative values, broadcast to the input.
package struct PRelu: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "PRELU" }
  package var pattern: RewritePattern { RewritePattern(.prelu) }
  package var kernels: [KernelCandidate] {
    [.elementwise(.copy, maps: 1, .prelu), reference(overwrites: [0])]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, slope) = (try inputs[0], try inputs[1])
    try input.check("the input", type: .float32, .int8, .uint8)
    try slope.check("the slope")
    try slope.checkSameType(as: input, "the slope")
    if input.type != .float32 {
      _ = try input.perTensorQuantization("the input")
      _ = try slope.perTensorQuantization("the slope")
    }
    guard try input.shape.broadcast(with: slope.shape) == input.shape else {
      throw ModelError(.shape, "the slope \(slope.shape) is larger than the input \(input.shape)")
    }
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, slope, output) = (context.input(0), context.input(1), context.output)
    let loop = StridedLoop(
      broadcasting: [input.shape, slope.shape, output.shape], to: output.shape)
    if input.type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.prelu(
          input: input.floats(workspace), slope: slope.floats(workspace),
          output: output.floats(workspace), loop: loop)
      }
    }
    let x = try input.operand.perTensorQuantization("the input")
    let a = try slope.operand.perTensorQuantization("the slope")
    let y = try output.operand.perTensorQuantization("the output")
    let type = input.type
    let zeros = (x.zeroPoint, a.zeroPoint, y.zeroPoint)
    let identity = FixedPointFactor(Double(x.scale / y.scale))
    let scaled = FixedPointFactor(Double(x.scale * a.scale / y.scale))
    return { (workspace) throws(ModelError) in
      Reference.quantizedPrelu(
        type: type, input: input.pointer(workspace), slope: slope.pointer(workspace),
        output: output.pointer(workspace), loop: loop, zeros: zeros, identity: identity,
        scaled: scaled)
    }
  }
}
