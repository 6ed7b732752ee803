import FaceKitTensor

/// TensorFlow Lite's arithmetic of two quantised values, by its fixed-point formulas.
public struct QuantizedArithmetic: Sendable {
  public var function: BinaryFunction
  /// Zero points of the two inputs and the output.
  public var zeros: (first: Int, second: Int, output: Int)
  public var bounds: ClosedRange<Int>
  /// Bits below the binary point that the inputs are given before they are rescaled.
  public var leftShift = 0
  public var first = FixedPointFactor.zero
  public var second = FixedPointFactor.zero
  public var output = FixedPointFactor.zero
  /// For divisions: the real factor of the quotient.
  public var quotient = 0.0

  public init(
    function: BinaryFunction, zeros: (first: Int, second: Int, output: Int),
    bounds: ClosedRange<Int>
  ) {
    self.function = function
    self.zeros = zeros
    self.bounds = bounds
  }

  /// The output of two quantised inputs.
  @inline(__always)
  public func callAsFunction(_ a: Int, _ b: Int) -> Int {
    let x = Int32(truncatingIfNeeded: a - zeros.first)
    let y = Int32(truncatingIfNeeded: b - zeros.second)
    let value: Int
    switch function {
    case .add: value = Int(output.multiply(rescaled(x, first) &+ rescaled(y, second)))
    case .subtract: value = Int(output.multiply(rescaled(x, first) &- rescaled(y, second)))
    case .squaredDifference:
      let difference = rescaled(x, first) &- rescaled(y, second)
      value = Int(output.multiply(difference &* difference))
    case .multiply: value = Int(output.multiply(x &* y))
    default:
      // A division by zero saturates with the sign of the dividend.
      let real = y == 0 ? Double(x) * 1e9 : Double(x) / Double(y) * quotient
      value = Int(Reference.roundHalfAway(Float(Swift.min(Swift.max(real, -1e6), 1e6))))
    }
    return Reference.clamp(value + zeros.output, bounds)
  }

  @inline(__always)
  private func rescaled(_ x: Int32, _ factor: FixedPointFactor) -> Int32 {
    factor.multiply(x &<< Int32(leftShift))
  }
}

extension Reference {
  /// Element-wise arithmetic on quantised values. Loop operands: a, b, output.
  public static func quantizedBinary(
    _ arithmetic: QuantizedArithmetic, type: ElementType, _ a: UnsafeRawPointer,
    _ b: UnsafeRawPointer, output: UnsafeMutableRawPointer, loop: StridedLoop
  ) {
    switch type {
    case .int8: apply(a, b, output, loop, of: Int8.self, to: Int8.self) { arithmetic($0, $1) }
    case .uint8: apply(a, b, output, loop, of: UInt8.self, to: UInt8.self) { arithmetic($0, $1) }
    default: apply(a, b, output, loop, of: Int16.self, to: Int16.self) { arithmetic($0, $1) }
    }
  }

  /// Comparison of quantised values of different scales: both are brought to
  /// `round((x − zero) · 2⁸ · scale)`.
  public static func compareQuantized(
    _ comparison: Comparison, type: ElementType, _ a: UnsafeRawPointer,
    _ first: (zero: Int, factor: FixedPointFactor), _ b: UnsafeRawPointer,
    _ second: (zero: Int, factor: FixedPointFactor), output: UnsafeMutablePointer<UInt8>,
    loop: StridedLoop
  ) {
    func test(_ a: Int, _ b: Int) -> Int {
      let x = first.factor.multiply(Int32(truncatingIfNeeded: (a - first.zero) << 8))
      let y = second.factor.multiply(Int32(truncatingIfNeeded: (b - second.zero) << 8))
      let isTrue =
        switch comparison {
        case .equal: x == y
        case .notEqual: x != y
        case .less: x < y
        case .lessEqual: x <= y
        case .greater: x > y
        case .greaterEqual: x >= y
        }
      return isTrue ? 1 : 0
    }
    let output = UnsafeMutableRawPointer(output)
    switch type {
    case .int8: apply(a, b, output, loop, of: Int8.self, to: UInt8.self, test)
    case .uint8: apply(a, b, output, loop, of: UInt8.self, to: UInt8.self, test)
    default: apply(a, b, output, loop, of: Int16.self, to: UInt8.self, test)
    }
  }

  /// PRELU on quantised values: `x ≥ zx ? (x − zx)·sx/sy : (x − zx)(α − zα)·sx·sα/sy`, plus zy.
  public static func quantizedPrelu(
    type: ElementType, input: UnsafeRawPointer, slope: UnsafeRawPointer,
    output: UnsafeMutableRawPointer, loop: StridedLoop,
    zeros: (input: Int, slope: Int, output: Int), identity: FixedPointFactor,
    scaled: FixedPointFactor
  ) {
    func prelu(_ q: Int, _ alpha: Int) -> Int {
      let x = Int32(q - zeros.input)
      let y = x >= 0 ? identity.multiply(x) : scaled.multiply(x &* Int32(alpha - zeros.slope))
      return Int(y) + zeros.output
    }
    if type == .int8 {
      apply(input, slope, output, loop, of: Int8.self, to: Int8.self, prelu)
    } else {
      apply(input, slope, output, loop, of: UInt8.self, to: UInt8.self, prelu)
    }
  }

  /// A function of two integers over a broadcasting loop, its result saturated.
  @inline(__always)
  private static func apply<Element: FixedWidthInteger, Result: FixedWidthInteger>(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ output: UnsafeMutableRawPointer,
    _ loop: StridedLoop, of _: Element.Type, to _: Result.Type, _ function: (Int, Int) -> Int
  ) {
    forEachPair(
      a.assumingMemoryBound(to: Element.self), b.assumingMemoryBound(to: Element.self),
      output.assumingMemoryBound(to: Result.self), loop
    ) { Result(clamping: function(Int($0), Int($1))) }
  }
}
