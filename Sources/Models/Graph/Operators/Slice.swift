import FaceKitKernels
import FaceKitTensor

/// SLICE: a box given by its first element and size; size −1 means "to the end".
package struct Slice: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "SLICE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    return [TensorType(input.type, Shape(try cut(inputs).count))]
  }

  private func cut(_ inputs: Operands) throws(ModelError) -> BoxCut {
    let shape = try inputs[0].shape
    let (begin, size) = (try inputs.integers(1), try inputs.integers(2))
    guard begin.count == shape.rank, size.count == shape.rank else {
      throw ModelError(.shape, "\(begin.count) begins, \(size.count) sizes for \(shape)")
    }
    var cut = BoxCut()
    for axis in 0..<shape.rank {
      let extent = shape[axis]
      guard begin[axis] >= 0, begin[axis] <= extent else {
        throw ModelError(.option, "begin \(begin[axis]) on axis \(axis) of \(shape)")
      }
      let count = size[axis] == -1 ? extent - begin[axis] : size[axis]
      guard count >= 0, count <= extent - begin[axis] else {
        throw ModelError(
          .option, "size \(size[axis]) from \(begin[axis]) on axis \(axis) of \(shape)")
      }
      cut.start.append(begin[axis])
      cut.step.append(1)
      cut.count.append(count)
    }
    return cut
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(0)
    return context.copyKernel(
      try cut(context.operands).copy(of: input.shape, width: input.type.byteWidth))
  }
}
