/// The pixels a warp reads. Strides and offsets are in bytes; strides may be negative, which is how
/// mirrored pictures are read.
public struct WarpSource {
  /// The first byte of pixel (0, 0).
  public var base: UnsafePointer<UInt8>
  public var width: Int
  public var height: Int
  public var rowStride: Int
  public var pixelStride: Int
  /// Offsets of the channels within a pixel.
  public var red: Int
  public var green: Int
  public var blue: Int

  public init(
    base: UnsafePointer<UInt8>, width: Int, height: Int, rowStride: Int, pixelStride: Int,
    red: Int, green: Int, blue: Int
  ) {
    self.base = base
    self.width = width
    self.height = height
    self.rowStride = rowStride
    self.pixelStride = pixelStride
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// What is read outside the picture.
public enum WarpBorder: Int, Sendable, Hashable, CaseIterable {
  /// Zero.
  case black
  /// The nearest pixel: row and column are clamped.
  case replicate
}

/// One row of a warp: plain values, so that a kernel of any instruction set can take them.
///
/// The homography maps output index `(column, row)` to a pixel index of the source.
public struct WarpRow {
  public var m00, m01, m02, m10, m11, m12, m20, m21, m22: Double
  public var row: Int
  /// Output columns, from 0.
  public var count: Int
  public var border: WarpBorder
  /// 256 output values, one for each blended byte: `byte · scale + offset`, rounded as the table's
  /// maker rounded it.
  public var values: UnsafePointer<Float>

  public init(
    matrix m: (Double, Double, Double, Double, Double, Double, Double, Double, Double), row: Int,
    count: Int, border: WarpBorder, values: UnsafePointer<Float>
  ) {
    (m00, m01, m02, m10, m11, m12, m20, m21, m22) = m
    self.row = row
    self.count = count
    self.border = border
    self.values = values
  }
}

/// Bilinear sampling in 1/32 pixel with 8-bit results: OpenCV's classic `warpPerspective`, bit for
/// bit. This is the definition; ``warpRow(_:_:into:)`` must equal it.
///
/// Columns go in blocks of 64, and a coordinate is formed from the block's start and the offset in it,
/// because that is where the reference rounds. Writes `3 · count` values, red, green, blue.
public func warpRowReference(
  _ row: WarpRow, _ source: WarpSource, into output: UnsafeMutablePointer<Float>
) {
  let j = Double(row.row)
  for column in 0..<row.count {
    let block = Double(column / 64 * 64)
    let offset = Double(column % 64)
    let x0 = row.m00 * block + row.m01 * j + row.m02
    let y0 = row.m10 * block + row.m11 * j + row.m12
    let w0 = row.m20 * block + row.m21 * j + row.m22
    var w = w0 + row.m20 * offset
    w = w != 0 ? 32 / w : 0
    let px = roundedCoordinate((x0 + row.m00 * offset) * w)
    let py = roundedCoordinate((y0 + row.m10 * offset) * w)
    let (sx, fx) = (px >> 5, px & 31)
    let (sy, fy) = (py >> 5, py & 31)
    for (channel, at) in [source.red, source.green, source.blue].enumerated() {
      let p00 = sample(source, sx, sy, at, row.border)
      let p01 = sample(source, sx + 1, sy, at, row.border)
      let p10 = sample(source, sx, sy + 1, at, row.border)
      let p11 = sample(source, sx + 1, sy + 1, at, row.border)
      let top = (32 - fx) * (32 - fy) * 32 * p00 + fx * (32 - fy) * 32 * p01
      let bottom = (32 - fx) * fy * 32 * p10 + fx * fy * 32 * p11
      output[3 * column + channel] = row.values[(top + bottom + 16384) >> 15]
    }
  }
}

/// Half to even, after clamping to 32 bits; NaN gives the lower bound, so that nothing can be read
/// outside the picture whatever the matrix.
@inline(__always)
private func roundedCoordinate(_ value: Double) -> Int {
  let clamped =
    value > -2_147_483_648 ? (value < 2_147_483_647 ? value : 2_147_483_647) : -2_147_483_648
  // Adding 1.5·2⁵² leaves the integer, rounded half to even, in the low bits of the significand.
  // (`rounded()` is a library call on CPUs without SSE 4.1.)
  return Int(Int32(truncatingIfNeeded: Int64(bitPattern: (clamped + 0x1.8p52).bitPattern)))
}

@inline(__always)
private func sample(
  _ source: WarpSource, _ x: Int, _ y: Int, _ channel: Int, _ border: WarpBorder
) -> Int {
  var (x, y) = (x, y)
  if border == .replicate {
    x = min(max(x, 0), source.width - 1)
    y = min(max(y, 0), source.height - 1)
  } else if x < 0 || y < 0 || x >= source.width || y >= source.height {
    return 0
  }
  return Int(source.base[y * source.rowStride + x * source.pixelStride + channel])
}

// MARK: The fast version

/// The same as ``warpRowReference(_:_:into:)``, faster: a block of 64 columns whose taps all lie inside
/// the picture takes a short way that looks at no bounds.
public func warpRow(
  _ row: WarpRow, _ source: WarpSource, into output: UnsafeMutablePointer<Float>
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
    if line.isInside(source) {
      switch (source.pixelStride, source.red) {
      case (3, 0): warpInside(line, source, row.values, to, bytesPerPixel: 3, swapped: false)
      case (4, 0): warpInside(line, source, row.values, to, bytesPerPixel: 4, swapped: false)
      case (4, 2): warpInside(line, source, row.values, to, bytesPerPixel: 4, swapped: true)
      default: warpAnywhere(line, source, row.values, row.border, to)
      }
    } else {
      warpAnywhere(line, source, row.values, row.border, to)
    }
    start += count
  }
}

/// A run of at most 64 columns: `((x0 + dx·i)·w, (y0 + dy·i)·w)` with `w = 32/(w0 + dw·i)`.
private struct WarpLine {
  var x0, dx, y0, dy, w0, dw: Double
  var count: Int

  @inline(__always)
  func weight(_ i: Double) -> Double {
    let w = w0 + dw * i
    return w != 0 ? 32 / w : 0
  }

  /// Whether all taps, and the bytes that wide loads read around them, are in the picture.
  ///
  /// Both coordinates are quotients of linear functions, hence monotonic where the denominator stays
  /// clear of zero: the ends of the run bound all of it. One unit of margin covers the rounding.
  @inline(__always)
  func isInside(_ source: WarpSource) -> Bool {
    let last = Double(count - 1)
    let (wa, wb) = (w0, w0 + dw * last)
    guard wa > 0.5, wa < 2, wb > 0.5, wb < 2, source.rowStride > 0 else { return false }
    let (ax, bx) = (x0 * 32 / wa, (x0 + dx * last) * 32 / wb)
    let (ay, by) = (y0 * 32 / wa, (y0 + dy * last) * 32 / wb)
    // Eight bytes are read from the left tap: two pixels of four bytes, or two and two thirds of three.
    let right = Double(source.width - 3) * 32 - 1
    let bottom = Double(source.height - 1) * 32 - 2
    return min(ax, bx) >= 1 && max(ax, bx) <= right && min(ay, by) >= 1 && max(ay, by) <= bottom
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
}

/// Spreads the three low bytes to 20-bit fields, wide enough for a blended sum of 18 bits.
@inline(__always)
private func spread(_ pixel: UInt64) -> UInt64 {
  (pixel & 0xFF) | (pixel & 0xFF00) << 12 | (pixel & 0xFF_0000) << 24
}

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

/// A run inside the picture, of packed 3-byte or 4-byte pixels, with red or blue first.
@inline(__always)
private func warpInside(
  _ line: WarpLine, _ source: WarpSource, _ values: UnsafePointer<Float>,
  _ output: UnsafeMutablePointer<Float>, bytesPerPixel: Int, swapped: Bool
) {
  let base = UnsafeRawPointer(source.base)
  let stride = source.rowStride
  let (red, blue): (UInt64, UInt64) = swapped ? (40, 0) : (0, 40)
  let second = UInt64(bytesPerPixel * 8)
  var to = output
  var i = SIMD4<Double>(0, 1, 2, 3)
  var left = line.count
  while left > 0 {
    // The last round may compute columns past the end; they are not read.
    let (px, py) = line.coordinates(i)
    for lane in 0..<4 where lane < left {
      let x = Int(truncatingIfNeeded: px[lane] & 0xFFFF_FFFF)
      let y = Int(truncatingIfNeeded: py[lane] & 0xFFFF_FFFF)
      let at = base + ((y >> 5) * stride + (x >> 5) * bytesPerPixel)
      let top = at.loadUnaligned(as: UInt64.self)
      let bottom = (at + stride).loadUnaligned(as: UInt64.self)
      let sum = blend(
        spread(top), spread(top >> second), spread(bottom), spread(bottom >> second),
        UInt64(x & 31), UInt64(y & 31))
      to[0] = values[Int(sum >> red & 0xFF)]
      to[1] = values[Int(sum >> 20 & 0xFF)]
      to[2] = values[Int(sum >> blue & 0xFF)]
      to += 3
    }
    i += 4
    left -= 4
  }
}

/// Any pixel layout, any place: each tap looks where it is.
private func warpAnywhere(
  _ line: WarpLine, _ source: WarpSource, _ values: UnsafePointer<Float>, _ border: WarpBorder,
  _ output: UnsafeMutablePointer<Float>
) {
  let (right, bottom) = (source.width - 1, source.height - 1)
  var to = output
  for column in 0..<line.count {
    let i = Double(column)
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
    if border == .black {
      let (left, rightTap) = (sx >= 0 && sx <= right, sx >= -1 && sx < right)
      let (top, bottomTap) = (sy >= 0 && sy <= bottom, sy >= -1 && sy < bottom)
      if !(left && top) { p00 = 0 }
      if !(rightTap && top) { p01 = 0 }
      if !(left && bottomTap) { p10 = 0 }
      if !(rightTap && bottomTap) { p11 = 0 }
    }
    let sum = blend(p00, p01, p10, p11, UInt64(px & 31), UInt64(py & 31))
    to[0] = values[Int(sum & 0xFF)]
    to[1] = values[Int(sum >> 20 & 0xFF)]
    to[2] = values[Int(sum >> 40 & 0xFF)]
    to += 3
  }
}

@inline(__always)
private func gather(_ source: WarpSource, _ pixel: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(pixel[source.red]) | UInt64(pixel[source.green]) << 20 | UInt64(pixel[source.blue]) << 40
}
