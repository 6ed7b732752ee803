import FaceKitKernels
import FaceKitTensor

/// ONE_HOT: a new axis on which the place named by the index is `on`, all others `off`.
package struct OneHot: Operator, ReadableOperator {
  /// Where the new axis goes, −1 for last.
  package var axis: Int

  package init(axis: Int) { self.axis = axis }

  init(_ source: OperatorSource) throws(ModelError) {
    axis = try source.options().int(0)
  }

  package var name: String { "ONE_HOT" }
  package var attributes: [Attribute] { [Attribute("axis", "\(axis)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(4...4)
    let (indices, on, off) = (try inputs[0], try inputs[2], try inputs[3])
    try indices.checkIndices("the indices")
    try on.checkAddressable("the value 'on'")
    try off.checkSameType(as: on, "the value 'off'")
    let depth = try inputs.integers(1)
    guard depth.count == 1, depth[0] >= 0, on.shape.checkedCount == 1,
      off.shape.checkedCount == 1, indices.shape.rank < Dimensions.maximumRank
    else { throw ModelError(.shape, "depth, on and off of ONE_HOT must be scalars") }
    let axis = try Shape([1] + indices.shape.extents).axis(axis)
    var shape = indices.shape
    shape.extents.insert(depth[0], at: axis)
    return [TensorType(on.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (indices, on, off, output) = (
      context.input(0), context.input(2), context.input(3), context.output
    )
    let axis = try output.shape.axis(axis)
    let (outer, inner) = (output.shape.outer(before: axis), output.shape.inner(after: axis))
    let (depth, width) = (output.shape[axis], output.type.byteWidth)
    return { (workspace) throws(ModelError) in
      Reference.oneHot(
        indices: indices.pointer(workspace), type: indices.type, on: on.pointer(workspace),
        off: off.pointer(workspace), output: output.pointer(workspace), width: width,
        outer: outer, depth: depth, inner: inner)
    }
  }
}
