import FaceKitKernels
import FaceKitTensor

/// FILL: a tensor of one value, its shape the first input.
package struct Fill: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "FILL" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let value = try inputs[1]
    try value.checkAddressable("the value")
    guard value.shape.checkedCount == 1 else {
      throw ModelError(.shape, "the value has the shape \(value.shape)")
    }
    let shape = Shape(try inputs.integers(0))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    return [TensorType(value.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (value, output, count) = (context.input(1), context.output, context.output.count)
    let width = output.type.byteWidth
    return { (workspace) throws(ModelError) in
      Reference.fill(
        output.pointer(workspace), with: value.pointer(workspace), width: width, count: count)
    }
  }
}
