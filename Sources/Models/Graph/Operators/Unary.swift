import FaceKitKernels
import FaceKitTensor

/// An element-wise function of one input: RELU, LOGISTIC, SQRT …
///
/// Floats are computed directly; NEG, ABS, SIGN and SQUARE also take integers. A quantised input has at
/// most 2¹⁶ values, so its function becomes a table when the model is loaded.
package struct Unary: Operator {
  package let name: String
  package let function: UnaryFunction

  package init(_ name: String, _ function: UnaryFunction) {
    self.name = name
    self.function = function
  }

  package var pattern: RewritePattern {
    RewritePattern(activation.map { .activation($0) } ?? .unary(function))
  }

  /// The fused activation that does the same, if there is one.
  private var activation: Activation? {
    guard case .clamp(let bounds) = function else { return nil }
    return [Activation.relu, .relu6, .reluN1To1].first { $0.bounds == bounds }
  }

  package var kernels: [KernelCandidate] {
    // Padding lanes of a blocked value are zero, and must be so afterwards.
    let reference = reference(
      layout: function.keepsZero ? .follows(maps: 1) : .rowMajor, overwrites: [0])
    guard let activation else { return [reference] }
    return [.elementwise(.copy, maps: 1, activation), reference]
  }

  package var attributes: [Attribute] {
    if case .leakyRelu(let slope) = function { return [Attribute("alpha", "\(slope)")] }
    return []
  }

  private var takesIntegers: Bool {
    switch function {
    case .negate, .absolute, .sign, .square: true
    default: false
    }
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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
      guard
        Reference.unary(
          function, integers: type, input: input.pointer(workspace),
          output: output.pointer(workspace), count: count)
      else { throw .noKernel(for: type) }
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

extension Unary {
  /// Reads the operator for a function without options.
  static func reader(_ function: UnaryFunction) -> OperatorReader {
    { (source) throws(ModelError) in Unary(source.name, function).erased }
  }

  static let leakyReluReader: OperatorReader = { (source) throws(ModelError) in
    let slope = try source.options().float(0)
    return Unary(source.name, .leakyRelu(slope: slope)).erased
  }

  static let geluReader: OperatorReader = { (source) throws(ModelError) in
    let isApproximate = try source.options().bool(0)
    return Unary(source.name, isApproximate ? .geluTanh : .gelu).erased
  }

  static let fakeQuantizeReader: OperatorReader = { (source) throws(ModelError) in
    let options = try source.options()
    let function = try UnaryFunction.fakeQuantize(
      minimum: try options.float(0), maximum: try options.float(1), bits: try options.int(2),
      isNarrow: try options.bool(3))
    return Unary(source.name, function).erased
  }
}
