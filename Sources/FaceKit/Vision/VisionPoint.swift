/// A point of a face in pixels, origin top left. May lie outside the picture.
public struct VisionPoint: Sendable, Hashable {
  /// Pixels from the picture's left edge.
  public var x: VisionScalar
  /// Pixels from the picture's top edge.
  public var y: VisionScalar
  /// Always `nil`: contours and landmarks are flat.
  public var z: VisionScalar?

  /// Creates a point from its coordinates.
  public init(x: VisionScalar, y: VisionScalar, z: VisionScalar? = nil) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ point: Point) {
    self.init(x: VisionScalar(point.x), y: VisionScalar(point.y))
  }
}

/// The way from the upright picture to the pixels as they are stored.
struct UprightMapping: Sendable {
  private let orientation: ImageOrientation
  private let width: Float
  private let height: Float

  /// For a picture of `width` × `height` stored pixels.
  init(_ orientation: ImageOrientation, storedWidth: Int, storedHeight: Int) {
    self.orientation = orientation
    width = Float(storedWidth)
    height = Float(storedHeight)
  }

  /// Where a point of the upright picture is stored, both in continuous pixel coordinates.
  func stored(_ p: Point) -> Point {
    switch orientation {
    case .up: p
    case .upMirrored: Point(x: width - p.x, y: p.y)
    case .down: Point(x: width - p.x, y: height - p.y)
    case .downMirrored: Point(x: p.x, y: height - p.y)
    case .leftMirrored: Point(x: p.y, y: p.x)
    case .right: Point(x: p.y, y: height - p.x)
    case .rightMirrored: Point(x: width - p.y, y: height - p.x)
    case .left: Point(x: width - p.y, y: p.x)
    }
  }

  /// The box that two opposite corners span.
  func stored(_ box: Rect) -> Rect {
    let a = stored(Point(x: box.minX, y: box.minY))
    let b = stored(Point(x: box.maxX, y: box.maxY))
    return Rect(
      minX: min(a.x, b.x), minY: min(a.y, b.y), maxX: max(a.x, b.x), maxY: max(a.y, b.y))
  }
}
