import FaceKitTensor

/// The models of the Vision surface, as bytes.
public struct VisionModels: Sendable {
  /// Detector, mesh, blendshapes and the canonical face: the members of `face_landmarker.task`.
  public var face: FaceModels
  /// `face_detection_full_range_sparse.tflite`, which ``VisionFaceDetectorPerformanceMode/accurate`` uses in addition to
  /// the short-range detector. Without it, tiles take its place: slower, and as thorough.
  public var fullRangeDetector: StorageView?

  /// Creates the set.
  public init(face: FaceModels, fullRangeDetector: StorageView? = nil) {
    self.face = face
    self.fullRangeDetector = fullRangeDetector
  }
}
