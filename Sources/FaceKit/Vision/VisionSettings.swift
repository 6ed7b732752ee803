/// What a ``VisionPipeline`` is asked for: the values of ``VisionFaceDetectorOptions``, which explains them.
public struct VisionSettings: Sendable, Hashable, ValidatedSettings {
  public var performanceMode = VisionFaceDetectorPerformanceMode.fast
  public var landmarkMode = VisionFaceDetectorLandmarkMode.none
  public var contourMode = VisionFaceDetectorContourMode.none
  public var classificationMode = VisionFaceDetectorClassificationMode.none
  public var minFaceSize = 0.1
  public var isTrackingEnabled = false

  // MARK: Beyond ML Kit

  public var contourScope = VisionContourScope.mostProminent
  public var sideConvention = VisionSideConvention.subject
  public var coordinateSpace = VisionCoordinateSpace.upright
  public var reportsEulerAnglesInContourOnlyMode = false
  public var hidesOccludedLandmarks = false
  public var smoothsTrackedFaces = true
  public var maxFaces: Int?
  public var minConfidence: Float = 0.5
  public var calibration = ClassificationCalibration()

  public init() {}

  func validate() throws(FaceKitError) {
    guard minFaceSize >= 0 && minFaceSize <= 1 else {
      throw .invalid(
        "\(minFaceSize) is out of range", at: "minFaceSize", advice: "give a value in 0...1")
    }
    try Validation.unitInterval(minConfidence, "minConfidence")
    if let maxFaces { try Validation.positive(maxFaces, "maxFaces") }
    try calibration.validate()
  }

  // MARK: How the modes work together

  /// Contours in fast mode and nothing else: then ML Kit looks at one face, without angles and tracking.
  var isContourOnlyFast: Bool {
    contourMode == .all && performanceMode == .fast && landmarkMode == .none
      && classificationMode == .none
  }

  /// Whether only the most prominent face is returned.
  var findsOneFace: Bool { isContourOnlyFast && contourScope == .mostProminent }

  var reportsEulerAngles: Bool { !isContourOnlyFast || reportsEulerAnglesInContourOnlyMode }

  var tracks: Bool { isTrackingEnabled && !isContourOnlyFast }

  /// Whether the head's pose has to be computed: for angles, and for what depends on them.
  var needsPose: Bool {
    reportsEulerAngles || landmarkMode == .all || classificationMode == .all
  }

  /// Faces of at least this share of the picture's width are returned. A tenth is conceded, since the wanted size
  /// is no hard limit; contours alone know no limit.
  var smallestWidth: Float { isContourOnlyFast ? 0 : Float(0.9 * minFaceSize) }
}
