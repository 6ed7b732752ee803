import FaceKit
import Foundation
import Tensor
import TestSupport
import Testing

@Suite("Vision: angles of pictures", .enabled(if: VisionDoor.available, VisionDoor.reason))
struct VisionAngleTests {
  static let geometry = "geometry_pipeline_metadata_landmarks.binarypb"

  /// The canonical face with the skin of a portrait.
  static let renderer = Result {
    let skin = try VisionDoor.picture("businesswoman")
    let places = try Tasks.oneFace.get().detect(image: skin).faceLandmarks[0]
    return HeadRenderer(
      metadata: try GeometryMetadata(
        StorageView(Storage(copying: ModelFiles.bytes(geometry)))), skin: skin, places: places)
  }

  private static func angles(x: Double, y: Double, z: Double) throws -> HeadEulerAngles {
    let picture = try renderer.get().render(HeadRenderer.rotation(x: x, y: y, z: z))
    let detector = VisionDoor.detector { $0.performanceMode = .accurate }
    let face = try #require(try detector.results(in: VisionImage(image: picture)).first)
    return try #require(face.headEulerAngles)
  }

  /// The mesh model has its opinion of every skin: this one looks a little downwards to it.
  private static let neutral = Result { try angles(x: 0, y: 0, z: 0) }

  private static let poses: [(x: Double, y: Double, z: Double)] = [
    (12, 0, 0), (-12, 0, 0), (0, 15, 0), (0, -15, 0), (0, 0, 30), (0, 0, -45), (-10, 12, -25),
    (10, -12, 40),
  ]

  @Test(
    "renders of the canonical face have the angles it was turned by, within 2°",
    .enabled(if: ModelFiles.isAvailable(geometry), "needs the canonical face"),
    arguments: poses.indices)
  func renders(_ index: Int) throws {
    let pose = VisionAngleTests.poses[index]
    let neutral = try VisionAngleTests.neutral.get()
    #expect(abs(neutral.x) < 3 && abs(neutral.y) < 2 && abs(neutral.z) < 2, "\(neutral)")
    let found = try VisionAngleTests.angles(x: pose.x, y: pose.y, z: pose.z)
    let off = (
      found.x - neutral.x - pose.x, found.y - neutral.y - pose.y, found.z - neutral.z - pose.z
    )
    #expect(abs(off.0) < 2 && abs(off.1) < 2 && abs(off.2) < 2, "\(pose): off by \(off)")
  }

  @Test(
    "turned by 30° to the side, a render is underestimated by less than 4°",
    .enabled(if: ModelFiles.isAvailable(geometry), "needs the canonical face"),
    arguments: [30.0, -30])
  func farTurns(_ y: Double) throws {
    let found = try VisionAngleTests.angles(x: 0, y: y, z: 0)
    let neutral = try VisionAngleTests.neutral.get()
    #expect(abs(found.y - neutral.y - y) < 4, "\(found)")
    #expect(abs(found.x - neutral.x) < 2 && abs(found.z - neutral.z) < 2, "\(found)")
  }

  @Test(
    "a photograph turned in its plane: z follows within 2°, x and y stay",
    arguments: ["astronaut", "businesswoman"])
  func inPlane(_ id: String) throws {
    let picture = try VisionDoor.picture(id)
    let detector = VisionDoor.detector()
    let upright = try #require(try detector.results(in: VisionImage(image: picture)).first)
    let middle = (upright.frame.midX, upright.frame.midY)
    for degrees in [-60.0, -30, -15, 15, 30, 60] {
      let turned = try InPlane.turn(
        picture, by: degrees, about: (Double(middle.0), Double(middle.1)), side: 320)
      let face = try #require(
        try detector.results(in: VisionImage(image: turned)).first, "\(id) \(degrees)")
      // Another resampling and another crop: x and y of a face of 90 pixels are not to the degree.
      #expect(
        abs(face.headEulerAngleZ - upright.headEulerAngleZ - degrees) < 2,
        "\(id) \(degrees): \(face.headEulerAngleZ)")
      #expect(abs(face.headEulerAngleX - upright.headEulerAngleX) < 4, "\(id) \(degrees)")
      #expect(abs(face.headEulerAngleY - upright.headEulerAngleY) < 4, "\(id) \(degrees)")
    }
  }
}

/// Turns pictures in their plane.
private enum InPlane {
  /// A square around a point, turned counter-clockwise as the viewer sees it; outside the picture it is gray.
  static func turn(
    _ image: MPImage, by degrees: Double, about center: (Double, Double), side: Int
  ) throws -> MPImage {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let texels = image.pixels.base.assumingMemoryBound(to: UInt8.self)
    var pixels = [UInt8](repeating: 128, count: side * side * 3)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<side {
        for x in 0..<side {
          let dx = Double(x) + 0.5 - Double(side) / 2
          let dy = Double(y) + 0.5 - Double(side) / 2
          // Seen with y down, counter-clockwise is by the negative angle; this is its inverse.
          let u = center.0 + c * dx - s * dy - 0.5
          let v = center.1 + s * dx + c * dy - 0.5
          let (i, j) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
          if i < 0 || j < 0 || i + 1 >= image.width || j + 1 >= image.height { continue }
          let (fx, fy) = (u - Double(i), v - Double(j))
          for channel in 0..<3 {
            let at = texels + j * image.rowStride + 3 * i + channel
            let top = Double(at[0]) * (1 - fx) + Double(at[3]) * fx
            let below = at + image.rowStride
            let bottom = Double(below[0]) * (1 - fx) + Double(below[3]) * fx
            pixels[(y * side + x) * 3 + channel] = UInt8(top * (1 - fy) + bottom * fy + 0.5)
          }
        }
      }
    }
    return try MPImage(copying: pixels, width: side, height: side, format: .rgb)
  }
}
