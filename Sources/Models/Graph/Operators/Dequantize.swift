import FaceKitKernels
import FaceKitTensor

/// DEQUANTIZE: halves widened, integers to the real numbers they stand for.
package struct Dequantize: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "DEQUANTIZE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float16, .int8, .uint8, .int16, .int4, .int32)
    if input.type != .float16 {
      _ = try Scaling(try input.checkedQuantization("the input"), shape: input.shape)
    }
    return [TensorType(.float32, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    let type = input.type
    if type == .float16 {
      return { (workspace) throws(ModelError) in
        Reference.widenHalf(
          input: input.pointer(workspace, as: UInt16.self), output: output.floats(workspace),
          count: count)
      }
    }
    let scaling = try Scaling(
      try input.operand.checkedQuantization("the input"), shape: input.shape)
    return { (workspace) throws(ModelError) in
      Reference.dequantize(
        input.pointer(workspace), type: type, output: output.floats(workspace), count: count,
        scaling: scaling)
    }
  }
}
