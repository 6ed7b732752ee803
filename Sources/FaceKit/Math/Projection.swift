import FaceKitKernels

/// The way back from a model's tensor to the picture: normalised tensor coordinates in, normalised
/// image coordinates out. It undoes the letterbox too, because the region is the padded one.
struct Projection: Sendable {
  private let xx, xy, x0, yx, yy, y0: Float
  /// How far the tensor's x axis reaches in the picture, in normalised units: depth scales with it.
  let depthScale: Float

  init(region: PixelRegion, imageWidth: Int, imageHeight: Int) {
    let (w, h) = (Float(imageWidth), Float(imageHeight))
    let (rw, rh) = (region.width, region.height)
    let c = Elementary.cos(region.rotation)
    let s = Elementary.sin(region.rotation)
    xx = rw * c / w
    xy = -rh * s / w
    x0 = (region.centerX - 0.5 * rw * c + 0.5 * rh * s) / w
    yx = rw * s / h
    yy = rh * c / h
    y0 = (region.centerY - 0.5 * rh * c - 0.5 * rw * s) / h
    depthScale = (xx * xx + yx * yx).squareRoot()
  }

  func callAsFunction(_ u: Float, _ v: Float) -> Point {
    Point(x: xx * u + xy * v + x0, y: yx * u + yy * v + y0)
  }

  func callAsFunction(_ point: Point) -> Point { self(point.x, point.y) }

  /// The axis-aligned bounds of a box's four projected corners.
  func callAsFunction(_ box: Rect) -> Rect {
    let first = self(box.minX, box.minY)
    var bounds = Rect(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for corner in [
      self(box.maxX, box.minY), self(box.maxX, box.maxY), self(box.minX, box.maxY),
    ] {
      bounds.minX = min(bounds.minX, corner.x)
      bounds.minY = min(bounds.minY, corner.y)
      bounds.maxX = max(bounds.maxX, corner.x)
      bounds.maxY = max(bounds.maxY, corner.y)
    }
    return bounds
  }
}
