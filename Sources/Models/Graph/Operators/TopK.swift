import FaceKitKernels
import FaceKitTensor

/// TOPK_V2: the k largest of each row, descending, and where they were.
package struct TopK: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "TOPK_V2" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.check(
      "the input", type: .float32, .int8, .uint8, .int16, .int32, .int64, rank: 1...8)
    let k = try inputs.integers(1)
    guard k.count == 1, k[0] >= 0, k[0] <= input.shape.last else {
      throw ModelError(.option, "k is not within the \(input.shape.last) elements of a row")
    }
    var shape = input.shape
    shape[shape.rank - 1] = k[0]
    return [TensorType(input.type, shape), TensorType(.int32, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, values, indices) = (context.input(0), context.outputs[0], context.outputs[1])
    let (count, k) = (input.shape.last, values.shape.last)
    let rows = input.shape.outer(before: input.shape.rank - 1)
    return { (workspace) throws(ModelError) in
      guard
        Reference.topK(
          type: input.type, input: input.pointer(workspace), values: values.pointer(workspace),
          indices: indices.pointer(workspace, as: Int32.self), rows: rows, count: count, k: k)
      else { throw .noKernel(for: input.type) }
    }
  }
}
