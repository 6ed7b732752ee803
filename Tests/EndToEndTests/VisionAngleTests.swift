import EndToEndSupport
import FaceKit
import Foundation
import FaceKitTensor
import TestSupport
import Testing

@Suite(
  "Vision: angles of pictures",
  .enabled(if: VisionDoor.available, Comment(rawValue: VisionDoor.reason)),
  .enabled(if: RenderedHead.isAvailable, "needs the canonical face: run tools/setup"))
struct VisionAngleTests {
  static let turns: [Pose] = [-30, -20, -10, 0, 10, 20, 30].flatMap { y in
    [-10, 0, 10].map { x in Pose(x, y, 0) }
  }

  @Test("a rendered head is read as it was turned, within 2°, in both modes", arguments: turns)
  func turned(_ pose: Pose) throws {
    for error in try RenderedHead.errors(pose) {
      #expect(try #require(error).largest < 2, "\(pose): off by \(error!)")
    }
  }

  @Test(
    "a head nods by 25° either way and is read within 2°",
    arguments: [Pose(-25, 0, 0), Pose(-20, 10, 0), Pose(20, -10, 0), Pose(25, 0, 0)])
  func nodding(_ pose: Pose) throws {
    for error in try RenderedHead.errors(pose) {
      #expect(try #require(error).largest < 2, "\(pose): off by \(error!)")
    }
  }

  /// The accurate mode looks at pictures turned by quarters too; the fast one finds faces up to 60°.
  @Test(
    "a head tilted in the plane is read within 2°, upside down in accurate mode",
    arguments: Array(stride(from: -150.0, through: 180, by: 30)))
  func tilted(_ z: Double) throws {
    let errors = try RenderedHead.errors(Pose(0, 0, z))
    let modes = VisionFaceDetectorPerformanceMode.allCases
    for (mode, error) in zip(modes, errors) where mode == .accurate || abs(z) <= 60 {
      #expect(try #require(error).largest < 2, "\(mode) \(z): off by \(error!)")
    }
  }

  @Test(
    "a photograph turned in its plane: z follows within 2°, x and y stay within 2.5°",
    arguments: ["president", "man-sofa", "hopper", "businesswoman", "woman-hat", "man-moustache"])
  func turnedPhotograph(_ id: String) throws {
    let photograph = try TurnedPhotograph(id)
    let modes = VisionFaceDetectorPerformanceMode.allCases
    for (mode, detector) in zip(modes, try RenderedHead.detectors.get()) {
      let upright = try #require(try photograph.angles(turnedBy: 0, detector))
      let reach = mode == .accurate ? 180.0 : 60
      for degrees in stride(from: -150.0, through: 180, by: 30)
      where degrees != 0 && abs(degrees) <= reach {
        let found = try #require(try photograph.angles(turnedBy: degrees, detector))
        let error = found - upright - Pose(0, 0, degrees)
        #expect(abs(error.z) < 2, "\(id) \(degrees): off by \(error)")
        #expect(abs(error.x) < 2.5 && abs(error.y) < 2.5, "\(id) \(degrees): off by \(error)")
      }
    }
  }
}
