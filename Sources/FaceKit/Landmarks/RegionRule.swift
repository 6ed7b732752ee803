import FaceKitKernels

/// How the region for a landmark model follows from a box and two points of what it holds: the line between
/// the points turns the region, the box places and sizes it.
struct RegionRule: Sendable, Equatable {
  /// Indices of the points where the line begins and ends: keypoints of a detection, or landmarks.
  var lineStart: Int
  var lineEnd: Int
  /// The direction of the line in the region, radians; 0 for one that runs level to the right.
  var targetAngle = 0.0
  /// The region's size as a multiple of the box's.
  var scale: Float
  /// Displacement of the centre along the region's own axes, as a share of the box's sides.
  var shiftX: Float = 0
  var shiftY: Float = 0
  /// Whether both sides become the longer one, in pixels.
  var isSquare: Bool

  /// The region around `box`; the line runs from `start` to `end`, all in fractions of the picture's sides.
  func region(
    around box: Rect, lineFrom start: Point, to end: Point, imageWidth: Int, imageHeight: Int
  ) -> NormalizedRect {
    let (w, h) = (Float(imageWidth), Float(imageHeight))
    let rotation = Angle.ofLine(
      from: Point(x: start.x * w, y: start.y * h), to: Point(x: end.x * w, y: end.y * h),
      target: targetAngle)
    var rect = NormalizedRect(
      centerX: box.minX + box.width / 2, centerY: box.minY + box.height / 2, width: box.width,
      height: box.height, rotation: rotation)
    if shiftX != 0 || shiftY != 0 {
      let (dx, dy) = (box.width * w * shiftX, box.height * h * shiftY)
      let (c, s) = (Elementary.cos(rotation), Elementary.sin(rotation))
      rect.centerX += (dx * c - dy * s) / w
      rect.centerY += (dx * s + dy * c) / h
    }
    if isSquare {
      let side = max(rect.width * w, rect.height * h)
      rect.width = side / w
      rect.height = side / h
    }
    rect.width *= scale
    rect.height *= scale
    return rect
  }

  /// The region of a detection.
  func region(
    of detection: DetectionCandidate, imageWidth: Int, imageHeight: Int
  ) -> NormalizedRect {
    region(
      around: detection.box, lineFrom: detection.keypoints[lineStart],
      to: detection.keypoints[lineEnd], imageWidth: imageWidth, imageHeight: imageHeight)
  }

  /// The region for the next frame of a stream, from this frame's landmarks.
  func region(
    of landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) -> NormalizedRect {
    let (start, end) = (landmarks[lineStart], landmarks[lineEnd])
    return region(
      around: RegionRule.bounds(of: landmarks), lineFrom: Point(x: start.x, y: start.y),
      to: Point(x: end.x, y: end.y), imageWidth: imageWidth, imageHeight: imageHeight)
  }

  private static func bounds(of landmarks: [NormalizedLandmark]) -> Rect {
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
    return bounds
  }
}

extension RegionRule {
  /// The region of a detected face: 1.5 times its box, turned so that the eyes lie level.
  static let faceDetection = RegionRule(
    lineStart: FaceKeypoint.rightEye, lineEnd: FaceKeypoint.leftEye, scale: 1.5, isSquare: false)

  /// The same made square, as the legacy solutions do.
  static let legacyFaceDetection = RegionRule(
    lineStart: FaceKeypoint.rightEye, lineEnd: FaceKeypoint.leftEye, scale: 1.5, isSquare: true)

  /// The region of a face mesh: a square of 1.5 times its bounds' longer side, turned so that the outer
  /// corners of the eyes (landmarks 33 and 263) lie level.
  static let faceMesh = RegionRule(lineStart: 33, lineEnd: 263, scale: 1.5, isSquare: true)
}
