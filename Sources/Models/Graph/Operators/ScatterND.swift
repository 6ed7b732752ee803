import FaceKitKernels
import FaceKitTensor

/// SCATTER_ND: blocks added at places given by tuples of indices, into zeros.
package struct ScatterND: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "SCATTER_ND" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (indices, updates) = (try inputs[0], try inputs[1])
    try indices.checkIndices("the indices")
    try updates.check("the updates", type: .float32, .int32, .int64, .int8, .uint8)
    let shape = Shape(try inputs.integers(2))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    let addressing = try TupleAddressing(indices: indices.shape, addressing: shape)
    guard updates.shape.count == (try addressing.tuples.times(addressing.block)) else {
      throw ModelError(.shape, "updates \(updates.shape) for indices \(indices.shape)")
    }
    return [TensorType(updates.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (indices, updates, output) = (context.input(0), context.input(1), context.output)
    let addressing = try TupleAddressing(indices: indices.shape, addressing: output.shape)
    let (extents, strides) = (addressing.extents, addressing.strides)
    let (tuples, block, count) = (addressing.tuples, addressing.block, output.count)
    return { (workspace) throws(ModelError) in
      let isInside = Reference.scatterND(
        indices: indices.pointer(workspace), type: indices.type,
        updates: updates.pointer(workspace), output: output.pointer(workspace),
        type: output.type, outputCount: count, tuples: tuples, extents: extents,
        strides: strides, block: block)
      if !isInside { throw .indexOutOfRange }
    }
  }
}
