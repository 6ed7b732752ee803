import FaceKitKernels
import FaceKitTensor

/// BROADCAST_ARGS: the shape that two shapes broadcast to.
package struct BroadcastArgs: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "BROADCAST_ARGS" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.checkIndices("the first shape")
    try b.checkSameType(as: a, "the second shape")
    return [TensorType(a.type, [try shape(inputs).rank])]
  }

  private func shape(_ inputs: Operands) throws(ModelError) -> Shape {
    try Shape(try inputs.integers(0)).broadcast(with: Shape(try inputs.integers(1)))
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel(try shape(context.operands).extents)
  }
}
