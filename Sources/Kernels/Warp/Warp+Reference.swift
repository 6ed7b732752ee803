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

/// Arguments of one output row of a warp.
///
/// The homography maps output index `(column, row)` to a pixel index of the source.
public struct WarpRowArguments {
  public var m00, m01, m02, m10, m11, m12, m20, m21, m22: Double
  public var row: Int
  /// Output columns, from 0.
  public var count: Int
  public var border: WarpBorder
  /// A blended byte is stored as `byte · scale + offset`, both steps rounded.
  public var scale: Float
  public var offset: Float

  public init(
    matrix m: (Double, Double, Double, Double, Double, Double, Double, Double, Double), row: Int,
    count: Int, border: WarpBorder, scale: Float, offset: Float
  ) {
    (m00, m01, m02, m10, m11, m12, m20, m21, m22) = m
    self.row = row
    self.count = count
    self.border = border
    self.scale = scale
    self.offset = offset
  }
}

/// Bilinear sampling in 1/32 pixel with 8-bit results: OpenCV's classic `warpPerspective`, bit for
/// bit. This is the definition; `warpRow` must equal it.
///
/// Columns go in blocks of 64, and a coordinate is formed from the block's start and the offset in it,
/// because that is where the reference rounds. Writes `3 · count` values, red, green, blue.
public func warpRowReference(
  _ row: WarpRowArguments, _ source: WarpSource, into output: UnsafeMutablePointer<Float>
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
      output[3 * column + channel] =
        Float((top + bottom + 16384) >> 15) * row.scale + row.offset
    }
  }
}

/// Half to even, after clamping to 32 bits; NaN gives the lower bound, so that nothing can be read
/// outside the picture whatever the matrix.
@inline(__always)
func roundedCoordinate(_ value: Double) -> Int {
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
