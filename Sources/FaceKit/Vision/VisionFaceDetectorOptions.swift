#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// What a ``VisionFaceDetector`` looks for, and how. Values are copied when the detector is made; changing them
  /// afterwards has no effect on it. One out of range is noticed when the detector is first used.
  public final class VisionFaceDetectorOptions {
    /// Whether speed or finding more faces matters more.
    public var performanceMode = VisionFaceDetectorPerformanceMode.fast
    /// Whether ten landmarks of each face are wanted.
    public var landmarkMode = VisionFaceDetectorLandmarkMode.none
    /// Whether contours are wanted: of the most prominent face alone, unless ``contourScope`` says otherwise.
    ///
    /// In fast mode, and with landmarks and classification off, only that face is returned, without head angles and
    /// tracking.
    public var contourMode = VisionFaceDetectorContourMode.none
    /// Whether the probabilities of smiling and of open eyes are wanted.
    public var classificationMode = VisionFaceDetectorClassificationMode.none
    /// The smallest face wanted: its width as a share of the picture's, `0...1`. An approximate floor, faces of nine
    /// tenths of it are returned too; contours alone are not subject to it.
    ///
    /// Smaller detections are dropped before their mesh is computed, and below 0.05 accurate mode looks at tiles: the more
    /// of them, the smaller the size. Fast mode finds faces from about 0.1 on.
    public var minFaceSize: VisionScalar = 0.1
    /// Whether faces get numbers that stay with them over consecutive pictures.
    public var isTrackingEnabled = false

    // MARK: Beyond ML Kit

    /// Which faces get contours.
    public var contourScope = VisionContourScope.mostProminent
    /// Whose left and right names mean.
    public var sideConvention = VisionSideConvention.subject
    /// Whether coordinates are those of the upright picture or of the buffer.
    public var coordinateSpace = VisionCoordinateSpace.upright
    /// Whether head angles are there in fast mode with contours alone, where ML Kit has none.
    public var reportsEulerAnglesInContourOnlyMode = false
    /// Whether landmarks that the head's turn hides are left out.
    public var hidesOccludedLandmarks = false
    /// Whether tracked faces' meshes are smoothed over time, each by itself (One Euro filter).
    public var smoothsTrackedFaces = true
    /// The most faces to return, the most prominent ones; `nil` for all.
    public var maxFaces: Int?
    /// The detector's score and the mesh's presence from which on there is a face, `0...1`.
    public var minConfidence: Float = 0.5
    /// How expressions become probabilities.
    public var calibration = ClassificationCalibration()
    /// Where `face_landmarker.task` is, or the folder it is in; `nil` to look in the usual places. See ``Vision``.
    public var modelPath: String?
    /// Model bytes, if they are not read from files.
    public var models: VisionModels?
    /// How models are compiled: kernels, instruction set, threads. Results do not depend on threads.
    public var engine = EngineOptions()

    public init() {}

    var settings: VisionSettings {
      var settings = VisionSettings()
      settings.performanceMode = performanceMode
      settings.landmarkMode = landmarkMode
      settings.contourMode = contourMode
      settings.classificationMode = classificationMode
      settings.minFaceSize = Double(minFaceSize)
      settings.isTrackingEnabled = isTrackingEnabled
      settings.contourScope = contourScope
      settings.sideConvention = sideConvention
      settings.coordinateSpace = coordinateSpace
      settings.reportsEulerAnglesInContourOnlyMode = reportsEulerAnglesInContourOnlyMode
      settings.hidesOccludedLandmarks = hidesOccludedLandmarks
      settings.smoothsTrackedFaces = smoothsTrackedFaces
      settings.maxFaces = maxFaces
      settings.minConfidence = minConfidence
      settings.calibration = calibration
      return settings
    }
  }
#endif
