import FaceKitKernels
import FaceKitTensor

/// BROADCAST_TO: the tensor repeated to the shape of the second input.
package struct BroadcastTo: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "BROADCAST_TO" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let shape = Shape(try inputs.integers(1))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    guard try input.shape.broadcast(with: shape) == shape else {
      throw ModelError(.shape, "\(input.shape) does not broadcast to \(shape)")
    }
    return [TensorType(input.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0).shape, context.output)
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: input.strides(broadcastTo: output.shape),
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}
