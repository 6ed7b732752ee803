import FaceKitKernels
import FaceKitTensor

/// ADD, SUB, MUL, DIV and the other functions of two broadcasting inputs.
package struct Binary: Operator {
  package let name: String
  package let function: BinaryFunction
  package let activation: Activation

  package init(_ name: String, _ function: BinaryFunction, activation: Activation = .none) {
    self.name = name
    self.function = function
    self.activation = activation
  }

  package var pattern: RewritePattern {
    if function == .add { return RewritePattern(.add(activation)) }
    return activation == .none ? RewritePattern(.binary(function)) : .other
  }

  package var kernels: [KernelCandidate] {
    guard function == .add else { return [reference()] }
    return [
      .elementwise(.add, maps: 2, activation) { request in
        request.inputs.optional(0)?.shape == request.inputs.optional(1)?.shape
          ? nil : "the inputs broadcast"
      },
      reference(),
    ]
  }

  package var attributes: [Attribute] {
    switch function {
    case .add, .subtract, .multiply, .divide: [Attribute("activation", activation.name)]
    default: []
    }
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(activation == .prelu ? 3...3 : 2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    if activation == .prelu { try checkSlopes(inputs) }
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

  /// PReLU slopes, which only passes add: one for each channel of a float map.
  private func checkSlopes(_ inputs: Operands) throws(ModelError) {
    let (a, slopes) = (try inputs[0], try inputs[2])
    try a.check("the first input", type: .float32, rank: 4...4)
    try slopes.check("the slopes", type: .float32)
    guard slopes.shape.count == a.shape[3], slopes.shape.last == a.shape[3],
      try inputs[1].shape == a.shape
    else {
      throw ModelError(.shape, "slopes \(slopes.shape) for \(a.shape)")
    }
  }

  /// Whether 8- and 16-bit values stand for real numbers: MAXIMUM and MINIMUM need not know.
  private func isQuantizedArithmetic(_ a: Operand) -> Bool {
    switch a.type {
    case .int8, .uint8, .int16: function != .maximum && function != .minimum
    default: false
    }
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(1), context.output)
    let loop = StridedLoop(
      broadcasting: [a.shape, b.shape, output.shape], to: output.shape)
    let (function, type, bounds) = (function, output.type, activation.bounds)
    if type == .float32 {
      let slopes = activation == .prelu ? context.input(2) : nil
      return { (workspace) throws(ModelError) in
        let sums = output.floats(workspace)
        Reference.binary(
          function, a.floats(workspace), b.floats(workspace), output: sums, loop: loop,
          activation: bounds)
        if let slopes {
          Reference.addAndActivate(
            sums, pixels: output.count / max(1, slopes.count), channels: slopes.count,
            residual: nil, residualChannels: 0, slopes: slopes.floats(workspace), bounds: bounds)
        }
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
    case .none, .prelu: Int.min...Int.max
    case .relu: 0...Int.max
    case .reluN1To1: -1...1
    case .relu6: 0...6
    }
  }
}

extension Binary {
  /// Reads the operator for `function`; the four arithmetic ones have a fused activation in field 0.
  static func reader(_ function: BinaryFunction) -> OperatorReader {
    { (source) throws(ModelError) in
      switch function {
      case .add, .subtract, .multiply, .divide:
        let activation = try source.options().activation(0)
        return Binary(source.name, function, activation: activation).erased
      default: return Binary(source.name, function).erased
      }
    }
  }
}
