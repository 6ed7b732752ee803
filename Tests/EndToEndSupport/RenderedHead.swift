import FaceKit
import FaceKitTensor
import Foundation
import TestSupport

/// The canonical face, rendered with people's skin, and how its turn is read.
package enum RenderedHead {
  package static let geometry = "geometry_pipeline_metadata_landmarks.binarypb"
  package static let isAvailable = ModelFiles.isAvailable(geometry)

  package static let renderer = Result {
    // Large faces that look straight ahead, without glasses, beards and hats.
    let pictures = try ["president", "man-sofa", "businesswoman"].map(VisionDoor.picture)
    let mirrored = try pictures.map { try $0.oriented(.upMirrored).upright() }
    return try HeadRenderer(
      metadata: GeometryMetadata(StorageView(Storage(copying: ModelFiles.bytes(geometry)))),
      portraits: (pictures + mirrored).map { picture in
        HeadRenderer.Portrait(
          picture: picture,
          landmarks: try Tasks.oneFace.get().detect(image: picture).faceLandmarks[0])
      })
  }

  package static let detectors = Result {
    try VisionFaceDetectorPerformanceMode.allCases.map { mode in
      let detector = VisionDoor.detector { $0.performanceMode = mode }
      try detector.prepare()
      return detector
    }
  }

  /// By how much the angles that are read differ from those that the head was turned by, fast and accurate; `nil` where
  /// nothing is found.
  package static func errors(
    _ pose: Pose, distance: Double = 55, offset: (x: Double, y: Double) = (0, 0)
  ) throws -> [Pose?] {
    let picture = try renderer.get().render(
      HeadRenderer.rotation(x: pose.x, y: pose.y, z: pose.z), distance: distance, offset: offset)
    return try detectors.get().map { detector in
      let face = try detector.results(in: VisionImage(image: picture)).first
      return face?.headEulerAngles.map { Pose($0) - pose }
    }
  }
}

/// Angles in degrees, and their differences.
package struct Pose: Sendable, CustomStringConvertible {
  package var x, y, z: Double

  package init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }
  package init(_ angles: HeadEulerAngles) { self.init(angles.x, angles.y, angles.z) }

  package static func - (a: Pose, b: Pose) -> Pose {
    Pose(a.x - b.x, a.y - b.y, (a.z - b.z).remainder(dividingBy: 360))
  }

  package var largest: Double { max(abs(x), abs(y), abs(z)) }

  package var description: String { String(format: "(%.1f, %.1f, %.1f)", x, y, z) }
}
