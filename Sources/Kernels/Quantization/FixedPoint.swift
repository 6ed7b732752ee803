/// A positive real factor as TensorFlow Lite's integer kernels hold it: `multiplier · 2^(shift − 31)`.
///
/// Multiplying by it is integer arithmetic alone, so quantised networks give the same bytes on every
/// machine. Source of the rounding steps: Jacob et al., "Quantization and Training of Neural Networks
/// for Efficient Integer-Arithmetic-Only Inference", 2017, section 2.2, and gemmlowp's definition of
/// its fixed-point operations.
public struct FixedPointFactor: Sendable, Hashable {
  /// In 2³⁰ ..< 2³¹, or 0.
  public let multiplier: Int32
  public let shift: Int

  public static let zero = FixedPointFactor(multiplier: 0, shift: 0)

  public init(multiplier: Int32, shift: Int) {
    self.multiplier = multiplier
    self.shift = shift
  }

  /// The nearest representable factor; values below 2⁻³² give 0.
  ///
  /// - `value`: Finite and not negative.
  public init(_ value: Double) {
    if !(value > 0) || !value.isFinite {
      self = .zero
      return
    }
    // value = fraction · 2^shift with ½ ≤ fraction < 1
    var shift = Int(value.exponent) + 1
    let fraction = Elementary.scale(value, by: -shift)
    var multiplier = Int64(fraction * 0x1p31 + 0.5)
    if multiplier == 1 << 31 {
      multiplier >>= 1
      shift += 1
    }
    if shift < -31 {
      self = .zero
    } else {
      // Beyond 2³⁰ every product saturates anyway.
      self.init(multiplier: Int32(multiplier), shift: Swift.min(shift, 30))
    }
  }

  /// `x · factor`, rounded twice: the product to 32 bits (half up, as a doubling high multiply does),
  /// then the shift (half away from zero).
  @inline(__always)
  public func multiply(_ x: Int32) -> Int32 {
    let left = Swift.max(shift, 0)
    let right = Swift.max(-shift, 0)
    let shifted = Int32(truncatingIfNeeded: Int64(x) << left)
    return FixedPointFactor.roundingShift(
      FixedPointFactor.doublingHighMultiply(shifted, multiplier), by: right)
  }

  /// The upper half of `2ab`, rounded to nearest.
  @inline(__always)
  public static func doublingHighMultiply(_ a: Int32, _ b: Int32) -> Int32 {
    // The one product that does not fit.
    if a == .min && b == .min { return .max }
    let product = Int64(a) * Int64(b)
    let nudge: Int64 = product >= 0 ? 1 << 30 : 1 - (1 << 30)
    return Int32(truncatingIfNeeded: (product + nudge) / (1 << 31))
  }

  /// `x / 2^exponent`, ties away from zero.
  @inline(__always)
  public static func roundingShift(_ x: Int32, by exponent: Int) -> Int32 {
    let mask = Int32(truncatingIfNeeded: (Int64(1) << exponent) - 1)
    let remainder = x & mask
    let threshold = (mask >> 1) + (x < 0 ? 1 : 0)
    return (x >> exponent) &+ (remainder > threshold ? 1 : 0)
  }

  /// `x · factor` for the 64-bit sums of 16-bit activations: the multiplier is cut to 16 bits.
  @inline(__always)
  public func multiply(wide x: Int64) -> Int32 {
    let reduced: Int64 =
      multiplier < 0x7FFF_0000 ? (Int64(multiplier) + (1 << 15)) >> 16 : 0x7FFF
    let total = 15 - shift
    let round: Int64 = 1 << (total - 1)
    return Int32(truncatingIfNeeded: (x &* reduced &+ round) >> total)
  }
}
