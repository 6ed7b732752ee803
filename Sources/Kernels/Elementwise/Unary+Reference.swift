import FaceKitTensor

/// A function of one number, applied to every element.
public enum UnaryFunction: Sendable, Hashable {
  case clamp(ClosedRange<Float>)
  case leakyRelu(slope: Float)
  case elu, gelu, geluTanh, hardSwish, logistic
  case tanh, exp, log, sin, cos, sqrt, rsqrt, square
  case negate, absolute, sign, floor, ceil, round
  /// The rounding to steps of `scale` from `minimum` to `maximum` that quantisation will do.
  case fakeQuantize(minimum: Float, maximum: Float, scale: Float)

  /// Whether zeros stay zeros, so that padding lanes of a blocked layout stay padding.
  public var keepsZero: Bool {
    switch self {
    case .clamp(let bounds): bounds.contains(0)
    case .exp, .log, .cos, .rsqrt, .logistic, .fakeQuantize: false
    default: true
    }
  }

  /// The function's value: the definition, in the precision the kernels use.
  @inline(__always)
  public func callAsFunction(_ x: Float) -> Float {
    switch self {
    case .clamp(let bounds): return Reference.clamp(x, bounds)
    case .leakyRelu(let slope): return x > 0 ? x : x * slope
    case .elu: return x < 0 ? Elementary.expm1(x) : x
    case .gelu:
      // ½ x (1 + erf(x/√2)), written with erfc so that the negative tail keeps its precision.
      let x = Double(x)
      return Float(0.5 * x * Elementary.erfc(x * -0.7071067811865476))
    case .geluTanh:
      // √(2/π) · (x + 0.044715 x³), Hendrycks and Gimpel 2016.
      let x = Double(x)
      let t = Elementary.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))
      return Float(0.5 * x * (1 + t))
    case .hardSwish: return x * Reference.clamp(x + 3, 0...6) / 6
    case .logistic: return Elementary.sigmoid(x)
    case .tanh: return Elementary.tanh(x)
    case .exp: return Elementary.exp(x)
    case .log: return Elementary.log(x)
    case .sin: return Elementary.sin(x)
    case .cos: return Elementary.cos(x)
    case .sqrt: return x.squareRoot()
    case .rsqrt: return 1 / x.squareRoot()
    case .square: return x * x
    case .negate: return -x
    case .absolute: return Swift.abs(x)
    case .sign: return x > 0 ? 1 : (x < 0 ? -1 : x)
    case .floor: return Reference.floor(x)
    case .ceil: return -Reference.floor(-x)
    case .round: return Reference.roundHalfToEven(x)
    case .fakeQuantize(let minimum, let maximum, let scale):
      let shifted = Reference.clamp(x, minimum...maximum) - minimum
      return Reference.roundHalfAway(shifted * (1 / scale)) * scale + minimum
    }
  }
}

extension Reference {
  /// `output[i] = function(input[i])`; input and output may be the same memory.
  public static func unary(
    _ function: UnaryFunction, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    for i in 0..<count { output[i] = function(input[i]) }
  }

  /// The largest integer not above `x`. Large values, infinities and NaN are their own floor.
  @inline(__always)
  public static func floor(_ x: Float) -> Float {
    let nearest = roundHalfToEven(x)
    return nearest > x ? nearest - 1 : nearest
  }

  /// The nearest integer, ties to even.
  @inline(__always)
  public static func roundHalfToEven(_ x: Float) -> Float {
    // From 2²³ on every Float is an integer; below, adding 2²³ leaves no bits for a fraction.
    let magnitude = Swift.abs(x)
    if !(magnitude < 0x1p23) { return x }
    let rounded = (magnitude + 0x1p23) - 0x1p23
    return x.sign == .minus ? -rounded : rounded
  }

  /// The nearest integer, ties away from zero.
  @inline(__always)
  public static func roundHalfAway(_ x: Float) -> Float {
    let magnitude = Swift.abs(x)
    if !(magnitude < 0x1p23) { return x }
    // The addition is exact in double precision, so 0.49999997 is not pulled up to 1.
    let rounded = Float(Int32(Double(magnitude) + 0.5))
    return x.sign == .minus ? -rounded : rounded
  }

  /// Those of the functions that integers have: negate, absolute, sign, square. The most negative
  /// number is its own negative.
  ///
  /// - Returns: `false` if the function or the type is none of those.
  public static func unary(
    _ function: UnaryFunction, integers type: ElementType, input: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, count: Int
  ) -> Bool {
    switch type {
    case .int8: unary(function, input, output, count, of: Int8.self)
    case .int16: unary(function, input, output, count, of: Int16.self)
    case .int32: unary(function, input, output, count, of: Int32.self)
    case .int64: unary(function, input, output, count, of: Int64.self)
    default: false
    }
  }

  private static func unary<Element: FixedWidthInteger & SignedInteger>(
    _ function: UnaryFunction, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    _ count: Int, of _: Element.Type
  ) -> Bool {
    let x = input.assumingMemoryBound(to: Element.self)
    let y = output.assumingMemoryBound(to: Element.self)
    switch function {
    case .negate: for i in 0..<count { y[i] = 0 &- x[i] }
    case .absolute: for i in 0..<count { y[i] = x[i] < 0 ? 0 &- x[i] : x[i] }
    case .sign: for i in 0..<count { y[i] = x[i].signum() }
    case .square: for i in 0..<count { y[i] = x[i] &* x[i] }
    default: return false
    }
    return true
  }

  public static func logicalNot(
    input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    for i in 0..<count { output[i] = input[i] == 0 ? 1 : 0 }
  }

  /// Any function of a byte, by its 256 values.
  public static func lookUp(
    _ table: [UInt8], input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.withUnsafeBufferPointer { table in
      for i in 0..<count { output[i] = table[Int(input[i])] }
    }
  }

  /// Any function of 16 bits, by its 65536 values.
  public static func lookUp(
    _ table: [UInt16], input: UnsafePointer<UInt16>, output: UnsafeMutablePointer<UInt16>,
    count: Int
  ) {
    table.withUnsafeBufferPointer { table in
      for i in 0..<count { output[i] = table[Int(input[i])] }
    }
  }

  /// PRELU: `x ≥ 0 ? x : x · slope`, the slope broadcast to x. Loop operands: x, slope, output.
  public static func prelu(
    input: UnsafePointer<Float>, slope: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    loop: StridedLoop
  ) {
    forEachPair(input, slope, output, loop) { x, slope in x >= 0 ? x : x * slope }
  }
}
