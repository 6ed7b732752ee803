import FaceKitKernels
import FaceKitTensor

/// ADD, SUB, MUL, DIV and the other functions of two broadcasting inputs.
public struct Binary: Operator {
  public let name: String
  public let function: BinaryFunction
  public let activation: Activation

  public init(_ name: String, _ function: BinaryFunction, activation: Activation = .none) {
    self.name = name
    self.function = function
    self.activation = activation
  }

  public var pattern: RewritePattern {
    if function == .add { return .add(activation) }
    return activation == .none ? .binary(function) : .other
  }

  public var attributes: [Attribute] {
    switch function {
    case .add, .subtract, .multiply, .divide: [Attribute("activation", activation.name)]
    default: []
    }
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    switch function {
    case .atan2: try a.check("the first input", type: .float32)
    case .power, .floorDivide, .floorModulo:
      try a.check("the first input", type: .float32, .int32, .int64)
    default:
      try a.check(
        "the first input", type: .float32, .int32, .int64, .int8, .uint8, .int16)
    }
    try b.check("the second input")
    try b.checkSameType(as: a, "the second input")
    if isQuantizedArithmetic(a) {
      _ = try a.perTensorQuantization("the first input")
      _ = try b.perTensorQuantization("the second input")
    }
    return [TensorType(a.type, try a.shape.broadcast(with: b.shape))]
  }

  /// Whether 8- and 16-bit values stand for real numbers: MAXIMUM and MINIMUM need not know.
  private func isQuantizedArithmetic(_ a: Operand) -> Bool {
    switch a.type {
    case .int8, .uint8, .int16: function != .maximum && function != .minimum
    default: false
    }
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(1), context.output)
    let loop = StridedLoop(
      broadcasting: [a.shape, b.shape, output.shape], to: output.shape)
    let (function, type, bounds) = (function, output.type, activation.bounds)
    if type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.binary(
          function, a.floats(workspace), b.floats(workspace), output: output.floats(workspace),
          loop: loop, activation: bounds)
      }
    }
    if isQuantizedArithmetic(a.operand) {
      let arithmetic = try quantizedArithmetic(a.operand, b.operand, output.operand)
      return { (workspace) throws(ModelError) in
        Reference.quantizedBinary(
          arithmetic, type: type, a.pointer(workspace), b.pointer(workspace),
          output: output.pointer(workspace), loop: loop)
      }
    }
    if type != .int32 && type != .int64 {
      try checkSameScale(a.operand, b.operand)
    }
    let integerBounds = activation.integerBounds
    return { (workspace) throws(ModelError) in
      let isDefined = Reference.binary(
        function, integers: type, a.pointer(workspace), b.pointer(workspace),
        output: output.pointer(workspace), loop: loop, activation: integerBounds)
      if !isDefined {
        throw ModelError(.input, "a division by zero", advice: "check the input's values")
      }
    }
  }

  private func checkSameScale(_ a: Operand, _ b: Operand) throws(ModelError) {
    guard a.quantization?.scales == b.quantization?.scales,
      a.quantization?.zeroPoints == b.quantization?.zeroPoints
    else { throw ModelError(.quantization, "\(name) needs inputs of one scale") }
  }

  /// The fixed-point factors of TensorFlow Lite's quantised arithmetic.
  private func quantizedArithmetic(
    _ a: Operand, _ b: Operand, _ output: Operand
  ) throws(ModelError) -> QuantizedArithmetic {
    let x = try a.perTensorQuantization("the first input")
    let y = try b.perTensorQuantization("the second input")
    let z = try output.perTensorQuantization("the output")
    var arithmetic = QuantizedArithmetic(
      function: function, zeros: (x.zeroPoint, y.zeroPoint, z.zeroPoint),
      bounds: try output.quantizedBounds(activation))
    let (sx, sy, sz) = (Double(x.scale), Double(y.scale), Double(z.scale))
    switch function {
    case .add, .subtract, .squaredDifference:
      // Both inputs go to a scale of twice the larger one, with bits to spare below the point.
      let shift = function == .squaredDifference ? 7 : (output.type == .int16 ? 15 : 20)
      let common = 2 * Swift.max(sx, sy)
      arithmetic.leftShift = shift
      arithmetic.first = FixedPointFactor(sx / common)
      arithmetic.second = FixedPointFactor(sy / common)
      let unit = Double(1 << shift)
      arithmetic.output = FixedPointFactor(
        function == .squaredDifference
          ? common * common / (unit * unit * sz) : common / (unit * sz))
    case .multiply:
      // The product is formed in single precision, as there.
      arithmetic.output = FixedPointFactor(Double(x.scale * y.scale / z.scale))
    case .divide:
      arithmetic.quotient = sx / (sy * sz)
    default:
      throw ModelError(.type, "\(name) of quantised values is not defined")
    }
    return arithmetic
  }
}

extension Activation {
  /// The clamp on whole numbers.
  var integerBounds: ClosedRange<Int> {
    switch self {
    case .none: Int.min...Int.max
    case .relu: 0...Int.max
    case .reluN1To1: -1...1
    case .relu6: 0...6
    }
  }
}

/// EQUAL, LESS …: truth values from two broadcasting inputs.
public struct Compare: Operator {
  public let name: String
  public let comparison: Comparison

  public init(_ name: String, _ comparison: Comparison) {
    self.name = name
    self.comparison = comparison
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check(
      "the first input", type: .float32, .int32, .int64, .int8, .uint8, .int16, .bool)
    try b.check("the second input")
    try b.checkSameType(as: a, "the second input")
    return [TensorType(.bool, try a.shape.broadcast(with: b.shape))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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
      _ = Reference.compare(
        comparison, type: type, a.pointer(workspace), b.pointer(workspace),
        output: output.pointer(workspace, as: UInt8.self), loop: loop)
    }
  }
}

/// LOGICAL_AND and LOGICAL_OR.
public struct Logical: Operator {
  public let name: String
  public let function: LogicalFunction

  public init(_ name: String, _ function: LogicalFunction) {
    self.name = name
    self.function = function
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check("the first input", type: .bool)
    try b.check("the second input", type: .bool)
    return [TensorType(.bool, try a.shape.broadcast(with: b.shape))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output, function) = (context.input(0), context.input(1), context.output, function)
    let loop = StridedLoop(
      broadcasting: [a.shape, b.shape, output.shape], to: output.shape)
    return { (workspace) throws(ModelError) in
      Reference.logical(
        function, a.pointer(workspace, as: UInt8.self), b.pointer(workspace, as: UInt8.self),
        output: output.pointer(workspace, as: UInt8.self), loop: loop)
    }
  }
}

/// ADD_N: the sum of any number of inputs of one shape.
public struct AddN: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "ADD_N" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    let first = try inputs[0]
    try first.check("the first input", type: .float32, .int32, .int64)
    for index in 0..<inputs.count {
      let other = try inputs[index]
      guard other.type == first.type, other.shape == first.shape else {
        throw ModelError(.shape, "input \(index) is not like the first")
      }
    }
    return [TensorType(first.type, first.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    var tensors: [TensorBinding] = []
    for index in context.inputs.indices { tensors.append(context.input(index)) }
    let (inputs, output, type) = (tensors, context.output, context.output.type)
    let bytes = output.byteCount
    let loop = StridedLoop(
      broadcasting: [output.shape, output.shape, output.shape], to: output.shape)
    return { (workspace) throws(ModelError) in
      let sum = output.pointer(workspace)
      Reference.copy(from: inputs[0].pointer(workspace), to: sum, bytes: bytes)
      for input in inputs.dropFirst() {
        if type == .float32 {
          Reference.binary(
            .add, output.floats(workspace), input.floats(workspace),
            output: output.floats(workspace), loop: loop,
            activation: Activation.none.bounds)
        } else {
          _ = Reference.binary(
            .add, integers: type, sum, input.pointer(workspace), output: sum, loop: loop,
            activation: Int.min...Int.max)
        }
      }
    }
  }
}

/// PRELU: a slope for negative values, broadcast to the input.
public struct PRelu: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "PRELU" }
  public var pattern: RewritePattern { .prelu }
  public var overwritableInputs: [Int] { [0] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, slope) = (try inputs[0], try inputs[1])
    try input.check("the input", type: .float32, .int8, .uint8)
    try slope.check("the slope")
    try slope.checkSameType(as: input, "the slope")
    if input.type != .float32 {
      _ = try input.perTensorQuantization("the input")
      _ = try slope.perTensorQuantization("the slope")
    }
    guard try input.shape.broadcast(with: slope.shape) == input.shape else {
      throw ModelError(.shape, "the slope \(slope.shape) is larger than the input \(input.shape)")
    }
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, slope, output) = (context.input(0), context.input(1), context.output)
    let loop = StridedLoop(
      broadcasting: [input.shape, slope.shape, output.shape], to: output.shape)
    if input.type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.prelu(
          input: input.floats(workspace), slope: slope.floats(workspace),
          output: output.floats(workspace), loop: loop)
      }
    }
    let x = try input.operand.perTensorQuantization("the input")
    let a = try slope.operand.perTensorQuantization("the slope")
    let y = try output.operand.perTensorQuantization("the output")
    let type = input.type
    let zeros = (x.zeroPoint, a.zeroPoint, y.zeroPoint)
    let identity = FixedPointFactor(Double(x.scale / y.scale))
    let scaled = FixedPointFactor(Double(x.scale * a.scale / y.scale))
    return { (workspace) throws(ModelError) in
      Reference.quantizedPrelu(
        type: type, input: input.pointer(workspace), slope: slope.pointer(workspace),
        output: output.pointer(workspace), loop: loop, zeros: zeros, identity: identity,
        scaled: scaled)
    }
  }
}

extension OperatorRegistry {
  /// A line for a function whose options are a fused activation in slot 0.
  private static func fused(
    _ code: Int, _ name: String, _ function: BinaryFunction, options kind: Int
  ) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name,
      read: { (source) throws(ModelError) in
        Binary(name, function, activation: try source.options(kind).activation(0)).erased
      })
  }

  private static func plain(
    _ code: Int, _ name: String, _ function: BinaryFunction
  ) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name, read: { (_) throws(ModelError) in Binary(name, function).erased })
  }

  private static func comparison(
    _ code: Int, _ name: String, _ comparison: Comparison
  ) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name, read: { (_) throws(ModelError) in Compare(name, comparison).erased })
  }

  private static func logical(
    _ code: Int, _ name: String, _ function: LogicalFunction
  ) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name, read: { (_) throws(ModelError) in Logical(name, function).erased })
  }

  static let binary: [OperatorEntry] = [
    fused(0, "ADD", .add, options: 11), fused(41, "SUB", .subtract, options: 28),
    fused(18, "MUL", .multiply, options: 21), fused(42, "DIV", .divide, options: 29),
    plain(55, "MAXIMUM", .maximum), plain(57, "MINIMUM", .minimum), plain(78, "POW", .power),
    plain(90, "FLOOR_DIV", .floorDivide), plain(95, "FLOOR_MOD", .floorModulo),
    plain(99, "SQUARED_DIFFERENCE", .squaredDifference), plain(156, "ATAN2", .atan2),
    comparison(58, "LESS", .less), comparison(61, "GREATER", .greater),
    comparison(62, "GREATER_EQUAL", .greaterEqual), comparison(63, "LESS_EQUAL", .lessEqual),
    comparison(71, "EQUAL", .equal), comparison(72, "NOT_EQUAL", .notEqual),
    logical(84, "LOGICAL_OR", .or), logical(86, "LOGICAL_AND", .and),
    OperatorEntry(106, "ADD_N", AddN.self), OperatorEntry(54, "PRELU", PRelu.self),
  ]
}
