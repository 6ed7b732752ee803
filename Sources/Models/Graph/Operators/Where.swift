import FaceKitKernels
import FaceKitTensor

/// WHERE: the coordinates of the elements that are not zero. How many there are is data.
package struct Where: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "WHERE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check(
      "the condition", type: .bool, .int8, .uint8, .int32, .int64, rank: 1...8)
    guard let constant = input.constant else { throw .dataDependent(input: 0) }
    let count = Reference.countTrue(
      constant.base, width: input.type.byteWidth, count: try input.shape.safeCount())
    return [TensorType(.int64, [count, input.shape.rank])]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let (extents, count) = (Dimensions(input.shape.extents), input.count)
    let width = input.type.byteWidth
    return { (workspace) throws(ModelError) in
      Reference.coordinates(
        of: input.pointer(workspace), width: width, extents: extents, count: count,
        output: output.pointer(workspace, as: Int64.self))
    }
  }
}
