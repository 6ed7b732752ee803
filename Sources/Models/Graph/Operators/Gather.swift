import FaceKitKernels
import FaceKitTensor

/// GATHER: blocks picked along one axis by indices.
package struct Gather: Operator, ReadableOperator {
  package var axis: Int
  /// Leading axes that input and indices have in common.
  package var batchDimensions: Int

  package init(axis: Int, batchDimensions: Int = 0) {
    self.axis = axis
    self.batchDimensions = batchDimensions
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    self.init(axis: try options.int(0), batchDimensions: try options.int(1))
  }

  package var name: String { "GATHER" }
  package var attributes: [Attribute] {
    [Attribute("axis", "\(axis)"), Attribute("batch_dims", "\(batchDimensions)")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, indices) = (try inputs[0], try inputs[1])
    try input.checkAddressable("the input")
    try indices.checkIndices("the indices")
    let (axis, batch) = try axes(input.shape, indices.shape)
    let extents =
      input.shape.extents[..<axis] + indices.shape.extents[batch...]
      + input.shape.extents[(axis + 1)...]
    guard extents.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(extents.count)")
    }
    return [TensorType(input.type, Shape([Int](extents)))]
  }

  private func axes(
    _ input: Shape, _ indices: Shape
  ) throws(ModelError) -> (axis: Int, batch: Int) {
    let axis = try input.axis(axis)
    let batch = batchDimensions < 0 ? batchDimensions + indices.rank : batchDimensions
    guard batch >= 0, batch <= indices.rank, batch <= axis else {
      throw ModelError(.option, "batch_dims \(batchDimensions) with axis \(axis)")
    }
    for dimension in 0..<batch where input[dimension] != indices[dimension] {
      throw ModelError(.shape, "\(input) and \(indices) share no \(batch) leading extents")
    }
    return (axis, batch)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, indices, output) = (context.input(0), context.input(1), context.output)
    let (axis, batch) = try axes(input.shape, indices.shape)
    let shape = GatherShape(
      batch: input.shape.outer(before: batch),
      outer: input.shape.extents[batch..<axis].reduce(1, *), extent: input.shape[axis],
      indices: indices.shape.extents[batch...].reduce(1, *),
      blockBytes: input.shape.inner(after: axis) * input.type.byteWidth)
    return { (workspace) throws(ModelError) in
      let isInside = Reference.gather(
        shape, input: input.pointer(workspace), indices: indices.pointer(workspace),
        type: indices.type, output: output.pointer(workspace))
      if !isInside { throw .indexOutOfRange }
    }
  }
}
