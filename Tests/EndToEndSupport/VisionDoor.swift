import FaceKit
import TestSupport

/// Detectors of the Vision surface for tests.
package enum VisionDoor {
  package static let available = Tasks.available
  package static let reason = Tasks.reason

  package static func detector(
    _ set: (VisionFaceDetectorOptions) -> Void = { _ in }
  ) -> VisionFaceDetector {
    let options = VisionFaceDetectorOptions()
    options.modelPath = ModelFiles.folder.path
    set(options)
    return Vision.vision().faceDetector(options: options)
  }

  package static func all(_ options: VisionFaceDetectorOptions) {
    options.landmarkMode = .all
    options.contourMode = .all
    options.classificationMode = .all
  }

  package static func picture(_ id: String) throws -> MPImage {
    try Tasks.image(CorpusManifest.load().image(id))
  }

  package static func faces(
    _ id: String, _ set: (VisionFaceDetectorOptions) -> Void = VisionDoor.all
  ) throws -> [VisionFace] {
    try detector(set).results(in: VisionImage(image: picture(id)))
  }

  /// A picture, stored so that `orientation` brings it upright.
  package static func stored(_ upright: MPImage, _ orientation: ImageOrientation) throws -> MPImage
  {
    // Storing is the inverse of bringing upright; only the quarter turns are not their own inverse.
    let inverse: [ImageOrientation: ImageOrientation] = [.left: .right, .right: .left]
    return try upright.oriented(inverse[orientation] ?? orientation).upright()
  }
}
