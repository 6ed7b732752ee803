/// Settings of a ``VisionPipeline``. ``VisionFaceDetectorOptions`` holds one of these.
public struct VisionSettings: Sendable, Hashable, ValidatedSettings {
  /// See ``VisionFaceDetectorOptions/performanceMode``.
  public var performanceMode = VisionFaceDetectorPerformanceMode.fast
  /// See ``VisionFaceDetectorOptions/landmarkMode``.
  public var landmarkMode = VisionFaceDetectorLandmarkMode.none
  /// See ``VisionFaceDetectorOptions/contourMode``.
  public var contourMode = VisionFaceDetectorContourMode.none
  /// See ``VisionFaceDetectorOptions/classificationMode``.
  public var classificationMode = VisionFaceDetectorClassificationMode.none
  /// See ``VisionFaceDetectorOptions/minFaceSize``.
  public var minFaceSize = 0.1
  /// See ``VisionFaceDetectorOptions/isTrackingEnabled``.
  public var isTrackingEnabled = false

  // MARK: Beyond ML Kit

  /// See ``VisionFaceDetectorOptions/contourScope``.
  public var contourScope = VisionContourScope.mostProminent
  /// See ``VisionFaceDetectorOptions/sideConvention``.
  public var sideConvention = VisionSideConvention.subject
  /// See ``VisionFaceDetectorOptions/coordinateSpace``.
  public var coordinateSpace = VisionCoordinateSpace.upright
  /// See ``VisionFaceDetectorOptions/reportsEulerAnglesInContourOnlyMode``.
  public var reportsEulerAnglesInContourOnlyMode = false
  /// See ``VisionFaceDetectorOptions/hidesOccludedLandmarks``.
  public var hidesOccludedLandmarks = false
  /// See ``VisionFaceDetectorOptions/estimatesRegionConfidence``.
  public var estimatesRegionConfidence = false
  /// See ``VisionFaceDetectorOptions/hidesOccludedRegions``.
  public var hidesOccludedRegions = false
  /// See ``VisionFaceDetectorOptions/smoothsTrackedFaces``.
  public var smoothsTrackedFaces = true
  /// See ``VisionFaceDetectorOptions/maxFaces``.
  public var maxFaces: Int?
  /// See ``VisionFaceDetectorOptions/minConfidence``.
  public var minConfidence: Float = 0.5
  /// See ``VisionFaceDetectorOptions/calibration``.
  public var calibration = ClassificationCalibration()

  /// The defaults of ML Kit.
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

  /// Contours in fast mode and nothing else: then ML Kit reports one face, without angles and tracking.
  var isContourOnlyFast: Bool {
    contourMode == .all && performanceMode == .fast && landmarkMode == .none
      && classificationMode == .none
  }

  /// Whether only the most prominent face is returned.
  var findsOneFace: Bool { isContourOnlyFast && contourScope == .mostProminent }

  var needsRegionConfidence: Bool { estimatesRegionConfidence || hidesOccludedRegions }

  var reportsEulerAngles: Bool { !isContourOnlyFast || reportsEulerAnglesInContourOnlyMode }

  var tracks: Bool { isTrackingEnabled && !isContourOnlyFast }

  /// Whether the head's pose has to be computed: for angles, and for what depends on them.
  var needsPose: Bool {
    reportsEulerAngles || landmarkMode == .all || classificationMode == .all
  }

  /// The narrowest face that is returned, as a share of the picture's width: nine tenths of ``minFaceSize``, which is
  /// an approximate limit. Contours alone have none.
  var smallestWidth: Float { isContourOnlyFast ? 0 : Float(0.9 * minFaceSize) }
}
