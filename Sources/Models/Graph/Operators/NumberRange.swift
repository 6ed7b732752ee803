import FaceKitKernels
import FaceKitTensor

/// RANGE: start, start + delta … below limit. How many there are follows from the three scalars.
package struct NumberRange: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "RANGE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let start = try inputs[0]
    try start.check("the start", type: .float32, .int32, .int64)
    for index in 0..<3 {
      let operand = try inputs[index]
      try operand.checkSameType(as: start, "a limit of the range")
      guard operand.shape.checkedCount == 1 else {
        throw ModelError(.shape, "input \(index) of RANGE is not a scalar")
      }
    }
    let count = start.type == .float32 ? try floatCount(inputs) : try integerCount(inputs)
    return [TensorType(start.type, [count])]
  }

  private func integerCount(_ inputs: Operands) throws(ModelError) -> Int {
    let start = try inputs.integers(0)[0]
    let (limit, delta) = (try inputs.integers(1)[0], try inputs.integers(2)[0])
    guard delta != 0 else { throw ModelError(.option, "a range with a step of 0") }
    let (distance, overflow) = limit.subtractingReportingOverflow(start)
    guard !overflow else { throw ModelError(.shape, "the range is too long") }
    if distance == 0 || (distance > 0) != (delta > 0) { return 0 }
    let length = (distance.magnitude - 1) / delta.magnitude + 1
    guard let count = Int(exactly: length) else {
      throw ModelError(.shape, "the range is too long")
    }
    return count
  }

  private func floatCount(_ inputs: Operands) throws(ModelError) -> Int {
    let values = try scalars(inputs)
    guard values[2] != 0 else { throw ModelError(.option, "a range with a step of 0") }
    let length = (Double(values[1]) - Double(values[0])) / Double(values[2])
    guard length < 0x1p31 else { throw ModelError(.shape, "the range is too long") }
    guard length > 0 else { return 0 }
    let whole = Int(length)
    return Double(whole) < length ? whole + 1 : whole
  }

  private func scalars(_ inputs: Operands) throws(ModelError) -> [Float] {
    var values: [Float] = []
    for index in 0..<3 {
      guard let constant = try inputs[index].constant else {
        throw .dataDependent(input: index)
      }
      values.append(constant.base.loadUnaligned(as: Float.self))
    }
    return values
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (start, delta, output) = (context.input(0), context.input(2), context.output)
    let (type, count) = (output.type, output.count)
    return { (workspace) throws(ModelError) in
      Reference.range(
        type: type, start: start.pointer(workspace), delta: delta.pointer(workspace),
        output: output.pointer(workspace), count: count)
    }
  }
}
