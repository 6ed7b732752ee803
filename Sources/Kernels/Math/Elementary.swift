/// The elementary functions in Swift alone: bare-metal and WebAssembly builds have no `libm`, and the
/// same sources give the same bits on every platform.
///
/// Every function is computed in `Double` from a series whose coefficients are rational numbers
/// written out (1/n!, 1/(2n + 1)), after an argument reduction by exact or error-compensated steps.
/// Constants with a high and a low part were produced by integer arithmetic to 1500 bits (Machin's
/// formula for π, Størmer's for ln 2).
///
/// The `Float` versions compute in `Double` and round once, so they are correctly rounded except for
/// results that lie within 2⁻²⁷ ULP of a tie: error ≤ 0.5000001 ULP. The bounds stated at the
/// functions are for `Double`, held by `ElementaryTests`.
public enum Elementary {
  /// ln 2 = `ln2High` + `ln2Low`; the high part has 32 significant bits, so k · ln2High is exact for
  /// every exponent k of a `Double`.
  static let ln2High = 0x1.62e42fee00000p-1
  static let ln2Low = 0x1.a39ef35793c76p-33
  static let log2e = 0x1.71547652b82fep+0

  /// Adding and subtracting 1.5 · 2⁵² rounds to the nearest integer, ties to even, for |x| < 2⁵¹:
  /// `rounded()` calls `libm` where the instruction set has no rounding instruction.
  @inline(__always)
  static func nearestInteger(_ x: Double) -> Double {
    let magic = 0x1.8p52
    return (x + magic) - magic
  }

  /// x · 2^k, with one rounding where the result is subnormal.
  @inline(__always)
  static func scale(_ x: Double, by k: Int) -> Double {
    // Two steps, because 2^k alone may lie outside the exponent range while x · 2^k does not. The
    // first factor is at least 2^-511, so only the last product can round.
    let half = k >> 1
    return x * power2(half) * power2(k - half)
  }

  /// 2^k for −1022 ≤ k ≤ 1023.
  @inline(__always)
  static func power2(_ k: Int) -> Double {
    Double(bitPattern: UInt64(truncatingIfNeeded: 1023 &+ k) << 52)
  }

  /// The square root, correctly rounded: an instruction wherever Swift runs.
  @inline(__always)
  public static func sqrt(_ x: Double) -> Double { x.squareRoot() }
  @inline(__always)
  public static func sqrt(_ x: Float) -> Float { x.squareRoot() }
}

// MARK: Exponential

extension Elementary {
  /// eˣ; error ≤ 1 ULP, and ≤ 1.5 ULP where the result is subnormal.
  public static func exp(_ x: Double) -> Double {
    if x > 709.79 { return .infinity }
    if x < -745.14 { return 0 }
    if x.isNaN { return x }
    // x = k · ln 2 + r with |r| ≤ ½ ln 2; the Taylor series of eʳ to degree 13 is cut off at
    // |r|¹⁴ / 14! < 5 · 10⁻¹⁸.
    let k = nearestInteger(x * log2e)
    let high = x - k * ln2High
    let low = k * ln2Low
    let r = high - low
    // What rounding `r` lost, so that the linear term carries it.
    let lost = (high - r) - low
    return scale(1 + (r + (lost + r * r * expTail(r))), by: Int(k))
  }

  /// (eʳ − 1 − r) / r² for |r| ≤ ½, by Horner's rule on 1/n!.
  @inline(__always)
  static func expTail(_ r: Double) -> Double {
    var p = 1.0 / 20_922_789_888_000
    p = p * r + 1.0 / 1_307_674_368_000
    p = p * r + 1.0 / 87_178_291_200
    p = p * r + 1.0 / 6_227_020_800
    p = p * r + 1.0 / 479_001_600
    p = p * r + 1.0 / 39_916_800
    p = p * r + 1.0 / 3_628_800
    p = p * r + 1.0 / 362_880
    p = p * r + 1.0 / 40_320
    p = p * r + 1.0 / 5_040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    return p * r + 0.5
  }

  public static func exp(_ x: Float) -> Float { Float(exp(Double(x))) }

  /// eˣ − 1 without cancellation near 0; error ≤ 2 ULP.
  public static func expm1(_ x: Double) -> Double {
    // Beyond ±½ the subtraction loses at most one bit, and eˣ has it to spare.
    if x > 0.5 || x < -0.5 { return exp(x) - 1 }
    // −0 + 0 would be +0.
    return x == 0 ? x : x + x * x * expTail(x)
  }
  public static func expm1(_ x: Float) -> Float { Float(expm1(Double(x))) }

  /// The hyperbolic tangent; error ≤ 3 ULP, result in −1...1.
  public static func tanh(_ x: Double) -> Double {
    let magnitude = abs(x)
    // 1 − tanh(x) < 2 e⁻²ˣ is below half an ULP from here on.
    if magnitude > 20 { return x < 0 ? -1 : 1 }
    let t = expm1(2 * magnitude)
    let y = t / (t + 2)
    return x.sign == .minus ? -y : y
  }
  public static func tanh(_ x: Float) -> Float { Float(tanh(Double(x))) }

  /// The logistic function 1 / (1 + e⁻ˣ); error ≤ 2.5 ULP, result in 0...1.
  public static func sigmoid(_ x: Double) -> Double {
    // Two forms, so that the exponential never overflows and small results keep their precision.
    if x < 0 {
      let e = exp(x)
      return e / (1 + e)
    }
    return 1 / (1 + exp(-x))
  }
  public static func sigmoid(_ x: Float) -> Float { Float(sigmoid(Double(x))) }
}

// MARK: Logarithm and power

extension Elementary {
  /// The natural logarithm; error ≤ 1 ULP. log(0) = −∞, and NaN below 0.
  public static func log(_ x: Double) -> Double {
    if x == 0 { return -.infinity }
    if !(x > 0) { return .nan }
    if x == .infinity { return x }
    let (k, m) = splitAtRootHalf(x)
    return logSum(k: k, f: m - 1, correction: 0)
  }
  public static func log(_ x: Float) -> Float { Float(log(Double(x))) }

  /// ln(1 + x) without cancellation near 0; error ≤ 2 ULP.
  public static func log1p(_ x: Double) -> Double {
    if x == -1 { return -.infinity }
    if !(x > -1) { return .nan }
    if x == .infinity { return x }
    if x > -0.29 && x < 0.41 { return x == 0 ? x : logSum(k: 0, f: x, correction: 0) }
    let u = 1 + x
    // What `u` rounded away, as a relative error of the argument: the derivative of ln is 1/u.
    let lost = u > 2 ? 1 - (u - x) : x - (u - 1)
    let (k, m) = splitAtRootHalf(u)
    return logSum(k: k, f: m - 1, correction: lost / u)
  }
  public static func log1p(_ x: Float) -> Float { Float(log1p(Double(x))) }

  /// x = m · 2^k with √½ ≤ m < √2, for finite x > 0.
  @inline(__always)
  static func splitAtRootHalf(_ x: Double) -> (k: Double, m: Double) {
    var bits = x.bitPattern
    var k = 0
    if bits < 0x0010_0000_0000_0000 {
      bits = (x * 0x1p54).bitPattern
      k = -54
    }
    k += Int(bits >> 52) - 1023
    var m = Double(bitPattern: (bits & 0x000F_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000)
    if m > 1.4142135623730951 {
      m *= 0.5
      k += 1
    }
    return (Double(k), m)
  }

  /// k · ln 2 + ln(1 + f) + correction.
  ///
  /// With s = f / (2 + f), ln(1 + f) = 2 artanh(s) = 2s + s · R, R = 2s²/3 + 2s⁴/5 + … Because
  /// 2s = f − s·f and s·f = f²/2 − s·f²/2, that is f − (f²/2 − s · (f²/2 + R)): the exact f first,
  /// then terms that are smaller, so that rounding them costs little.
  @inline(__always)
  static func logSum(k: Double, f: Double, correction: Double) -> Double {
    let s = f / (2 + f)
    let z = s * s
    // |s| ≤ 0.172 ⇒ z ≤ 0.0295; the series is cut off at z¹² · 2/27 < 4 · 10⁻²⁰.
    var r = 2.0 / 25
    r = r * z + 2.0 / 23
    r = r * z + 2.0 / 21
    r = r * z + 2.0 / 19
    r = r * z + 2.0 / 17
    r = r * z + 2.0 / 15
    r = r * z + 2.0 / 13
    r = r * z + 2.0 / 11
    r = r * z + 2.0 / 9
    r = r * z + 2.0 / 7
    r = r * z + 2.0 / 5
    r = r * z + 2.0 / 3
    r *= z
    let square = 0.5 * f * f
    let small = square - (s * (square + r) + (k * ln2Low + correction))
    return k * ln2High - (small - f)
  }

  /// xʸ with the special cases of IEEE 754; relative error ≤ (2 + |y · ln x|) · 2⁻⁵².
  public static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    if x.isNaN || y.isNaN { return .nan }
    let base = abs(x)
    if y.isInfinite {
      if base == 1 { return 1 }
      return (base > 1) == (y > 0) ? .infinity : 0
    }
    // Every Double from 2⁵³ on is an even integer.
    let isInteger = abs(y) >= 0x1p53 || Double(Int(y)) == y
    let isOdd = isInteger && abs(y) < 0x1p53 && Int(y) & 1 == 1
    let negative = x.sign == .minus && isOdd
    if base == 0 || base == .infinity {
      let magnitude: Double = (base == 0) == (y < 0) ? .infinity : 0
      return negative ? -magnitude : magnitude
    }
    if x < 0 && !isInteger { return .nan }
    let magnitude = exp(y * log(base))
    return negative ? -magnitude : magnitude
  }
  public static func pow(_ x: Float, _ y: Float) -> Float { Float(pow(Double(x), Double(y))) }
}
