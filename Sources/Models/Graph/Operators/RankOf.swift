import FaceKitKernels
import FaceKitTensor

/// RANK: the number of extents of the input, a scalar.
package struct RankOf: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "RANK" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    _ = try inputs[0]
    return [TensorType(.int32, .scalar)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel([context.input(0).shape.rank])
  }
}
