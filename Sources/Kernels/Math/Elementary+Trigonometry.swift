// Sine, cosine, tangent and the arc tangents: reduction to a quarter turn, then Taylor series.

extension Elementary {
  /// The sine of an angle in radians; error ≤ 1.5 ULP (2 ULP beyond |x| = 2²⁰).
  public static func sin(_ x: Double) -> Double {
    if !x.isFinite { return .nan }
    let a = reduceToQuarterTurn(x)
    switch a.quadrant & 3 {
    case 0: return a.r == 0 ? x : sinSeries(a.r, a.low)
    case 1: return cosSeries(a.r, a.low)
    case 2: return -sinSeries(a.r, a.low)
    default: return -cosSeries(a.r, a.low)
    }
  }
  public static func sin(_ x: Float) -> Float { Float(sin(Double(x))) }

  /// The cosine of an angle in radians; error ≤ 1.5 ULP (2 ULP beyond |x| = 2²⁰).
  public static func cos(_ x: Double) -> Double {
    if !x.isFinite { return .nan }
    let a = reduceToQuarterTurn(x)
    switch a.quadrant & 3 {
    case 0: return cosSeries(a.r, a.low)
    case 1: return -sinSeries(a.r, a.low)
    case 2: return -cosSeries(a.r, a.low)
    default: return sinSeries(a.r, a.low)
    }
  }
  public static func cos(_ x: Float) -> Float { Float(cos(Double(x))) }

  /// The tangent of an angle in radians; error ≤ 4 ULP.
  public static func tan(_ x: Double) -> Double {
    if !x.isFinite { return .nan }
    if x == 0 { return x }
    let a = reduceToQuarterTurn(x)
    let s = sinSeries(a.r, a.low)
    let c = cosSeries(a.r, a.low)
    return a.quadrant & 1 == 0 ? s / c : -c / s
  }
  public static func tan(_ x: Float) -> Float { Float(tan(Double(x))) }

  /// sin(r + low) for |r| ≤ π/4; cut off at r¹⁹/19! < 10⁻¹⁹.
  @inline(__always)
  static func sinSeries(_ r: Double, _ low: Double) -> Double {
    let z = r * r
    var p = 1.0 / 355_687_428_096_000
    p = p * z - 1.0 / 1_307_674_368_000
    p = p * z + 1.0 / 6_227_020_800
    p = p * z - 1.0 / 39_916_800
    p = p * z + 1.0 / 362_880
    p = p * z - 1.0 / 5_040
    p = p * z + 1.0 / 120
    p = p * z - 1.0 / 6
    // sin(r + low) ≈ sin r + low · cos r, and cos r ≈ 1 − r²/2 is plenty for so small a term.
    return r + (low * (1 - 0.5 * z) + r * z * p)
  }

  /// cos(r + low) for |r| ≤ π/4; cut off at r¹⁸/18! < 3 · 10⁻¹⁸.
  @inline(__always)
  static func cosSeries(_ r: Double, _ low: Double) -> Double {
    let z = r * r
    var p = 1.0 / 20_922_789_888_000
    p = p * z - 1.0 / 87_178_291_200
    p = p * z + 1.0 / 479_001_600
    p = p * z - 1.0 / 3_628_800
    p = p * z + 1.0 / 40_320
    p = p * z - 1.0 / 720
    p = p * z + 1.0 / 24
    // 1 − z/2 is split into its rounded value and what rounding lost: the result is near 1 there.
    let half = 0.5 * z
    let w = 1 - half
    return w + (((1 - w) - half) + (z * z * p - r * low))
  }

  // MARK: Reduction

  /// x = quadrant · π/2 + r + low with |r| ≤ π/4, up to multiples of a whole turn.
  static func reduceToQuarterTurn(_ x: Double) -> (quadrant: Int, r: Double, low: Double) {
    if abs(x) <= 0.7853981633974483 { return (0, x, 0) }
    if abs(x) > 0x1p20 { return reduceHuge(x) }
    // Cody and Waite: π/2 in three parts, the first two of 33 bits, so that their products with
    // k < 2²⁰ are exact.
    let k = nearestInteger(x * 0x1.45f306dc9c883p-1)
    let a = x - k * 0x1.921fb54400000p+0
    let b = k * 0x1.0b4611a600000p-34
    let c = a - b
    let tail = ((a - c) - b) - k * 0x1.3198a2e037073p-69
    let r = c + tail
    return (Int(k), r, (c - r) + tail)
  }

  /// The bits of 2/π after the binary point, 64 to a word.
  private static let twoOverPi: [UInt64] = [
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
  ]

  /// Reduction of |x| > 2²⁰ after Payne and Hanek (1983): only those bits of 2/π are multiplied that
  /// leave a fraction of a whole turn, so a huge argument costs no more than 192 bits of product.
  static func reduceHuge(_ x: Double) -> (quadrant: Int, r: Double, low: Double) {
    // |x| = m · 2^e with an integer m < 2⁵³. Bits of 2/π of weight 2^-i with e − i ≥ 2 contribute
    // multiples of 4 quarter turns and are skipped.
    let bits = x.bitPattern & 0x7FFF_FFFF_FFFF_FFFF
    let m = (bits & 0x000F_FFFF_FFFF_FFFF) | 0x0010_0000_0000_0000
    let e = Int(bits >> 52) - 1023 - 52
    let skip = max(0, e - 2)
    let (word, shift) = (skip / 64, UInt64(skip % 64))
    func window(_ index: Int) -> UInt64 {
      let high = twoOverPi[word + index] << shift
      return shift == 0 ? high : high | twoOverPi[word + index + 1] >> (64 - shift)
    }
    // m · window, 256 bits, most significant word first.
    let p2 = m.multipliedFullWidth(by: window(2))
    let p1 = m.multipliedFullWidth(by: window(1))
    let p0 = m.multipliedFullWidth(by: window(0))
    let w3 = p2.low
    let (w2, c2) = p1.low.addingReportingOverflow(p2.high)
    let (w1a, c1a) = p0.low.addingReportingOverflow(p1.high)
    let (w1, c1b) = w1a.addingReportingOverflow(c2 ? 1 : 0)
    let w0 = p0.high &+ (c1a ? 1 : 0) &+ (c1b ? 1 : 0)
    // For e < 2 nothing could be skipped, and the product is shifted down instead.
    let down = UInt64(max(0, 2 - e))
    func shifted(_ low: UInt64, _ high: UInt64) -> UInt64 {
      down == 0 ? low : (low >> down) | (high << (64 - down))
    }
    let (f1, f2, f3) = (shifted(w1, w0), shifted(w2, w1), shifted(w3, w2))
    // 192 bits of "turns of 4 quarters": two bits of quadrant, the rest a fraction of a quarter.
    var quadrant = Int(f1 >> 62)
    var (high, middle) = ((f1 << 2) | (f2 >> 62), (f2 << 2) | (f3 >> 62))
    let roundUp = high >> 63 == 1
    if roundUp {
      quadrant += 1
      (high, middle) = (~high, ~middle)
    }
    let fraction = Double(high) * 0x1p-64 + Double(middle) * 0x1p-128
    let r = fraction * 0x1.921fb54442d18p+0
    let signed = (x < 0) != roundUp ? -r : r
    return (x < 0 ? -quadrant : quadrant, signed, 0)
  }

  // MARK: Arc tangent

  /// atan(i/4) in two parts, i = 0...4.
  private static let atanTable: [(high: Double, low: Double)] = [
    (0, 0),
    (0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57),
    (0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56),
    (0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56),
    (0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55),
  ]

  private static let halfPiHigh = 0x1.921fb54442d18p+0
  private static let halfPiLow = 0x1.1a62633145c07p-54

  /// The arc tangent in −π/2...π/2; error ≤ 2 ULP.
  public static func atan(_ x: Double) -> Double {
    if x.isNaN { return x }
    let magnitude = abs(x)
    let (high, low) = atanParts(numerator: min(magnitude, 1), denominator: max(magnitude, 1))
    // atan(x) = π/2 − atan(1/x)
    let y = magnitude <= 1 ? high + low : halfPiHigh - (high - (halfPiLow - low))
    return x.sign == .minus ? -y : y
  }
  public static func atan(_ x: Float) -> Float { Float(atan(Double(x))) }

  /// atan(n/d) for 0 ≤ n ≤ d, as a sum: with c the nearest multiple of ¼ to n/d,
  /// atan(n/d) = atan(c) + atan((n − c·d) / (d + c·n)), whose argument is at most 1/8.
  private static func atanParts(
    numerator n: Double, denominator d: Double
  ) -> (high: Double, low: Double) {
    if d == .infinity { return (0, 0) }
    let index = nearestInteger(4 * (n / d))
    let c = index * 0.25
    let t = (n - c * d) / (d + c * n)
    let z = t * t
    // Cut off at z⁹/19 < 3 · 10⁻¹⁸.
    var p = 1.0 / 17
    p = p * z - 1.0 / 15
    p = p * z + 1.0 / 13
    p = p * z - 1.0 / 11
    p = p * z + 1.0 / 9
    p = p * z - 1.0 / 7
    p = p * z + 1.0 / 5
    p = p * z - 1.0 / 3
    let entry = atanTable[Int(index)]
    if index == 0 { return (t, t * z * p) }
    return (entry.high, entry.low + (t + t * z * p))
  }

  /// The angle of the point (x, y) in −π...π, with the signed zeros and infinities of IEEE 754;
  /// error ≤ 3 ULP.
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    if x.isNaN || y.isNaN { return .nan }
    var (ax, ay) = (abs(x), abs(y))
    if ax == .infinity && ay == .infinity { (ax, ay) = (1, 1) }
    var angle: Double
    if ay == 0 {
      angle = 0
    } else if ax == .infinity {
      angle = 0
    } else if ay == .infinity {
      angle = halfPiHigh
    } else {
      // Far from 1 both are brought near it, so that neither the quotient's parts overflow nor
      // subnormal ones lose bits.
      let largest = max(ax, ay)
      if largest > 0x1p1000 { (ax, ay) = (ax * 0x1p-100, ay * 0x1p-100) }
      if largest < 0x1p-900 { (ax, ay) = (ax * 0x1p120, ay * 0x1p120) }
      if ay <= ax {
        let (high, low) = atanParts(numerator: ay, denominator: ax)
        angle = high + low
      } else {
        let (high, low) = atanParts(numerator: ax, denominator: ay)
        angle = halfPiHigh - (high - (halfPiLow - low))
      }
    }
    if x.sign == .minus { angle = 2 * halfPiHigh - (angle - 2 * halfPiLow) }
    return y.sign == .minus ? -angle : angle
  }
  public static func atan2(_ y: Float, _ x: Float) -> Float {
    Float(atan2(Double(y), Double(x)))
  }
}
