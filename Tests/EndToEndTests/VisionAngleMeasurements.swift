import FaceKit
import Foundation
import TestSupport
import Testing

/// What the article on the Vision surface says of the angles' errors. Not a check: run it with
/// `FACEKIT_MEASURE=1 tools/test --filter VisionAngleMeasurements` and compare.
@Suite(
  "Measurements of the Vision angles",
  .enabled(
    if: VisionDoor.available && RenderedHead.isAvailable && Measuring.isOn, Measuring.reason))
struct VisionAngleMeasurements {
  private func report(_ pose: Pose, _ note: String, _ errors: [Pose?]) {
    let words = errors.map { $0.map { "\($0)" } ?? "none" }
    print("MEASURED \(pose)\(note): fast \(words[0]), accurate \(words[1])")
  }

  @Test("turns of a rendered head")
  func turns() throws {
    for y in stride(from: -40.0, through: 40, by: 10) {
      for x in [-25.0, -20, -10, 0, 10, 20, 25] {
        report(Pose(x, y, 0), "", try RenderedHead.errors(Pose(x, y, 0)))
      }
    }
  }

  @Test("tilts of a rendered head")
  func tilts() throws {
    for z in stride(from: -165.0, through: 180, by: 15) {
      for (x, y) in [(0.0, 0.0), (10, 20), (-10, -20)] {
        report(Pose(x, y, z), "", try RenderedHead.errors(Pose(x, y, z)))
      }
    }
  }

  @Test("distances of a rendered head")
  func distances() throws {
    for distance in [25.0, 30, 40, 50, 60, 70, 80, 100, 130] {
      for pose in [Pose(0, 0, 0), Pose(15, 0, 0), Pose(-15, 0, 0), Pose(0, 30, 0), Pose(0, -30, 0)]
      {
        report(pose, " at \(distance) cm", try RenderedHead.errors(pose, distance: distance))
      }
    }
  }

  @Test("places of a rendered head, looking parallel to the camera's axis")
  func places() throws {
    for offset in [80.0, 160] {
      for (x, y) in [(offset, 0.0), (-offset, 0), (0, offset), (0, -offset)] {
        report(
          Pose(0, 0, 0), " at (\(x), \(y)) from the middle",
          try RenderedHead.errors(Pose(0, 0, 0), offset: (x, y)))
      }
    }
  }

  @Test("photographs turned in their plane: difference from the upright one")
  func photographs() throws {
    for id in [
      "president", "man-sofa", "businesswoman", "man-moustache", "hopper", "woman-hat",
      "astronaut",
    ] {
      let photograph = try TurnedPhotograph(id)
      let detectors = try RenderedHead.detectors.get()
      let upright = try detectors.map { try #require(try photograph.angles(turnedBy: 0, $0)) }
      for degrees in stride(from: -165.0, through: 180, by: 15) {
        let errors = try zip(detectors, upright).map { detector, upright in
          try photograph.angles(turnedBy: degrees, detector).map { found in
            found - upright - Pose(0, 0, degrees)
          }
        }
        report(Pose(0, 0, degrees), " \(id)", errors)
      }
    }
  }
}

enum Measuring {
  static let isOn = ProcessInfo.processInfo.environment["FACEKIT_MEASURE"] != nil
  static let reason: Comment = "set FACEKIT_MEASURE=1 to run them"
}
