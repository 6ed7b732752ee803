#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

#if arch(x86_64)
  /// Blends four pixels into one and stores it.
  ///
  /// Pairwise multiply and add does both directions: neighbours in a row first (13 bits), then rows.
  struct BilinearBlend {
    private let scale: SIMD4<Float>
    private let offset: SIMD4<Float>
    private let isSwapped: Bool

    @inline(__always)
    init(_ row: WarpRowArguments, isSwapped: Bool) {
      scale = SIMD4(repeating: row.scale)
      offset = SIMD4(repeating: row.offset)
      self.isSwapped = isSwapped
    }

    /// Two neighbours, interleaved and widened: r r′ g g′ b b′ and a rest.
    @inline(__always)
    private func interleaved(_ left: UInt32, _ right: UInt32) -> SIMD2<Int64> {
      let left = _mm_cvtsi32_si128(Int32(bitPattern: left))
      let right = _mm_cvtsi32_si128(Int32(bitPattern: right))
      return _mm_unpacklo_epi8(_mm_unpacklo_epi8(left, right), SIMD2<Int64>(0, 0))
    }

    /// `(32 − f, f)` in each pair of 16-bit lanes.
    @inline(__always)
    private func weights(_ coordinate: Int) -> SIMD2<Int64> {
      let pair = Int32(truncatingIfNeeded: 32 + (coordinate & 31) * 0xFFFF)
      return unsafeBitCast(SIMD4<Int32>(repeating: pair), to: SIMD2<Int64>.self)
    }

    /// Writes three floats, and a fourth of no meaning where the next pixel will overwrite it.
    @inline(__always)
    func store(
      _ p00: UInt32, _ p01: UInt32, _ p10: UInt32, _ p11: UInt32, _ x: Int, _ y: Int,
      _ output: UnsafeMutablePointer<Float>, mayOverrun: Bool
    ) {
      let across = weights(x)
      let top = _mm_madd_epi16(interleaved(p00, p01), across)
      let bottom = _mm_madd_epi16(interleaved(p10, p11), across)
      let columns = _mm_or_si128(top, _mm_slli_epi32(bottom, 16))
      let sum = unsafeBitCast(_mm_madd_epi16(columns, weights(y)), to: SIMD4<Int32>.self)
      let byte = unsafeBitCast((sum &+ 512) &>> 10, to: SIMD2<Int64>.self)
      var pixel = _mm_cvtepi32_ps(byte) * scale + offset
      if isSwapped { pixel = SIMD4(pixel[2], pixel[1], pixel[0], pixel[3]) }
      let to = UnsafeMutableRawPointer(output)
      if mayOverrun {
        to.storeBytes(of: pixel, as: SIMD4<Float>.self)
      } else {
        to.storeBytes(of: pixel.lowHalf, as: SIMD2<Float>.self)
        (to + 8).storeBytes(of: pixel[2], as: Float.self)
      }
    }
  }
#else
  /// Blends four pixels into one and stores it, three channels in each multiplication.
  struct BilinearBlend {
    private let row: WarpRowArguments
    private let isSwapped: Bool

    @inline(__always)
    init(_ row: WarpRowArguments, isSwapped: Bool) {
      self.row = row
      self.isSwapped = isSwapped
    }

    /// Spreads the three low bytes to 20-bit fields, wide enough for a blended sum of 18 bits.
    @inline(__always)
    private func spread(_ pixel: UInt32) -> UInt64 {
      let pixel = UInt64(pixel)
      return (pixel & 0xFF) | (pixel & 0xFF00) << 12 | (pixel & 0xFF_0000) << 24
    }

    @inline(__always)
    func store(
      _ p00: UInt32, _ p01: UInt32, _ p10: UInt32, _ p11: UInt32, _ x: Int, _ y: Int,
      _ output: UnsafeMutablePointer<Float>, mayOverrun: Bool
    ) {
      let sum = blendSpread(
        spread(p00), spread(p01), spread(p10), spread(p11), UInt64(x & 31), UInt64(y & 31))
      storeSpread(sum, row, output)
      if isSwapped { (output[0], output[2]) = (output[2], output[0]) }
    }
  }
#endif

/// Blends four spread pixels: all three channels in each multiplication. Differences may borrow
/// between fields; the sum they end in has none below zero, and wrapping arithmetic is exact.
///
/// `Σ weights·P·32 + 16384 >> 15` equals `Σ weights·P + 512 >> 10`, since all weights are multiples of 32.
@inline(__always)
func blendSpread(
  _ p00: UInt64, _ p01: UInt64, _ p10: UInt64, _ p11: UInt64, _ fx: UInt64, _ fy: UInt64
) -> UInt64 {
  let top = (p00 << 5) &+ (p01 &- p00) &* fx
  let bottom = (p10 << 5) &+ (p11 &- p10) &* fx
  let sum = (top << 5) &+ (bottom &- top) &* fy
  let half: UInt64 = 512 << 40 | 512 << 20 | 512
  return (sum &+ half) >> 10
}

/// Stores the three fields of a blend.
@inline(__always)
func storeSpread(_ sum: UInt64, _ row: WarpRowArguments, _ to: UnsafeMutablePointer<Float>) {
  to[0] = Float(sum & 0xFF) * row.scale + row.offset
  to[1] = Float(sum >> 20 & 0xFF) * row.scale + row.offset
  to[2] = Float(sum >> 40 & 0xFF) * row.scale + row.offset
}
