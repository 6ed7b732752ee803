/// Arguments of the bilinear sampler: a run of columns whose taps all lie inside the picture.
///
/// Column *i* reads at `((x0 + dx·i)·w, (y0 + dy·i)·w)` in 1/32 pixel, `w = 32 / (w0 + dw·i)`, rounded half
/// to even; `output` takes `((Σ taps · weights + 512) >> 10) · scale + offset` for red, green and blue.
public struct BilinearRunArguments {
  public var base: UnsafePointer<UInt8>
  /// Bytes from one row to the next.
  public var rowStride: Int
  /// Bytes from one pixel to the next: 1, 3 or 4. Eight bytes are read at each tap.
  public var pixelStride: Int
  /// Where the channels are within a pixel.
  public var red, green, blue: Int
  public var x0, dx, y0, dy, w0, dw: Double
  /// The first column's *i*.
  public var first: Double
  public var count: Int
  public var scale, offset: Float
  /// `3 · count` values.
  public var output: UnsafeMutablePointer<Float>

  public init(
    base: UnsafePointer<UInt8>, rowStride: Int, pixelStride: Int,
    channels: (red: Int, green: Int, blue: Int), x: (start: Double, step: Double),
    y: (start: Double, step: Double), w: (start: Double, step: Double), first: Double, count: Int,
    scale: Float, offset: Float, output: UnsafeMutablePointer<Float>
  ) {
    self.base = base
    self.rowStride = rowStride
    self.pixelStride = pixelStride
    (red, green, blue) = channels
    (x0, dx) = x
    (y0, dy) = y
    (w0, dw) = w
    self.first = first
    self.count = count
    self.scale = scale
    self.offset = offset
    self.output = output
  }
}
