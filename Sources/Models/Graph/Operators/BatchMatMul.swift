import FaceKitKernels
import FaceKitTensor

/// BATCH_MATMUL: a matrix product for each pair of matrices, the outer extents broadcast.
package struct BatchMatMul: Operator, ReadableOperator {
  /// Whether an operand is stored with its last two axes swapped.
  package var adjointX, adjointY: Bool

  package init(adjointX: Bool = false, adjointY: Bool = false) {
    self.adjointX = adjointX
    self.adjointY = adjointY
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    self.init(adjointX: try options.bool(0), adjointY: try options.bool(1))
  }

  package var name: String { "BATCH_MATMUL" }
  package var attributes: [Attribute] {
    [Attribute("adj_x", "\(adjointX)"), Attribute("adj_y", "\(adjointY)")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check("the first input", type: .float32, .int8, rank: 2...8)
    try b.check("the second input", rank: 2...8)
    try b.checkSameType(as: a, "the second input")
    if a.type != .float32 {
      _ = try a.perTensorQuantization("the first input")
      _ = try b.perTensorQuantization("the second input")
    }
    let (extents, batch) = (matrix(a.shape, b.shape), try batch(a.shape, b.shape))
    guard extents.depth == extents.otherDepth else {
      throw ModelError(.shape, "\(a.shape) and \(b.shape) do not multiply")
    }
    return [TensorType(a.type, Shape(batch.extents + [extents.rows, extents.columns]))]
  }

  private func matrix(
    _ a: Shape, _ b: Shape
  ) -> (rows: Int, depth: Int, otherDepth: Int, columns: Int) {
    let (a0, a1) = (a[a.rank - 2], a[a.rank - 1])
    let (b0, b1) = (b[b.rank - 2], b[b.rank - 1])
    return (
      adjointX ? a1 : a0, adjointX ? a0 : a1, adjointY ? b1 : b0, adjointY ? b0 : b1
    )
  }

  private func batch(_ a: Shape, _ b: Shape) throws(ModelError) -> Shape {
    try Shape([Int](a.extents.dropLast(2))).broadcast(with: Shape([Int](b.extents.dropLast(2))))
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(1), context.output)
    let extents = matrix(a.shape, b.shape)
    let outer = { (shape: Shape) in Shape([Int](shape.extents.dropLast(2))) }
    let loop = StridedLoop(
      broadcasting: [outer(a.shape), outer(b.shape), outer(output.shape)],
      to: outer(output.shape))
    let (adjointX, adjointY) = (adjointX, adjointY)
    if a.type != .float32 {
      return try context.throughFloats { a, b, output in
        Reference.batchMatrixProduct(
          a, isTransposed: adjointX, b!, isTransposed: adjointY, output: output,
          rows: extents.rows, depth: extents.depth, columns: extents.columns, loop: loop)
      }
    }
    return { (workspace) throws(ModelError) in
      Reference.batchMatrixProduct(
        a.floats(workspace), isTransposed: adjointX, b.floats(workspace), isTransposed: adjointY,
        output: output.floats(workspace), rows: extents.rows, depth: extents.depth,
        columns: extents.columns, loop: loop)
    }
  }

  package func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let a = inputs.optional(0)?.shape, a.rank >= 2, let output = outputs.first
    else { return 0 }
    return output.shape.count * (adjointX ? a[a.rank - 2] : a[a.rank - 1])
  }
}
