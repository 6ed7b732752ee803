import FaceKitKernels
import FaceKitTensor

/// DYNAMIC_UPDATE_SLICE: a tensor with a box overwritten, its start held inside the tensor.
package struct DynamicUpdateSlice: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "DYNAMIC_UPDATE_SLICE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (input, update, start) = (try inputs[0], try inputs[1], try inputs[2])
    try input.checkAddressable("the input")
    try update.checkSameType(as: input, "the update")
    try start.checkIndices("the start")
    guard update.shape.rank == input.shape.rank, start.shape.count == input.shape.rank else {
      throw ModelError(.shape, "an update \(update.shape) of \(input.shape)")
    }
    for axis in 0..<input.shape.rank where update.shape[axis] > input.shape[axis] {
      throw ModelError(.shape, "an update \(update.shape) of \(input.shape)")
    }
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, update, start) = (context.input(0), context.input(1), context.input(2))
    let (output, bytes) = (context.output, context.output.byteCount)
    let (width, strides) = (output.type.byteWidth, Dimensions(output.shape.strides))
    let plan = StridedCopy(
      extents: update.shape.extents, source: update.shape.strides,
      destination: output.shape.strides, width: width)
    let room = Dimensions(
      (0..<output.shape.rank).map { output.shape[$0] - update.shape[$0] })
    return { (workspace) throws(ModelError) in
      Reference.copy(
        from: input.pointer(workspace), to: output.pointer(workspace), bytes: bytes)
      let offset = Reference.clampedOffset(
        start.pointer(workspace), type: start.type, room: room, strides: strides)
      Reference.copy(
        plan, from: update.pointer(workspace), to: output.pointer(workspace) + offset * width)
    }
  }
}
