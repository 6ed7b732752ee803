import MicrokernelInterface

/// A run inside the picture: no tap's place is checked.
func warpUnchecked(
  _ line: WarpRun, _ source: WarpSource, _ row: WarpRowArguments, _ sampler: Sampler,
  _ scratch: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>
) {
  guard let kernel = sampler.kernel else {
    line.fill(scratch)
    sampleInside(scratch, line.count, source, row, output)
    return
  }
  var run = BilinearRunArguments(
    base: source.base, rowStride: source.rowStride, pixelStride: source.pixelStride,
    channels: (source.red, source.green, source.blue), x: (line.x0, line.dx), y: (line.y0, line.dy),
    w: (line.w0, line.dw), first: line.first, count: line.count, scale: row.scale,
    offset: row.offset, output: output)
  kernel(&run)
}

/// Samples a run whose coordinates are in `scratch`. Pixels are read as four bytes, the last of which is not
/// looked at.
@inline(__always)
private func sampleInside(
  _ scratch: UnsafeRawPointer, _ count: Int, _ source: WarpSource, _ row: WarpRowArguments,
  _ output: UnsafeMutablePointer<Float>
) {
  let base = UnsafeRawPointer(source.base)
  let (stride, step) = (source.rowStride, source.pixelStride)
  let blend = BilinearBlend(row, isSwapped: source.red == 2)
  var to = output
  for column in 0..<count {
    let lane = scratch + ((column >> 2) * 64 + (column & 3) * 8)
    let x = Int(lane.load(as: UInt32.self))
    let y = Int(lane.load(fromByteOffset: 32, as: UInt32.self))
    let at = base + ((y >> 5) * stride + (x >> 5) * step)
    let below = at + stride
    blend.store(
      at.loadUnaligned(as: UInt32.self), (at + step).loadUnaligned(as: UInt32.self),
      below.loadUnaligned(as: UInt32.self), (below + step).loadUnaligned(as: UInt32.self), x, y,
      to, mayOverrun: column < count - 1)
    to += 3
  }
}

/// A run that reaches outside, but not out of 32 bits: each tap is clamped into the picture, and cleared if
/// it is outside of one with a black border.
func warpClamped(
  _ line: WarpRun, _ source: WarpSource, _ row: WarpRowArguments,
  _ scratch: UnsafeMutableRawPointer,
  _ output: UnsafeMutablePointer<Float>
) {
  line.fill(scratch)
  let (right, bottom) = (source.width - 1, source.height - 1)
  let blend = BilinearBlend(row, isSwapped: source.red == 2)
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
    let lane = UnsafeRawPointer(scratch) + ((column >> 2) * 64 + (column & 3) * 8)
    let x = Int(lane.load(as: Int32.self))
    let y = Int(lane.load(fromByteOffset: 32, as: Int32.self))
    let (sx, sy) = (x >> 5, y >> 5)
    blend.store(
      tap(sx, sy), tap(sx + 1, sy), tap(sx, sy + 1), tap(sx + 1, sy + 1), x, y, to,
      mayOverrun: column < line.count - 1)
    to += 3
  }
}

/// A run of any pixel layout, anywhere in the plane or at infinity: the place of each tap is checked.
func warpTapByTap(
  _ line: WarpRun, _ source: WarpSource, _ row: WarpRowArguments,
  _ output: UnsafeMutablePointer<Float>
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
    let sum = blendSpread(p00, p01, p10, p11, UInt64(px & 31), UInt64(py & 31))
    storeSpread(sum, row, to)
    to += 3
  }
}

@inline(__always)
private func gather(_ source: WarpSource, _ pixel: UnsafePointer<UInt8>) -> UInt64 {
  UInt64(pixel[source.red]) | UInt64(pixel[source.green]) << 20 | UInt64(pixel[source.blue]) << 40
}
