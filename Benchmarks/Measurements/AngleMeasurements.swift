import EndToEndSupport
import FaceKit

/// Errors of the angles that the Vision surface reads from heads turned by known ones.
enum AngleMeasurements {
  static func run() throws {
    try turns()
    try tilts()
    try distances()
    try places()
    try photographs()
  }

  private static func report(_ pose: Pose, _ note: String, _ errors: [Pose?]) {
    let words = errors.map { $0.map { "\($0)" } ?? "none" }
    print("\(pose)\(note): fast \(words[0]), accurate \(words[1])")
  }

  /// Turns of a rendered head.
  private static func turns() throws {
    for y in stride(from: -40.0, through: 40, by: 10) {
      for x in [-25.0, -20, -10, 0, 10, 20, 25] {
        report(Pose(x, y, 0), "", try RenderedHead.errors(Pose(x, y, 0)))
      }
    }
  }

  /// Tilts of a rendered head.
  private static func tilts() throws {
    for z in stride(from: -165.0, through: 180, by: 15) {
      for (x, y) in [(0.0, 0.0), (10, 20), (-10, -20)] {
        report(Pose(x, y, z), "", try RenderedHead.errors(Pose(x, y, z)))
      }
    }
  }

  /// Distances of a rendered head from the camera.
  private static func distances() throws {
    for distance in [25.0, 30, 40, 50, 60, 70, 80, 100, 130] {
      for pose in [Pose(0, 0, 0), Pose(15, 0, 0), Pose(-15, 0, 0), Pose(0, 30, 0), Pose(0, -30, 0)]
      {
        report(pose, " at \(distance) cm", try RenderedHead.errors(pose, distance: distance))
      }
    }
  }

  /// Places of a rendered head in the picture, looking parallel to the camera's axis.
  private static func places() throws {
    for offset in [80.0, 160] {
      for (x, y) in [(offset, 0.0), (-offset, 0), (0, offset), (0, -offset)] {
        report(
          Pose(0, 0, 0), " at (\(x), \(y)) from the middle",
          try RenderedHead.errors(Pose(0, 0, 0), offset: (x, y)))
      }
    }
  }

  /// Photographs turned in their plane: differences from the upright one.
  private static func photographs() throws {
    for id in [
      "president", "man-sofa", "businesswoman", "man-moustache", "hopper", "woman-hat",
      "astronaut",
    ] {
      let photograph = try TurnedPhotograph(id)
      let detectors = try RenderedHead.detectors.get()
      let upright = try detectors.map { try photograph.angles(turnedBy: 0, $0) }
      for degrees in stride(from: -165.0, through: 180, by: 15) {
        let errors = try zip(detectors, upright).map { detector, upright in
          guard let upright else { return Pose?.none }
          return try photograph.angles(turnedBy: degrees, detector).map { found in
            found - upright - Pose(0, 0, degrees)
          }
        }
        report(Pose(0, 0, degrees), " \(id)", errors)
      }
    }
  }
}
