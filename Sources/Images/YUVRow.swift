/// Luma and chroma to red, green and blue, in 1/65536:
/// `r = (y·(Y − base) + rv·(V − 128) + half) >> 16` and so on.
struct YUVCoefficients {
  var base, y, redV, greenU, greenV, blueU: Int32

  /// The matrix of a standard with the given luma weights of red and blue, for video range (luma
  /// 16…235, chroma 16…240) or full range.
  ///
  /// `R = Y + 2(1 − Kr)·V`, `B = Y + 2(1 − Kb)·U`, and green is what is left of luma.
  init(redWeight kr: Double, blueWeight kb: Double, isFullRange: Bool) {
    let kg = 1 - kr - kb
    let luma = isFullRange ? 1 : 255.0 / 219
    let chroma = isFullRange ? 1 : 255.0 / 224
    func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
    base = isFullRange ? 0 : 16
    y = fixed(luma)
    redV = fixed(chroma * 2 * (1 - kr))
    greenU = fixed(-chroma * 2 * kb * (1 - kb) / kg)
    greenV = fixed(-chroma * 2 * kr * (1 - kr) / kg)
    blueU = fixed(chroma * 2 * (1 - kb))
  }
}

/// One row of 4:2:0 pixels as RGB: pixel `x` takes chroma sample `x / 2`, as cameras' fast paths do.
///
/// `chromaStride` is 1 for planar chroma and 2 for interleaved. Writes `3 · count` bytes.
func yuvRow(
  luma: UnsafePointer<UInt8>, u: UnsafePointer<UInt8>, v: UnsafePointer<UInt8>, chromaStride: Int,
  count: Int, _ k: YUVCoefficients, into output: UnsafeMutablePointer<UInt8>
) {
  var to = output
  var x = 0
  while x < count {
    let chroma = (x / 2) * chromaStride
    let cu = Int32(u[chroma]) &- 128
    let cv = Int32(v[chroma]) &- 128
    let half: Int32 = 1 << 15
    let red = k.redV &* cv &+ half
    let green = k.greenU &* cu &+ k.greenV &* cv &+ half
    let blue = k.blueU &* cu &+ half
    for offset in 0..<min(2, count - x) {
      let y = k.y &* (Int32(luma[x + offset]) &- k.base)
      to[0] = clamped((y &+ red) >> 16)
      to[1] = clamped((y &+ green) >> 16)
      to[2] = clamped((y &+ blue) >> 16)
      to += 3
    }
    x += 2
  }
}

@inline(__always)
private func clamped(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }
