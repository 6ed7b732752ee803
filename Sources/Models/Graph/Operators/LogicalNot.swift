import FaceKitKernels
import FaceKitTensor

/// LOGICAL_NOT: truth values, one byte each.
package struct LogicalNot: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "LOGICAL_NOT" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .bool)
    return [TensorType(.bool, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    return { (workspace) throws(ModelError) in
      Reference.logicalNot(
        input: input.pointer(workspace, as: UInt8.self),
        output: output.pointer(workspace, as: UInt8.self), count: count)
    }
  }
}
