/// IEEE 754 half precision as bits. Swift's `Float16` does not exist on every platform we build for.
public enum Half {
  /// The exact value of a half, subnormals, infinities and NaN included.
  @inlinable
  public static func widen(_ bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10) & 0x1F
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Subnormal: fraction · 2⁻²⁴, exact in single precision.
      let magnitude = Float(fraction) * Float(bitPattern: 0x3380_0000)
      return Float(bitPattern: sign | magnitude.bitPattern)
    case 31:
      return Float(bitPattern: sign | 0x7F80_0000 | (fraction << 13))
    default:
      return Float(bitPattern: sign | ((exponent + 112) << 23) | (fraction << 13))
    }
  }

  /// The nearest half, ties to even; overflow gives infinity.
  @inlinable
  public static func narrow(_ value: Float) -> UInt16 {
    let bits = value.bitPattern
    let sign = UInt16((bits >> 16) & 0x8000)
    let magnitude = bits & 0x7FFF_FFFF
    if magnitude >= 0x7F80_0000 {
      return sign | 0x7C00 | (magnitude > 0x7F80_0000 ? 0x200 : 0)
    }
    if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
    if magnitude < 0x3880_0000 {
      // Adding 0.5 in single precision lets the adder do the subnormal rounding.
      let rounded = Float(bitPattern: magnitude) + 0.5
      return sign | UInt16(rounded.bitPattern & 0x7FF)
    }
    let odd = (magnitude >> 13) & 1
    return sign | UInt16((magnitude &+ 0xFFF &+ odd &- 0x3800_0000) >> 13)
  }
}
