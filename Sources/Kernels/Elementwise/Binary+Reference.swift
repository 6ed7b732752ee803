import FaceKitTensor

/// An arithmetic function of two numbers.
public enum BinaryFunction: Sendable, Hashable {
  case add, subtract, multiply, divide
  case maximum, minimum
  case power, squaredDifference, floorDivide, floorModulo, atan2
}

/// A comparison, whose result is a truth value: one byte, 0 or 1.
public enum Comparison: Sendable, Hashable {
  case equal, notEqual, less, lessEqual, greater, greaterEqual
}

/// A function of two truth values.
public enum LogicalFunction: Sendable, Hashable {
  case and, or
}

extension Reference {
  /// `output = function(a, b)` over a broadcasting loop whose operands are a, b, output.
  @inline(__always)
  static func forEachPair<A, B, Result>(
    _ a: UnsafePointer<A>, _ b: UnsafePointer<B>, _ output: UnsafeMutablePointer<Result>,
    _ loop: StridedLoop, _ function: (A, B) -> Result
  ) {
    let (count, step) = (loop.rowCount, loop.rowStrides)
    loop.forEachRow { row in
      let (x, y, z) = (a + row[0], b + row[1], output + row[2])
      // Wrapping: `StridedLoop` was made for operands of these extents, and checks cost two thirds more here.
      for i in 0..<count { z[i &* step[2]] = function(x[i &* step[0]], y[i &* step[1]]) }
    }
  }

  /// Element-wise arithmetic on floats, then a clamp. The output may share memory with an operand of
  /// its own shape.
  public static func binary(
    _ function: BinaryFunction, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, loop: StridedLoop, activation: ClosedRange<Float>
  ) {
    switch function {
    case .add: forEachPair(a, b, output, loop) { clamp($0 + $1, activation) }
    case .subtract: forEachPair(a, b, output, loop) { clamp($0 - $1, activation) }
    case .multiply: forEachPair(a, b, output, loop) { clamp($0 * $1, activation) }
    case .divide: forEachPair(a, b, output, loop) { clamp($0 / $1, activation) }
    // With a NaN on either side the second operand is the result, as in TensorFlow Lite.
    case .maximum: forEachPair(a, b, output, loop) { $0 > $1 ? $0 : $1 }
    case .minimum: forEachPair(a, b, output, loop) { $0 < $1 ? $0 : $1 }
    case .power: forEachPair(a, b, output, loop) { Elementary.pow($0, $1) }
    case .squaredDifference: forEachPair(a, b, output, loop) { ($0 - $1) * ($0 - $1) }
    case .floorDivide: forEachPair(a, b, output, loop) { floor($0 / $1) }
    case .floorModulo: forEachPair(a, b, output, loop) { floorModulo($0, $1) }
    case .atan2: forEachPair(a, b, output, loop) { Elementary.atan2($0, $1) }
    }
  }

  /// The remainder with the divisor's sign.
  private static func floorModulo(_ a: Float, _ b: Float) -> Float {
    let remainder = truncatingRemainder(a, b)
    return remainder != 0 && (b < 0) != (remainder < 0) ? remainder + b : remainder
  }

  /// The remainder with the dividend's sign, exact: long division in binary, since `libm`'s `fmod`
  /// is not everywhere.
  private static func truncatingRemainder(_ a: Float, _ b: Float) -> Float {
    if !a.isFinite || b.isNaN || b == 0 { return .nan }
    if b.isInfinite { return a }
    var rest = Swift.abs(Double(a))
    let divisor = Swift.abs(Double(b))
    // Doubles hold divisor · 2^k exactly for any two Floats.
    while rest >= divisor {
      let gap = Int(rest.exponent) - Int(divisor.exponent)
      var multiple = Elementary.scale(divisor, by: gap)
      if multiple > rest { multiple *= 0.5 }
      rest -= multiple
    }
    return a.sign == .minus ? Float(-rest) : Float(rest)
  }

  /// Element-wise arithmetic on signed integers, wrapping as TensorFlow Lite's does, then a clamp.
  ///
  /// - Returns: Whether every element had a value: division by zero has none.
  public static func binary(
    _ function: BinaryFunction, integers type: ElementType, _ a: UnsafeRawPointer,
    _ b: UnsafeRawPointer, output: UnsafeMutableRawPointer, loop: StridedLoop,
    activation: ClosedRange<Int>
  ) -> Bool {
    switch type {
    case .int8: binary(function, a, b, output, loop, activation, of: Int8.self)
    case .uint8: binary(function, a, b, output, loop, activation, of: UInt8.self)
    case .int16: binary(function, a, b, output, loop, activation, of: Int16.self)
    case .int32: binary(function, a, b, output, loop, activation, of: Int32.self)
    case .int64: binary(function, a, b, output, loop, activation, of: Int64.self)
    default: false
    }
  }

  private static func binary<Element: FixedWidthInteger>(
    _ function: BinaryFunction, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    _ output: UnsafeMutableRawPointer, _ loop: StridedLoop, _ activation: ClosedRange<Int>,
    of _: Element.Type
  ) -> Bool {
    let a = a.assumingMemoryBound(to: Element.self)
    let b = b.assumingMemoryBound(to: Element.self)
    let output = output.assumingMemoryBound(to: Element.self)
    let activation =
      Element(clamping: activation.lowerBound)...Element(clamping: activation.upperBound)
    var defined = true
    switch function {
    case .add: forEachPair(a, b, output, loop) { clamp($0 &+ $1, activation) }
    case .subtract: forEachPair(a, b, output, loop) { clamp($0 &- $1, activation) }
    case .multiply: forEachPair(a, b, output, loop) { clamp($0 &* $1, activation) }
    case .maximum: forEachPair(a, b, output, loop) { Swift.max($0, $1) }
    case .minimum: forEachPair(a, b, output, loop) { Swift.min($0, $1) }
    case .squaredDifference: forEachPair(a, b, output, loop) { ($0 &- $1) &* ($0 &- $1) }
    case .power: forEachPair(a, b, output, loop) { integerPower($0, $1) }
    case .divide, .floorDivide, .floorModulo, .atan2:
      forEachPair(a, b, output, loop) { x, y in
        if y == 0 {
          defined = false
          return 0
        }
        // The most negative number divided by −1 wraps to itself.
        let quotient = x.dividedReportingOverflow(by: y).partialValue
        let remainder = x.remainderReportingOverflow(dividingBy: y).partialValue
        let isBetween = remainder != 0 && (remainder < 0) != (y < 0)
        switch function {
        case .floorDivide: return isBetween ? quotient &- 1 : quotient
        case .floorModulo: return isBetween ? remainder &+ y : remainder
        default: return clamp(quotient, activation)
        }
      }
    }
    return defined
  }

  /// Powers by squaring; negative exponents truncate to 0 but for ±1.
  private static func integerPower<Element: FixedWidthInteger>(
    _ base: Element, _ exponent: Element
  ) -> Element {
    if exponent < 0 {
      if base == 1 { return 1 }
      return base == 0 &- 1 ? (exponent & 1 == 0 ? 1 : base) : 0
    }
    var (result, square, rest): (Element, Element, Element) = (1, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = result &* square }
      square = square &* square
      rest >>= 1
    }
    return result
  }

  /// Element-wise comparison of any numbers.
  ///
  /// - Returns: `false` if values of that type have no order here.
  public static func compare(
    _ comparison: Comparison, type: ElementType, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    output: UnsafeMutablePointer<UInt8>, loop: StridedLoop
  ) -> Bool {
    switch type {
    case .float32: compare(comparison, a, b, output, loop, of: Float.self)
    case .int8: compare(comparison, a, b, output, loop, of: Int8.self)
    case .uint8, .bool: compare(comparison, a, b, output, loop, of: UInt8.self)
    case .int16: compare(comparison, a, b, output, loop, of: Int16.self)
    case .int32: compare(comparison, a, b, output, loop, of: Int32.self)
    case .int64: compare(comparison, a, b, output, loop, of: Int64.self)
    default: return false
    }
    return true
  }

  private static func compare<Element: Comparable>(
    _ comparison: Comparison, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer,
    _ output: UnsafeMutablePointer<UInt8>, _ loop: StridedLoop, of _: Element.Type
  ) {
    let a = a.assumingMemoryBound(to: Element.self)
    let b = b.assumingMemoryBound(to: Element.self)
    switch comparison {
    case .equal: forEachPair(a, b, output, loop) { $0 == $1 ? 1 : 0 }
    case .notEqual: forEachPair(a, b, output, loop) { $0 != $1 ? 1 : 0 }
    case .less: forEachPair(a, b, output, loop) { $0 < $1 ? 1 : 0 }
    case .lessEqual: forEachPair(a, b, output, loop) { $0 <= $1 ? 1 : 0 }
    case .greater: forEachPair(a, b, output, loop) { $0 > $1 ? 1 : 0 }
    case .greaterEqual: forEachPair(a, b, output, loop) { $0 >= $1 ? 1 : 0 }
    }
  }

  public static func logical(
    _ function: LogicalFunction, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>,
    output: UnsafeMutablePointer<UInt8>, loop: StridedLoop
  ) {
    switch function {
    case .and: forEachPair(a, b, output, loop) { $0 != 0 && $1 != 0 ? 1 : 0 }
    case .or: forEachPair(a, b, output, loop) { $0 != 0 || $1 != 0 ? 1 : 0 }
    }
  }
}
