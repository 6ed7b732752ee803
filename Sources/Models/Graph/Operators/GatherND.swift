import FaceKitKernels
import FaceKitTensor

/// GATHER_ND: blocks picked by tuples of indices.
package struct GatherND: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "GATHER_ND" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, indices) = (try inputs[0], try inputs[1])
    try input.checkAddressable("the input")
    try indices.checkIndices("the indices")
    _ = try TupleAddressing(indices: indices.shape, addressing: input.shape)
    let extents = indices.shape.extents.dropLast() + input.shape.extents[indices.shape.last...]
    guard extents.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(extents.count)")
    }
    return [TensorType(input.type, Shape([Int](extents)))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, indices, output) = (context.input(0), context.input(1), context.output)
    let addressing = try TupleAddressing(indices: indices.shape, addressing: input.shape)
    let (extents, strides, tuples) = (addressing.extents, addressing.strides, addressing.tuples)
    let blockBytes = addressing.block * input.type.byteWidth
    return { (workspace) throws(ModelError) in
      let isInside = Reference.gatherND(
        input: input.pointer(workspace), indices: indices.pointer(workspace), type: indices.type,
        output: output.pointer(workspace), tuples: tuples, extents: extents, strides: strides,
        blockBytes: blockBytes)
      if !isInside { throw .indexOutOfRange }
    }
  }
}
