import FaceKitKernels
import FaceKitTensor

/// CONCATENATION along one axis.
package struct Concatenation: Operator, ReadableOperator {
  /// May be negative: counts from the end.
  package var axis: Int

  package init(axis: Int) { self.axis = axis }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    axis = try options.int(0)
    guard try options.activation(1) == .none else {
      throw ModelError(.option, "CONCATENATION with a fused activation")
    }
  }

  package var name: String { "CONCATENATION" }
  package var attributes: [Attribute] { [Attribute("axis", "\(axis)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    let first = try inputs[0]
    try first.checkAddressable("the first input")
    let axis = try first.shape.axis(axis)
    var total = 0
    for index in 0..<inputs.count {
      let input = try inputs[index]
      try input.checkAddressable("an input")
      try input.checkSameType(as: first, "an input")
      guard input.shape.rank == first.shape.rank else {
        throw ModelError(.shape, "\(input.shape) beside \(first.shape)")
      }
      for other in 0..<first.shape.rank where other != axis {
        guard input.shape[other] == first.shape[other] else {
          throw ModelError(.shape, "\(input.shape) beside \(first.shape), along axis \(axis)")
        }
      }
      total = try total.plus(input.shape[axis])
    }
    var shape = first.shape
    shape[axis] = total
    return [TensorType(first.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let output = context.output
    let axis = try output.shape.axis(axis)
    let width = output.type.byteWidth
    let rows = output.shape.outer(before: axis)
    let inner = output.shape.inner(after: axis)
    let rowBytes = output.shape[axis] * inner * width
    var parts: [Part] = []
    var offset = 0
    for index in context.inputs.indices {
      let input = context.input(index)
      let bytes = input.shape[axis] * inner * width
      parts.append(
        Part(
          input: input, rowBytes: bytes, offset: offset,
          table: try Concatenation.rescaling(input.operand, output.operand)))
      offset += bytes
    }
    let fixed = parts
    return { (workspace) throws(ModelError) in
      let target = output.pointer(workspace)
      for part in fixed {
        Reference.copyRows(
          from: part.input.pointer(workspace), to: target + part.offset, rows: rows,
          rowBytes: part.rowBytes, targetRowBytes: rowBytes, table: part.table)
      }
    }
  }

  private struct Part {
    let input: TensorBinding
    let rowBytes, offset: Int
    /// What bytes become where the input's scale is not the output's; empty if they stay.
    let table: [UInt8]
  }

  /// Inputs of another scale than the output's are rescaled, in TensorFlow Lite's float formula.
  private static func rescaling(
    _ input: Operand, _ output: Operand
  ) throws(ModelError) -> [UInt8] {
    guard input.isQuantized, output.isQuantized, input.type.byteWidth == 1,
      input.quantization?.scales != output.quantization?.scales
        || input.quantization?.zeroPoints != output.quantization?.zeroPoints
    else { return [] }
    let x = try input.perTensorQuantization("an input")
    let y = try output.perTensorQuantization("the output")
    let factor = x.scale * (1 / y.scale)
    let bias = -Float(x.zeroPoint) * factor
    guard factor.isFinite, bias.isFinite else {
      throw ModelError(.quantization, "no finite factor leads from scale \(x.scale) to \(y.scale)")
    }
    return ValueTable(type: input.type) {
      let steps = Reference.roundHalfAway(Float($0) * factor + bias)
      return Int(Swift.min(Swift.max(steps, -1e6), 1e6)) + y.zeroPoint
    }.byteTable
  }
}
