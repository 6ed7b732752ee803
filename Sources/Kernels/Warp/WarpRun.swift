/// A run of columns `first + 0, 1, 2 …` of one block: `((x0 + dx·i)·w, (y0 + dy·i)·w)` with
/// `w = 32/(w0 + dw·i)`.
struct WarpRun {
  var x0, dx, y0, dy, w0, dw: Double
  var first = 0.0
  /// At most 64.
  var count: Int

  @inline(__always)
  func weight(_ i: Double) -> Double {
    let w = w0 + dw * i
    return w != 0 ? 32 / w : 0
  }

  /// Whether all coordinates lie in these ranges, in 1/32 pixel.
  ///
  /// Both are quotients of linear functions, hence monotonic where the denominator stays clear of zero: the
  /// ends of the run bound all of it.
  @inline(__always)
  private func isWithin(
    x: (low: Double, high: Double), y: (low: Double, high: Double)
  ) -> Bool {
    let last = first + Double(count - 1)
    let (wa, wb) = (w0 + dw * first, w0 + dw * last)
    guard wa > 0.5, wa < 2, wb > 0.5, wb < 2 else { return false }
    // One quotient where the mapping is affine; divisions are most of what this test costs.
    let ra = 32 / wa
    let rb = dw == 0 ? ra : 32 / wb
    let (ax, bx) = ((x0 + dx * first) * ra, (x0 + dx * last) * rb)
    let (ay, by) = ((y0 + dy * first) * ra, (y0 + dy * last) * rb)
    return min(ax, bx) >= x.low && max(ax, bx) <= x.high && min(ay, by) >= y.low
      && max(ay, by) <= y.high
  }

  /// Whether all taps, and the bytes that wide loads read around them, are in the picture. One unit of
  /// margin covers the rounding.
  @inline(__always)
  func isInside(_ source: WarpSource, lastColumn: Int) -> Bool {
    isWithin(x: (1, Double(lastColumn) * 32 - 1), y: (1, Double(source.height - 1) * 32 - 2))
  }

  /// Whether coordinates fit 32 bits, past the end of the run too.
  @inline(__always)
  var isModerate: Bool {
    isWithin(x: (-0x1p29, 0x1p29), y: (-0x1p29, 0x1p29))
  }

  /// The coordinates of columns `i`, `i + 1` … `i + 3` in 1/32 pixel, in the low halves of the lanes.
  /// Only for runs that are inside.
  @inline(__always)
  func coordinates(_ i: SIMD4<Double>) -> (x: SIMD4<UInt64>, y: SIMD4<UInt64>) {
    let w = 32 / (w0 + dw * i)
    let x = (x0 + dx * i) * w + 0x1.8p52
    let y = (y0 + dy * i) * w + 0x1.8p52
    return (unsafeBitCast(x, to: SIMD4<UInt64>.self), unsafeBitCast(y, to: SIMD4<UInt64>.self))
  }

  /// Writes all coordinates, in fours. The last four may go on past the end of the run.
  @inline(__always)
  func fill(_ scratch: UnsafeMutableRawPointer) {
    var i = SIMD4<Double>(0, 1, 2, 3) + first
    var to = scratch
    for _ in 0..<(count + 3) / 4 {
      let (x, y) = coordinates(i)
      to.storeBytes(of: x, as: SIMD4<UInt64>.self)
      (to + 32).storeBytes(of: y, as: SIMD4<UInt64>.self)
      i += 4
      to += 64
    }
  }
}

/// Memory on the stack for the coordinates of 64 columns: four x, four y, and so on. They are computed
/// ahead of the loop that samples, which would otherwise take vectors apart lane by lane.
struct CoordinateScratch {
  typealias Four = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)
  var lanes: (Four, Four, Four, Four)

  @inline(__always)
  init() {
    let zero = SIMD8<UInt64>()
    let four = (zero, zero, zero, zero)
    lanes = (four, four, four, four)
  }
}
