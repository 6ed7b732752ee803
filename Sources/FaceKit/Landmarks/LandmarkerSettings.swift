/// Settings of a ``LandmarkPipeline``. ``FaceLandmarkerOptions`` holds one of these.
public struct LandmarkerSettings: Sendable, Hashable, ValidatedSettings {
  /// The maximum number of faces, 1 or more.
  public var numFaces = 1
  /// The minimum score of a detection, `0...1`.
  public var minFaceDetectionConfidence: Float = 0.5
  /// The presence score above which a region holds a face, `0...1`. At 1 nothing passes.
  public var minFacePresenceConfidence: Float = 0.5
  /// Streams: the overlap (intersection over union) above which a tracked region and a new detection count as
  /// the same face, `0...1`.
  public var minTrackingConfidence: Float = 0.5
  /// Whether to compute the expression: 52 scores per face.
  public var outputFaceBlendshapes = false
  /// Whether to compute the pose: a 4×4 matrix per face.
  public var outputFacialTransformationMatrixes = false
  /// Whether a stream's landmarks are smoothed.
  public var smoothing = Smoothing.singleFace
  /// Streams: whether faces keep their places in the result while they are followed, in the order they
  /// were first seen. If not, a face that the detector sees anew goes to the end, as in MediaPipe. Tracking
  /// is the same either way.
  public var keepsFaceOrder = false
  /// Where new faces are looked for, normalised; `nil` for all of the picture. Tracked faces may leave it.
  public var regionOfInterest: Rect?
  /// See ``DetectorSettings/tiles``.
  public var tiles = 1
  /// See ``DetectorSettings/minFaceSize``.
  public var minFaceSize: Float?

  /// When the One Euro filter runs on a stream. Still pictures are never smoothed.
  public enum Smoothing: Sendable, Hashable {
    /// Never.
    case off
    /// If `numFaces` is 1, as MediaPipe does.
    case singleFace
    /// Each tracked face by itself.
    case everyFace
  }

  /// The published defaults.
  public init() {}

  func validate() throws(FaceKitError) {
    try Validation.positive(numFaces, "numFaces")
    try Validation.unitInterval(minFaceDetectionConfidence, "minFaceDetectionConfidence")
    try Validation.unitInterval(minFacePresenceConfidence, "minFacePresenceConfidence")
    try Validation.unitInterval(minTrackingConfidence, "minTrackingConfidence")
    try Validation.region(regionOfInterest)
    try Validation.tiles(tiles)
    if let minFaceSize { try Validation.unitInterval(minFaceSize, "minFaceSize") }
  }

  /// The detector's suppression threshold inside the landmarker, where it is no option.
  static let suppressionThreshold: Float = 0.5
  /// The same in the legacy solutions.
  static let legacySuppressionThreshold: Float = 0.3
}

extension Validated<LandmarkerSettings> {
  /// The settings of the detector inside.
  func detector(isLegacy: Bool) -> Validated<DetectorSettings> {
    var settings = DetectorSettings()
    settings.minDetectionConfidence = value.minFaceDetectionConfidence
    settings.minSuppressionThreshold =
      isLegacy
      ? LandmarkerSettings.legacySuppressionThreshold : LandmarkerSettings.suppressionThreshold
    settings.regionOfInterest = value.regionOfInterest
    settings.tiles = value.tiles
    settings.minFaceSize = value.minFaceSize
    return Validated<DetectorSettings>(settings, from: self)
  }
}
