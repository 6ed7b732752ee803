import FaceKit

/// A contour as it is drawn: a smooth line in its feature's colour.
struct VisionCurve: Sendable {
  let points: [CanvasPoint]
  let colour: Colour
}

/// ML Kit's contours put together to the lines a person would draw.
enum VisionCurves {
  private static let white = Colour(0xF8FAFC)
  /// Left and right are the subject's.
  private static let left = Colour(0xFBBF24)
  private static let right = Colour(0x38BDF8)
  private static let lips = Colour(0xFB7185)
  private static let nose = Colour(0xA78BFA)

  /// The lines of a face whose contours `points` gives; empty contours are left out.
  static func curves(_ points: (FaceContourType) -> [CanvasPoint]) -> [VisionCurve] {
    var curves: [VisionCurve] = []
    func add(_ line: [CanvasPoint], _ colour: Colour, closed: Bool = false) {
      if line.count > 1 {
        curves.append(VisionCurve(points: smooth(line, closed: closed), colour: colour))
      }
    }
    add(points(.face), white, closed: true)
    for (top, bottom, eye, colour) in [
      (
        FaceContourType.leftEyebrowTop, FaceContourType.leftEyebrowBottom, FaceContourType.leftEye,
        left
      ),
      (.rightEyebrowTop, .rightEyebrowBottom, .rightEye, right),
    ] {
      add(points(top), colour)
      add(points(bottom), colour)
      // The lids meet in corners, which one closed curve would round off.
      let lids = points(eye)
      if lids.count == 16 {
        add(Array(lids[0...8]), colour)
        add(Array(lids[8...]) + [lids[0]], colour)
      }
    }
    // Lower lips end beside the corners of the mouth, which belong to the upper ones.
    for (upper, lower) in [
      (FaceContourType.upperLipTop, FaceContourType.lowerLipBottom),
      (.upperLipBottom, .lowerLipTop),
    ] {
      let (above, below) = (points(upper), points(lower))
      add(above, lips)
      if let first = above.first, let last = above.last { add([last] + below + [first], lips) }
    }
    add(points(.noseBridge), nose)
    add(points(.noseBottom), nose)
    return curves
  }

  private static let steps = 8

  /// A curve through all points: a Catmull–Rom spline, as a line of short pieces.
  static func smooth(_ points: [CanvasPoint], closed: Bool) -> [CanvasPoint] {
    guard points.count > 2 else { return points }
    let count = points.count
    func at(_ index: Int) -> CanvasPoint {
      closed ? points[(index + count) % count] : points[max(0, min(count - 1, index))]
    }
    var line: [CanvasPoint] = []
    for index in 0..<(closed ? count : count - 1) {
      let (a, b, c, d) = (at(index - 1), at(index), at(index + 1), at(index + 2))
      for step in 0..<steps {
        let t = Double(step) / Double(steps)
        line.append(
          CanvasPoint(
            x: spline(a.x, b.x, c.x, d.x, t), y: spline(a.y, b.y, c.y, d.y, t)))
      }
    }
    line.append(at(closed ? 0 : count - 1))
    return line
  }

  /// From `b` to `c`, with the slopes of `ac` and `bd`.
  private static func spline(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double
  ) -> Double {
    let linear = (c - a) * t
    let square = (2 * a - 5 * b + 4 * c - d) * t * t
    let cube = (3 * b - 3 * c + d - a) * t * t * t
    return b + (linear + square + cube) / 2
  }
}
