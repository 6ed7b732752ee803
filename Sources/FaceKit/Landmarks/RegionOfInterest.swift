/// Where the landmark model looks.
enum RegionOfInterest {
  /// How much larger than the face the region is.
  static let expansion: Float = 1.5

  /// The region of a detection: 1.5 times its box, turned so that the eyes lie level.
  ///
  /// The tasks do not make it square; the legacy solutions do, with `square`.
  static func from(
    _ detection: FaceCandidate, imageWidth: Int, imageHeight: Int, square: Bool = false
  ) -> NormalizedRect {
    let size = (Float(imageWidth), Float(imageHeight))
    let (right, left) = (detection.keypoints[0], detection.keypoints[1])
    let rotation = Angle.ofLine(
      from: Point(x: right.x * size.0, y: right.y * size.1),
      to: Point(x: left.x * size.0, y: left.y * size.1))
    let box = detection.box
    let rect = NormalizedRect(
      centerX: box.minX + box.width / 2, centerY: box.minY + box.height / 2, width: box.width,
      height: box.height, rotation: rotation)
    return expanded(square ? squared(rect, size) : rect)
  }

  /// The region for the next frame: a square, 1.5 times the longer side of the landmarks' bounds,
  /// turned so that the outer eye corners lie level.
  static func from(
    _ landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) -> NormalizedRect {
    let size = (Float(imageWidth), Float(imageHeight))
    var bounds = Rect(
      minX: .infinity, minY: .infinity,
      // The smallest positive number, where minus infinity belongs: the reference starts there, and
      // it matters only for a face wholly at negative coordinates.
      maxX: .leastNormalMagnitude, maxY: .leastNormalMagnitude)
    for landmark in landmarks {
      bounds.minX = min(bounds.minX, landmark.x)
      bounds.minY = min(bounds.minY, landmark.y)
      bounds.maxX = max(bounds.maxX, landmark.x)
      bounds.maxY = max(bounds.maxY, landmark.y)
    }
    let (right, left) = (landmarks[33], landmarks[263])
    let rotation = Angle.ofLine(
      from: Point(x: right.x * size.0, y: right.y * size.1),
      to: Point(x: left.x * size.0, y: left.y * size.1))
    let rect = NormalizedRect(
      centerX: bounds.minX + bounds.width / 2, centerY: bounds.minY + bounds.height / 2,
      width: bounds.width, height: bounds.height, rotation: rotation)
    return expanded(squared(rect, size))
  }

  /// The longer side, in pixels, on both sides.
  private static func squared(_ rect: NormalizedRect, _ size: (Float, Float)) -> NormalizedRect {
    let side = max(rect.width * size.0, rect.height * size.1)
    var square = rect
    square.width = side / size.0
    square.height = side / size.1
    return square
  }

  private static func expanded(_ rect: NormalizedRect) -> NormalizedRect {
    var larger = rect
    larger.width *= expansion
    larger.height *= expansion
    return larger
  }
}
