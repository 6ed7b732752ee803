#if arch(x86_64)
  import _Builtin_intrinsics.intel
#endif

import MicrokernelInterface

/// The same as ``warpRowReference(_:_:into:)``, faster: columns whose taps all lie inside the picture take a
/// short way that looks at no bounds.
public func warpRow(
  _ row: WarpRow, _ source: WarpSource, into output: UnsafeMutablePointer<Float>,
  isa: InstructionSet = .preferred
) {
  let sampler = Sampler(row, source, Microkernels.running(isa).bilinear)
  // One piece of stack for all blocks, since it is cleared when it is made.
  var room = CoordinateRoom()
  withUnsafeMutableBytes(of: &room) { room in
    warpBlocks(row, source, sampler, room.baseAddress!, output)
  }
}

/// How a run inside the picture is sampled: by the kernel of an instruction set, or by ``sampleInside``.
private struct Sampler {
  let kernel: Microkernels.Kernel<BilinearRunArguments>?
  /// Whether there is a short way at all.
  let isUsable: Bool
  /// The last column whose taps, and the bytes that wide loads read behind them, are in the picture.
  let lastColumn: Int

  @inline(__always)
  init(
    _ row: WarpRow, _ source: WarpSource,
    _ kernel: Microkernels.Kernel<BilinearRunArguments>?
  ) {
    let isPacked =
      (source.pixelStride == 3 || source.pixelStride == 4) && source.green == 1
      && source.width * source.height >= 2 && source.rowStride > 0
    let isGray = source.pixelStride == 1 && source.rowStride > 0
    // The kernel's addresses are 32-bit distances.
    let fits = source.rowStride * source.height < 1 << 31
    if fits, isPacked || isGray, let kernel {
      self.kernel = kernel
      isUsable = true
      lastColumn = source.width - (8 + source.pixelStride - 1) / source.pixelStride
    } else {
      self.kernel = nil
      isUsable = isPacked
      lastColumn = source.width - 3
    }
  }
}

private func warpBlocks(
  _ row: WarpRow, _ source: WarpSource, _ sampler: Sampler, _ room: UnsafeMutableRawPointer,
  _ output: UnsafeMutablePointer<Float>
) {
  let j = Double(row.row)
  var start = 0
  while start < row.count {
    let count = min(64, row.count - start)
    let block = Double(start)
    let line = WarpLine(
      x0: row.m00 * block + row.m01 * j + row.m02, dx: row.m00,
      y0: row.m10 * block + row.m11 * j + row.m12, dy: row.m10,
      w0: row.m20 * block + row.m21 * j + row.m22, dw: row.m20, count: count)
    let to = output + 3 * start
    if !sampler.isUsable {
      warpAnywhere(line, source, row, to)
    } else {
      warpPieces(line, source, row, sampler, room, to)
    }
    start += count
  }
}

/// A run of columns `first + 0, 1, 2 …` of one block: `((x0 + dx·i)·w, (y0 + dy·i)·w)` with
/// `w = 32/(w0 + dw·i)`.
private struct WarpLine {
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
  func fill(_ room: UnsafeMutableRawPointer) {
    var i = SIMD4<Double>(0, 1, 2, 3) + first
    var to = room
    for _ in 0..<(count + 3) / 4 {
      let (x, y) = coordinates(i)
      to.storeBytes(of: x, as: SIMD4<UInt64>.self)
      (to + 32).storeBytes(of: y, as: SIMD4<UInt64>.self)
      i += 4
      to += 64
    }
  }
}

/// Room for the coordinates of 64 columns on the stack: four x, four y, and so on. They are computed
/// ahead of the loop that samples, which would otherwise take vectors apart lane by lane.
private struct CoordinateRoom {
  typealias Four = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)
  var lanes: (Four, Four, Four, Four)

  @inline(__always)
  init() {
    let zero = SIMD8<UInt64>()
    let four = (zero, zero, zero, zero)
    lanes = (four, four, four, four)
  }
}

/// A run that is partly outside: halved until a piece lies inside, or has no more than eight columns.
private func warpPieces(
  _ line: WarpLine, _ source: WarpSource, _ row: WarpRow, _ sampler: Sampler,
  _ room: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>
) {
  if line.isInside(source, lastColumn: sampler.lastColumn) {
    warpInside(line, source, row, sampler, room, output)
  } else if line.count > 8 {
    var (left, right) = (line, line)
    left.count = (line.count / 2 + 7) & ~7
    right.first += Double(left.count)
    right.count -= left.count
    warpPieces(left, source, row, sampler, room, output)
    warpPieces(right, source, row, sampler, room, output + 3 * left.count)
  } else if line.isModerate && source.pixelStride > 1 {
    warpClamped(line, source, row, room, output)
  } else {
    warpAnywhere(line, source, row, output)
  }
}

/// A run inside the picture.
private func warpInside(
  _ line: WarpLine, _ source: WarpSource, _ row: WarpRow, _ sampler: Sampler,
  _ room: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>
) {
  guard let kernel = sampler.kernel else {
    line.fill(room)
    sampleInside(room, line.count, source, row, output)
    return
  }
  var run = BilinearRunArguments(
    base: source.base, rowStride: source.rowStride, pixelStride: source.pixelStride,
    channels: (source.red, source.green, source.blue), x: (line.x0, line.dx), y: (line.y0, line.dy),
    w: (line.w0, line.dw), first: line.first, count: line.count, scale: row.scale,
    offset: row.offset, output: output)
  kernel(&run)
}

/// Samples a run whose coordinates are in `room`. Pixels are read as four bytes, the last of which is not
/// looked at.
@inline(__always)
private func sampleInside(
  _ room: UnsafeRawPointer, _ count: Int, _ source: WarpSource, _ row: WarpRow,
  _ output: UnsafeMutablePointer<Float>
) {
  let base = UnsafeRawPointer(source.base)
  let (stride, step) = (source.rowStride, source.pixelStride)
  let painter = PixelPainter(row, isSwapped: source.red == 2)
  var to = output
  for column in 0..<count {
    let lane = room + ((column >> 2) * 64 + (column & 3) * 8)
    let x = Int(lane.load(as: UInt32.self))
    let y = Int(lane.load(fromByteOffset: 32, as: UInt32.self))
    let at = base + ((y >> 5) * stride + (x >> 5) * step)
    let below = at + stride
    painter.paint(
      at.loadUnaligned(as: UInt32.self), (at + step).loadUnaligned(as: UInt32.self),
      below.loadUnaligned(as: UInt32.self), (below + step).loadUnaligned(as: UInt32.self), x, y,
      to, hasRoom: column < count - 1)
    to += 3
  }
}

/// A run that reaches outside, but not out of 32 bits: each tap is clamped into the picture, and cleared if
/// it is outside of one with a black border.
private func warpClamped(
  _ line: WarpLine, _ source: WarpSource, _ row: WarpRow, _ room: UnsafeMutableRawPointer,
  _ output: UnsafeMutablePointer<Float>
) {
  line.fill(room)
  let (right, bottom) = (source.width - 1, source.height - 1)
  let painter = PixelPainter(row, isSwapped: source.red == 2)
  let base = UnsafeRawPointer(source.base)
  // Four bytes are read from pixels of three: the very last one is read a byte early, and shifted.
  let end = base + (bottom * source.rowStride + source.width * source.pixelStride)
  let isBlack = row.border == .black
  @inline(__always)
  func tap(_ x: Int, _ y: Int) -> UInt32 {
    let (cx, cy) = (min(max(x, 0), right), min(max(y, 0), bottom))
    if isBlack && (cx != x || cy != y) { return 0 }
    let at = base + (cy * source.rowStride + cx * source.pixelStride)
    return at + 4 <= end
      ? at.loadUnaligned(as: UInt32.self) : (at - 1).loadUnaligned(as: UInt32.self) >> 8
  }
  var to = output
  for column in 0..<line.count {
    let lane = UnsafeRawPointer(room) + ((column >> 2) * 64 + (column & 3) * 8)
    let x = Int(lane.load(as: Int32.self))
    let y = Int(lane.load(fromByteOffset: 32, as: Int32.self))
    let (sx, sy) = (x >> 5, y >> 5)
    painter.paint(
      tap(sx, sy), tap(sx + 1, sy), tap(sx, sy + 1), tap(sx + 1, sy + 1), x, y, to,
      hasRoom: column < line.count - 1)
    to += 3
  }
}

#if arch(x86_64)
  /// Blends four pixels into one and stores it.
  ///
  /// Pairwise multiply and add does both directions: neighbours in a row first (13 bits), then rows.
  private struct PixelPainter {
    private let scale: SIMD4<Float>
    private let offset: SIMD4<Float>
    private let isSwapped: Bool

    @inline(__always)
    init(_ row: WarpRow, isSwapped: Bool) {
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

    /// Writes three floats, and a fourth of no meaning where there is room.
    @inline(__always)
    func paint(
      _ p00: UInt32, _ p01: UInt32, _ p10: UInt32, _ p11: UInt32, _ x: Int, _ y: Int,
      _ output: UnsafeMutablePointer<Float>, hasRoom: Bool
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
      if hasRoom {
        to.storeBytes(of: pixel, as: SIMD4<Float>.self)
      } else {
        to.storeBytes(of: pixel.lowHalf, as: SIMD2<Float>.self)
        (to + 8).storeBytes(of: pixel[2], as: Float.self)
      }
    }
  }
#else
  /// Blends four pixels into one and stores it, three channels in each multiplication.
  private struct PixelPainter {
    private let row: WarpRow
    private let isSwapped: Bool

    @inline(__always)
    init(_ row: WarpRow, isSwapped: Bool) {
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
    func paint(
      _ p00: UInt32, _ p01: UInt32, _ p10: UInt32, _ p11: UInt32, _ x: Int, _ y: Int,
      _ output: UnsafeMutablePointer<Float>, hasRoom: Bool
    ) {
      let sum = blend(
        spread(p00), spread(p01), spread(p10), spread(p11), UInt64(x & 31), UInt64(y & 31))
      store(sum, row, output)
      if isSwapped { (output[0], output[2]) = (output[2], output[0]) }
    }
  }
#endif

/// Blends four spread pixels: all three channels in each multiplication. Differences may borrow
/// between fields; the sum they end in has none below zero, and wrapping arithmetic is exact.
///
/// `Σ weights·P·32 + 16384 >> 15` equals `Σ weights·P + 512 >> 10`, since all weights are multiples of 32.
@inline(__always)
private func blend(
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
private func store(_ sum: UInt64, _ row: WarpRow, _ to: UnsafeMutablePointer<Float>) {
  to[0] = Float(sum & 0xFF) * row.scale + row.offset
  to[1] = Float(sum >> 20 & 0xFF) * row.scale + row.offset
  to[2] = Float(sum >> 40 & 0xFF) * row.scale + row.offset
}

/// Any pixel layout, any place: each tap looks where it is.
private func warpAnywhere(
  _ line: WarpLine, _ source: WarpSource, _ row: WarpRow, _ output: UnsafeMutablePointer<Float>
) {
  let (right, bottom) = (source.width - 1, source.height - 1)
  var to = output
  for column in 0..<line.count {
    let i = line.first + Double(column)
    let w = line.weight(i)
    let px = roundedCoordinate((line.x0 + line.dx * i) * w)
    let py = roundedCoordinate((line.y0 + line.dy * i) * w)
    let (sx, sy) = (px >> 5, py >> 5)
    // Clamped addresses are always valid; black taps are masked afterwards.
    let x0 = min(max(sx, 0), right) * source.pixelStride
    let x1 = min(max(sx + 1, 0), right) * source.pixelStride
    let row0 = source.base + min(max(sy, 0), bottom) * source.rowStride
    let row1 = source.base + min(max(sy + 1, 0), bottom) * source.rowStride
    var (p00, p01) = (gather(source, row0 + x0), gather(source, row0 + x1))
    var (p10, p11) = (gather(source, row1 + x0), gather(source, row1 + x1))
    if row.border == .black {
      let (left, rightTap) = (sx >= 0 && sx <= right, sx >= -1 && sx < right)
      let (top, bottomTap) = (sy >= 0 && sy <= bottom, sy >= -1 && sy < bottom)
      if !(left && top) { p00 = 0 }
      if !(rightTap && top) { p01 = 0 }
      if !(left && bottomTap) { p10 = 0 }
      if !(rightTap && bottomTap) { p11 = 0 }
    }
    let sum = blend(p00, p01, p10, p11, UInt64(px & 31), UInt64(py & 31))
    store(sum, row, to)
    to += 3
  }
}

@inline(__always)
private func gather(_ source: WarpSource, _ pixel: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(pixel[source.red]) | UInt64(pixel[source.green]) << 20 | UInt64(pixel[source.blue]) << 40
}
