import FaceKitKernels
import FaceKitTensor

/// REVERSE_V2: the order along the axes of the second input turned round.
package struct Reverse: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "REVERSE_V2" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    _ = try input.shape.axisSet(try inputs.integers(1))
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let output = context.output
    let isReversed = try output.shape.axisSet(try context.operands.integers(1))
    var strides = output.shape.strides
    var offset = 0
    for axis in strides.indices where isReversed[axis] && output.shape[axis] > 0 {
      offset += (output.shape[axis] - 1) * strides[axis]
      strides[axis] = -strides[axis]
    }
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: strides, sourceOffset: offset,
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}
