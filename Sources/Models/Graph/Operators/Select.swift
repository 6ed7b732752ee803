import FaceKitKernels
import FaceKitTensor

/// SELECT and SELECT_V2: elements of one tensor or another, by a truth value.
package struct Select: Operator {
  /// Whether all inputs broadcast (SELECT_V2); else a rank-1 condition chooses along axis 0.
  package var broadcasts: Bool

  package init(broadcasts: Bool) { self.broadcasts = broadcasts }

  package var name: String { broadcasts ? "SELECT_V2" : "SELECT" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (condition, a, b) = (try inputs[0], try inputs[1], try inputs[2])
    try condition.check("the condition", type: .bool)
    try a.checkAddressable("the second input")
    try b.checkAddressable("the third input")
    guard a.type == b.type else {
      throw ModelError(.type, "a choice between \(a.type.name) and \(b.type.name)")
    }
    let values = try a.shape.broadcast(with: b.shape)
    let shape = try self.condition(condition.shape, for: values).broadcast(with: values)
    if !broadcasts && (a.shape != b.shape || shape != values) {
      throw ModelError(.shape, "a choice by \(condition.shape) of \(a.shape) and \(b.shape)")
    }
    return [TensorType(a.type, shape)]
  }

  /// SELECT lets a rank-1 condition choose whole slices of axis 0.
  private func condition(_ condition: Shape, for values: Shape) -> Shape {
    guard !broadcasts, condition.rank == 1, values.rank > 1 else { return condition }
    return Shape(condition.extents + [Int](repeating: 1, count: values.rank - 1))
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (condition, a, b, output) = (
      context.input(0), context.input(1), context.input(2), context.output
    )
    let chooser = self.condition(condition.shape, for: output.shape)
    let loop = StridedLoop(
      broadcasting: [chooser, a.shape, b.shape, output.shape], to: output.shape)
    let width = output.type.byteWidth
    return { (workspace) throws(ModelError) in
      Reference.select(
        condition.pointer(workspace, as: UInt8.self), a.pointer(workspace), b.pointer(workspace),
        output: output.pointer(workspace), width: width, loop: loop)
    }
  }
}

extension Select {
  static func reader(broadcasts: Bool) -> OperatorReader {
    { (_) throws(ModelError) in Select(broadcasts: broadcasts).erased }
  }
}
