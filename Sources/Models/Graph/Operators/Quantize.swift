import FaceKitKernels
import FaceKitTensor

/// QUANTIZE: floats to the nearest integers of a scale, or integers from one scale to another. To what,
/// the output's own type and scale say.
package struct Quantize: Operator, ReadableOperator {
  package var type: ElementType

  package init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  package var name: String { "QUANTIZE" }
  package var attributes: [Attribute] { [Attribute("type", type.name)] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float32, .int8, .uint8, .int16, .int32)
    if input.type != .float32 { _ = try input.perTensorQuantization("the input") }
    switch type {
    case .int8, .uint8, .int16: break
    case .int32 where input.type != .float32: break
    default: throw ModelError(.type, "QUANTIZE to \(type.name)")
    }
    return [TensorType(type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count, type) = (
      context.input(0), context.output, context.output.count, type
    )
    if input.type == .float32 {
      let scaling = try Scaling(
        try output.operand.checkedQuantization("the output"), shape: output.shape)
      return { (workspace) throws(ModelError) in
        Reference.quantize(
          input: input.floats(workspace), output: output.pointer(workspace), type: type,
          count: count, scaling: scaling)
      }
    }
    let x = try input.operand.perTensorQuantization("the input")
    let y = try output.operand.perTensorQuantization("the output")
    let factor = FixedPointFactor(Double(x.scale) / Double(y.scale))
    let (inputType, bounds) = (input.type, type.quantizedRange)
    return { (workspace) throws(ModelError) in
      Reference.requantize(
        input.pointer(workspace), type: inputType, output: output.pointer(workspace), type: type,
        count: count, factor: factor, inputZero: x.zeroPoint, outputZero: y.zeroPoint,
        bounds: bounds)
    }
  }
}
