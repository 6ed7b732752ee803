// The error function and its complement, from their series and continued fraction: no fitted
// coefficients, hence slower than a table of polynomials, and fast enough for GELU's few calls.

extension Elementary {
  /// 2/√π
  private static let twoOverRootPi = 0x1.20dd750429b6dp+0

  /// erf(x) = 2/√π ∫₀ˣ e^(−t²) dt; error ≤ 4 ULP.
  public static func erf(_ x: Double) -> Double {
    if x.isNaN { return x }
    let magnitude = abs(x)
    let y: Double
    if magnitude < 1 {
      y = erfSeries(magnitude)
    } else {
      y = magnitude > 6 ? 1 : 1 - erfcFraction(magnitude)
    }
    return x.sign == .minus ? -y : y
  }
  public static func erf(_ x: Float) -> Float { Float(erf(Double(x))) }

  /// erfc(x) = 1 − erf(x), with its precision kept for large x; error ≤ 16 ULP.
  public static func erfc(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x < 1 { return x < -6 ? 2 : 1 - erf(x) }
    return x > 27.3 ? 0 : erfcFraction(x)
  }
  public static func erfc(_ x: Float) -> Float { Float(erfc(Double(x))) }

  /// erf(x) = 2/√π · e^(−x²) · x · Σ (2x²)ⁿ / (1·3·5 ⋯ (2n + 1)): all terms positive, so nothing
  /// cancels (Abramowitz and Stegun 7.1.6). Summed from the inside, 1 + t/3 · (1 + t/5 · (1 + …)),
  /// which damps the rounding errors.
  private static func erfSeries(_ x: Double) -> Double {
    let t = 2 * x * x
    // The term left out is below 2⁻⁵⁶: tⁿ / (2n + 1)!! with t < ½, or t < 2.
    var odd = x < 0.5 ? 27.0 : 47.0
    var sum = 1.0
    while odd >= 3 {
      sum = 1 + t / odd * sum
      odd -= 2
    }
    return twoOverRootPi * x * expMinusSquare(x) * sum
  }

  /// √π · e^(x²) · erfc(x) = 1/(x + ½/(x + 1/(x + 3⁄2/(x + …)))) (Abramowitz and Stegun 7.1.14),
  /// evaluated from the inside. Its error falls like e^(−2x√(2n)), so 15 + 170/x² terms reach 2⁻⁵³.
  private static func erfcFraction(_ x: Double) -> Double {
    var fraction = x
    var n = nearestInteger(15 + 170 / (x * x))
    while n > 0 {
      fraction = x + (0.5 * n) / fraction
      n -= 1
    }
    return 0.5 * twoOverRootPi * expMinusSquare(x) / fraction
  }

  /// e^(−x²) with the rounding error of x² compensated: the exponential would magnify it.
  private static func expMinusSquare(_ x: Double) -> Double {
    // The upper 26 bits of x have an exact square, and x² − h² = (x − h)(x + h) is small.
    let h = Double(bitPattern: x.bitPattern & 0xFFFF_FFFF_F800_0000)
    return exp(-h * h) * exp(-(x - h) * (x + h))
  }
}
