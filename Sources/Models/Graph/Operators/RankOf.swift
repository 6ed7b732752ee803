import FaceKitKernels
import FaceKitTensor

/// RANK: the number of extents of the input, a scalar.
public struct RankOf: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "RANK" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    _ = try inputs[0]
    return [TensorType(.int32, .scalar)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel([context.input(0).shape.rank])
  }
}
