/// What a landmark pipeline is asked for. See ``FaceLandmarkerOptions`` for the meaning and ranges.
public struct LandmarkerSettings: Sendable, Hashable {
  public var numFaces = 1
  public var minFaceDetectionConfidence: Float = 0.5
  public var minFacePresenceConfidence: Float = 0.5
  public var minTrackingConfidence: Float = 0.5
  public var outputFaceBlendshapes = false
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

  /// When the One Euro filter runs on a stream. Still pictures are never smoothed.
  public enum Smoothing: Sendable, Hashable {
    /// Never.
    case off
    /// If `numFaces` is 1, as MediaPipe does.
    case singleFace
    /// Each tracked face by itself.
    case everyFace
  }

  public init() {}

  /// - Throws: ``FaceKitError`` `invalidArgument` that names the option, its value and its range.
  public func validate() throws(FaceKitError) {
    try Validation.positive(numFaces, "numFaces")
    try Validation.unitInterval(minFaceDetectionConfidence, "minFaceDetectionConfidence")
    try Validation.unitInterval(minFacePresenceConfidence, "minFacePresenceConfidence")
    try Validation.unitInterval(minTrackingConfidence, "minTrackingConfidence")
    try Validation.region(regionOfInterest)
    try Validation.tiles(tiles)
  }

  /// Overlap at which the detector merges candidates, fixed inside the landmarker.
  static let suppressionThreshold: Float = 0.5

  /// The settings of the detector inside.
  func detector(isLegacy: Bool) -> DetectorSettings {
    var settings = DetectorSettings()
    settings.minDetectionConfidence = minFaceDetectionConfidence
    settings.minSuppressionThreshold = isLegacy ? 0.3 : LandmarkerSettings.suppressionThreshold
    settings.regionOfInterest = regionOfInterest
    settings.tiles = tiles
    return settings
  }
}
