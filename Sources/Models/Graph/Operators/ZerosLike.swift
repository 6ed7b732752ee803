import FaceKitKernels
import FaceKitTensor

/// ZEROS_LIKE: zeros of the input's shape and type.
package struct ZerosLike: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "ZEROS_LIKE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float32, .int32, .int64)
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (output, bytes) = (context.output, context.output.byteCount)
    return { (workspace) throws(ModelError) in
      output.pointer(workspace).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    }
  }
}
