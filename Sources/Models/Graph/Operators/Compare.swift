import FaceKitKernels
import FaceKitTensor

/// EQUAL, LESS …: truth values from two broadcasting inputs.
package struct Compare: Operator {
  package let name: String
  package let comparison: Comparison

  package init(_ name: String, _ comparison: Comparison) {
    self.name = name
    self.comparison = comparison
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check(
      "the first input", type: .float32, .int32, .int64, .int8, .uint8, .int16, .bool)
    try b.check("the second input")
    try b.checkSameType(as: a, "the second input")
    return [TensorType(.bool, try a.shape.broadcast(with: b.shape))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(1), context.output)
    let loop = StridedLoop(
      broadcasting: [a.shape, b.shape, output.shape], to: output.shape)
    let (comparison, type) = (comparison, a.type)
    if a.operand.isQuantized && b.operand.isQuantized {
      // Both sides come to one scale first.
      let x = try a.operand.perTensorQuantization("the first input")
      let y = try b.operand.perTensorQuantization("the second input")
      let (fx, fy) = (FixedPointFactor(Double(x.scale)), FixedPointFactor(Double(y.scale)))
      return { (workspace) throws(ModelError) in
        Reference.compareQuantized(
          comparison, type: type, a.pointer(workspace), (x.zeroPoint, fx), b.pointer(workspace),
          (y.zeroPoint, fy), output: output.pointer(workspace, as: UInt8.self), loop: loop)
      }
    }
    return { (workspace) throws(ModelError) in
      guard
        Reference.compare(
          comparison, type: type, a.pointer(workspace), b.pointer(workspace),
          output: output.pointer(workspace, as: UInt8.self), loop: loop)
      else { throw .noKernel(for: type) }
    }
  }
}

extension Compare {
  static func reader(_ comparison: Comparison) -> OperatorReader {
    { (source) throws(ModelError) in Compare(source.name, comparison).erased }
  }
}
