import FaceKitKernels
import FaceKitTensor

/// An element-wise function of one input: RELU, LOGISTIC, SQRT …
///
/// Floats are computed directly; NEG, ABS, SIGN and SQUARE also take integers. A quantised input has at
/// most 2¹⁶ values, so its function becomes a table when the model is loaded.
public struct Unary: Operator {
  public let name: String
  public let function: UnaryFunction

  public init(_ name: String, _ function: UnaryFunction) {
    self.name = name
    self.function = function
  }

  public var pattern: RewritePattern {
    guard case .clamp(let bounds) = function else { return .unary(function) }
    for activation in [Activation.relu, .relu6, .reluN1To1] where activation.bounds == bounds {
      return .activation(activation)
    }
    return .unary(function)
  }

  /// Padding lanes of a blocked value are zero, and must be so afterwards.
  public func layoutPolicy(_ inputs: Operands) -> LayoutPolicy {
    function.keepsZero && inputs.optional(0)?.type == .float32 ? .follows : .rowMajor
  }

  public var overwritableInputs: [Int] { [0] }

  public var attributes: [Attribute] {
    if case .leakyRelu(let slope) = function { return [Attribute("alpha", "\(slope)")] }
    return []
  }

  private var takesIntegers: Bool {
    switch function {
    case .negate, .absolute, .sign, .square: true
    default: false
    }
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    if input.isQuantized {
      try input.check("the input", type: .int8, .uint8, .int16)
      _ = try input.perTensorQuantization("the input")
    } else if takesIntegers {
      try input.check("the input", type: .float32, .int32, .int64, .int16, .int8)
    } else {
      try input.check("the input", type: .float32)
    }
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, function) = (context.input(0), context.output, function)
    let (count, type) = (output.storedCount, output.type)
    if type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.unary(
          function, input: input.floats(workspace), output: output.floats(workspace),
          count: count)
      }
    }
    if input.operand.isQuantized {
      return try ValueTable(from: input.operand, to: output.operand, function).kernel(
        input, output, count: count)
    }
    return { (workspace) throws(ModelError) in
      _ = Reference.unary(
        function, integers: type, input: input.pointer(workspace),
        output: output.pointer(workspace), count: count)
    }
  }
}

/// A function of a quantised value, written out for all the values there are.
struct ValueTable {
  /// Indexed by the bits of the input; of 256 or 65536 entries.
  private var bytes: [UInt8] = []
  private var words: [UInt16] = []

  /// - `function`: From a quantised input to an output, which is saturated to its type.
  init(type: ElementType, _ function: (Int) -> Int) {
    switch type {
    case .int8:
      bytes = (0...255).map {
        UInt8(bitPattern: Int8(clamping: function(Int(Int8(truncatingIfNeeded: $0)))))
      }
    case .uint8:
      bytes = (0...255).map { UInt8(clamping: function($0)) }
    default:
      words = (0...65535).map {
        UInt16(bitPattern: Int16(clamping: function(Int(Int16(truncatingIfNeeded: $0)))))
      }
    }
  }

  /// The table of a real function between two scales.
  init(
    from input: Operand, to output: Operand, _ function: UnaryFunction
  ) throws(ModelError) {
    let x = try input.perTensorQuantization("the input")
    let y = try output.perTensorQuantization("the output")
    guard input.type == output.type else {
      throw ModelError(.type, "the output is \(output.type.name), the input \(input.type.name)")
    }
    switch function {
    case .clamp(let bounds):
      // The clamps stay in integers, as TensorFlow Lite's do: rescale, then compare. The quotient is
      // formed in single precision, as there: 0.05 / 0.02 is 2.5, and its ties are ties.
      let factor = FixedPointFactor(Double(x.scale / y.scale))
      let low = quantizedBound(bounds.lowerBound, y, output.type)
      let high = quantizedBound(bounds.upperBound, y, output.type)
      self.init(type: input.type) {
        let value = Int(factor.multiply(Int32($0 - x.zeroPoint))) + y.zeroPoint
        return Swift.min(Swift.max(value, low), high)
      }
    case .leakyRelu(let slope):
      let identity = FixedPointFactor(Double(x.scale / y.scale))
      let scaled = FixedPointFactor(Double(x.scale * Swift.abs(slope) / y.scale))
      let sign: Int32 = slope < 0 ? -1 : 1
      self.init(type: input.type) {
        let centred = Int32($0 - x.zeroPoint)
        let value = centred >= 0 ? identity.multiply(centred) : sign * scaled.multiply(centred)
        return Int(value) + y.zeroPoint
      }
    default:
      let inverse = 1 / y.scale
      self.init(type: input.type) {
        let value = function(x.scale * Float($0 - x.zeroPoint)) * inverse
        // NaN, as of the root of a negative number, has no integer: it becomes real 0.
        let steps = Reference.roundHalfAway(value)
        return (steps.isNaN ? 0 : Int(Swift.min(Swift.max(steps, -1e6), 1e6))) + y.zeroPoint
      }
    }
  }

  /// Looks every element up. The tensors have the type of the table.
  func kernel(_ input: TensorBinding, _ output: TensorBinding, count: Int) -> NodeKernel {
    let (bytes, words) = (bytes, words)
    if words.isEmpty {
      return { (workspace) throws(ModelError) in
        Reference.lookUp(
          bytes, input: input.pointer(workspace, as: UInt8.self),
          output: output.pointer(workspace, as: UInt8.self), count: count)
      }
    }
    return { (workspace) throws(ModelError) in
      Reference.lookUp(
        words, input: input.pointer(workspace, as: UInt16.self),
        output: output.pointer(workspace, as: UInt16.self), count: count)
    }
  }

  /// The table of bytes, for operators that look up part of a tensor.
  var byteTable: [UInt8] { bytes }
}

extension TensorBinding {
  /// Elements in memory: a blocked value's padding lanes count.
  var storedCount: Int {
    guard layout == .blocked, shape.rank == 4 else { return count }
    return shape[0] * shape[1] * shape[2] * ((shape[3] + 15) / 16 * 16)
  }
}

/// LOGICAL_NOT: truth values, one byte each.
public struct LogicalNot: Operator {
  public init() {}

  public var name: String { "LOGICAL_NOT" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .bool)
    return [TensorType(.bool, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    return { (workspace) throws(ModelError) in
      Reference.logicalNot(
        input: input.pointer(workspace, as: UInt8.self),
        output: output.pointer(workspace, as: UInt8.self), count: count)
    }
  }
}

extension UnaryFunction {
  /// FAKE_QUANT: the range is nudged so that 0 is one of its steps, as TensorFlow does.
  static func fakeQuantize(
    minimum: Float, maximum: Float, bits: Int, isNarrow: Bool
  ) throws(ModelError) -> UnaryFunction {
    guard bits >= 2, bits <= 16, minimum < maximum, minimum.isFinite, maximum.isFinite,
      minimum <= 0, maximum >= 0
    else { throw ModelError(.option, "FAKE_QUANT of \(minimum)...\(maximum) in \(bits) bits") }
    let (low, high): (Float, Float) = (isNarrow ? 1 : 0, Float((1 << bits) - 1))
    let scale = (maximum - minimum) / (high - low)
    let zero = Swift.min(Swift.max(Reference.roundHalfAway(low - minimum / scale), low), high)
    return .fakeQuantize(
      minimum: (low - zero) * scale, maximum: (high - zero) * scale, scale: scale)
  }
}

extension OperatorRegistry {
  /// A line for a function without options.
  private static func line(
    _ code: Int, _ name: String, _ function: UnaryFunction
  ) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name, read: { (_) throws(ModelError) in Unary(name, function).erased })
  }

  static let unary: [OperatorEntry] = [
    line(8, "FLOOR", .floor), line(14, "LOGISTIC", .logistic),
    line(19, "RELU", .clamp(0...Float.infinity)), line(20, "RELU_N1_TO_1", .clamp(-1...1)),
    line(21, "RELU6", .clamp(0...6)), line(28, "TANH", .tanh), line(47, "EXP", .exp),
    line(59, "NEG", .negate), line(66, "SIN", .sin), line(73, "LOG", .log),
    line(75, "SQRT", .sqrt), line(76, "RSQRT", .rsqrt), line(92, "SQUARE", .square),
    line(101, "ABS", .absolute), line(104, "CEIL", .ceil), line(108, "COS", .cos),
    line(111, "ELU", .elu), line(116, "ROUND", .round), line(117, "HARD_SWISH", .hardSwish),
    line(152, "RELU_0_TO_1", .clamp(0...1)), line(158, "SIGN", .sign),
    OperatorEntry(
      code: 98, name: "LEAKY_RELU",
      read: { (source) throws(ModelError) in
        let slope = try source.options(75).float(0)
        return Unary("LEAKY_RELU", .leakyRelu(slope: slope)).erased
      }),
    OperatorEntry(
      code: 150, name: "GELU",
      read: { (source) throws(ModelError) in
        let isApproximate = try source.options(116).bool(0)
        return Unary("GELU", isApproximate ? .geluTanh : .gelu).erased
      }),
    OperatorEntry(
      code: 80, name: "FAKE_QUANT",
      read: { (source) throws(ModelError) in
        let options = try source.options(58)
        let function = try UnaryFunction.fakeQuantize(
          minimum: try options.float(0), maximum: try options.float(1), bits: try options.int(2),
          isNarrow: try options.bool(3))
        return Unary("FAKE_QUANT", function).erased
      }),
    OperatorEntry(
      code: 87, name: "LOGICAL_NOT", read: { (_) throws(ModelError) in LogicalNot().erased }),
  ]
}
