import FaceKitKernels
import FaceKitTensor

/// DEQUANTIZE: halves widened, integers to the real numbers they stand for.
public struct Dequantize: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "DEQUANTIZE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float16, .int8, .uint8, .int16, .int4, .int32)
    if input.type != .float16 {
      _ = try Scaling(try input.checkedQuantization("the input"), shape: input.shape)
    }
    return [TensorType(.float32, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    let type = input.type
    if type == .float16 {
      return { (workspace) throws(ModelError) in
        Reference.widenHalf(
          input: input.pointer(workspace, as: UInt16.self), output: output.floats(workspace),
          count: count)
      }
    }
    let scaling = try Scaling(
      try input.operand.checkedQuantization("the input"), shape: input.shape)
    return { (workspace) throws(ModelError) in
      Reference.dequantize(
        input.pointer(workspace), type: type, output: output.floats(workspace), count: count,
        scaling: scaling)
    }
  }
}

/// QUANTIZE: floats to the nearest integers of a scale, or integers from one scale to another. To what,
/// the output's own type and scale say.
public struct Quantize: Operator, ReadableOperator {
  public var type: ElementType

  public init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  public var name: String { "QUANTIZE" }
  public var attributes: [Attribute] { [Attribute("type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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

extension OperatorRegistry {
  static let quantization: [OperatorEntry] = [
    OperatorEntry(6, "DEQUANTIZE", Dequantize.self), OperatorEntry(114, "QUANTIZE", Quantize.self),
  ]
}
