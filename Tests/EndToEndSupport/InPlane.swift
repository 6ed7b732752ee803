import FaceKit
import Foundation

/// Turns pictures in their plane.
package enum InPlane {
  /// A square of `side` pixels around a point, turned counter-clockwise as the viewer sees it; beyond the picture it is
  /// gray.
  package static func turn(
    _ image: MPImage, by degrees: Double, about center: (x: Double, y: Double), side: Int
  ) throws -> MPImage {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let texels = image.pixels.base.assumingMemoryBound(to: UInt8.self)
    var pixels = [UInt8](repeating: 128, count: side * side * 3)
    // Plain loops over pointers: this is compiled without optimisation.
    pixels.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<side {
        for x in 0..<side {
          let dx = Double(x) + 0.5 - Double(side) / 2
          let dy = Double(y) + 0.5 - Double(side) / 2
          // Seen with y down, counter-clockwise is by the negative angle; this is its inverse.
          let u = center.x + c * dx - s * dy - 0.5
          let v = center.y + s * dx + c * dy - 0.5
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

/// A photograph of one face, to be turned about the face's middle.
package struct TurnedPhotograph {
  private let picture: MPImage
  private let middle: (x: Double, y: Double)
  private let side: Int

  package init(_ id: String) throws {
    picture = try VisionDoor.picture(id)
    let frame = try VisionDoor.faces(id) { _ in }[0].frame
    middle = (Double(frame.midX), Double(frame.midY))
    // Room for the face and what is around it, whichever way it lies.
    side = Int(3 * max(frame.width, frame.height)) / 2 * 2
  }

  /// The angles that are read when the photograph is turned counter-clockwise.
  package func angles(turnedBy degrees: Double, _ detector: VisionFaceDetector) throws -> Pose? {
    let turned = try InPlane.turn(picture, by: degrees, about: middle, side: side)
    let face = try detector.results(in: VisionImage(image: turned)).first
    return face?.headEulerAngles.map(Pose.init)
  }
}
