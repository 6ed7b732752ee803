/// Settings of a ``DetectorPipeline``. ``FaceDetectorOptions`` holds one of these.
public struct DetectorSettings: Sendable, Hashable, ValidatedSettings {
  /// The minimum score of a detection, `0...1`.
  public var minDetectionConfidence: Float = 0.5
  /// The overlap (intersection over union) above which two candidates count as the same face, `0...1`.
  public var minSuppressionThreshold: Float = 0.3
  /// The part of the picture that is searched, in fractions of its stored width and height; `nil` for all of it.
  public var regionOfInterest: Rect?
  /// How many tiles the longer side is cut into, to find faces that are small in a large picture, `1...16`;
  /// 1 for none. Tiles are searched in addition to the whole picture.
  public var tiles = 1
  /// The smallest face searched for: its width as a share of the upright picture's, `0...1`. If set, it takes the
  /// place of ``tiles``: there are as many as that face needs, down to faces of 16 pixels. 0 is those of 16 pixels.
  public var minFaceSize: Float?

  /// The published defaults.
  public init() {}

  func validate() throws(FaceKitError) {
    try Validation.unitInterval(minDetectionConfidence, "minDetectionConfidence")
    try Validation.unitInterval(minSuppressionThreshold, "minSuppressionThreshold")
    try Validation.region(regionOfInterest)
    try Validation.tiles(tiles)
    if let minFaceSize { try Validation.unitInterval(minFaceSize, "minFaceSize") }
  }
}
