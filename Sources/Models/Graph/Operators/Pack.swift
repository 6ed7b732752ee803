import FaceKitKernels
import FaceKitTensor

/// PACK: inputs of one shape side by side along a new axis.
package struct Pack: Operator, ReadableOperator {
  /// Counts in the result; may be negative.
  package var axis: Int

  package init(axis: Int) { self.axis = axis }

  init(_ source: OperatorSource) throws(ModelError) {
    axis = try source.options().int(1)
  }

  package var name: String { "PACK" }
  package var attributes: [Attribute] { [Attribute("axis", "\(axis)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    let first = try inputs[0]
    try first.checkAddressable("the first input")
    guard first.shape.rank < Dimensions.maximumRank else {
      throw ModelError(.shape, "the inputs have rank \(first.shape.rank)")
    }
    for index in 0..<inputs.count {
      let input = try inputs[index]
      guard input.type == first.type, input.shape == first.shape else {
        throw ModelError(.shape, "input \(index) is not like the first")
      }
    }
    let axis = try Shape([1] + first.shape.extents).axis(axis)
    var shape = first.shape
    shape.extents.insert(inputs.count, at: axis)
    return [TensorType(first.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let output = context.output
    let axis = try output.shape.axis(axis)
    let rows = output.shape.outer(before: axis)
    let bytes = output.shape.inner(after: axis) * output.type.byteWidth
    var tensors: [TensorBinding] = []
    for index in context.inputs.indices { tensors.append(context.input(index)) }
    let inputs = tensors
    return { (workspace) throws(ModelError) in
      let target = output.pointer(workspace)
      for (index, input) in inputs.enumerated() {
        Reference.copyRows(
          from: input.pointer(workspace), to: target + index * bytes, rows: rows, rowBytes: bytes,
          targetRowBytes: bytes * inputs.count)
      }
    }
  }
}
