#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// Options of a ``VisionFaceDetector``. Values are copied when the detector is made; changing them
  /// afterwards has no effect on it. One out of range is noticed when the detector is first used.
  public final class VisionFaceDetectorOptions {
    /// Where `face_landmarker.task` is, or the folder it is in; `nil` for the usual places. See ``Vision``.
    public var modelPath: String?
    /// Model bytes, if they are not read from files.
    public var models: VisionModels?
    /// How models are compiled: kernels, instruction set, threads. Results do not depend on threads.
    public var engine = EngineOptions()
    /// All values that have a range, with their defaults.
    var settings = VisionSettings()

    /// The published defaults.
    public init() {}

    /// Whether speed or finding more faces matters more.
    public var performanceMode: VisionFaceDetectorPerformanceMode {
      get { settings.performanceMode }
      set { settings.performanceMode = newValue }
    }

    /// Whether ten landmarks of each face are returned.
    public var landmarkMode: VisionFaceDetectorLandmarkMode {
      get { settings.landmarkMode }
      set { settings.landmarkMode = newValue }
    }

    /// Whether contours are returned: of the most prominent face alone, unless ``contourScope`` says otherwise.
    ///
    /// In fast mode, and with landmarks and classification off, only that face is returned, without head angles and
    /// tracking.
    public var contourMode: VisionFaceDetectorContourMode {
      get { settings.contourMode }
      set { settings.contourMode = newValue }
    }

    /// Whether the probabilities of smiling and of open eyes are returned.
    public var classificationMode: VisionFaceDetectorClassificationMode {
      get { settings.classificationMode }
      set { settings.classificationMode = newValue }
    }

    /// The smallest face to return: its width as a share of the picture's, `0...1`. An approximate floor, faces of nine
    /// tenths of it are returned too; contours alone are not subject to it.
    ///
    /// Smaller detections are dropped before their mesh is computed, and below 0.05 accurate mode searches tiles: the more
    /// of them, the smaller the size. Fast mode finds faces from about 0.1 on.
    public var minFaceSize: VisionScalar {
      get { VisionScalar(settings.minFaceSize) }
      set { settings.minFaceSize = Double(newValue) }
    }

    /// Whether faces get numbers that stay with them over consecutive pictures. A face that reappears near the place
    /// where it would be keeps its number if half a second has not passed, or no more than four pictures went without
    /// it; later it gets a new one.
    public var isTrackingEnabled: Bool {
      get { settings.isTrackingEnabled }
      set { settings.isTrackingEnabled = newValue }
    }

    // MARK: Beyond ML Kit

    /// Which faces get contours.
    public var contourScope: VisionContourScope {
      get { settings.contourScope }
      set { settings.contourScope = newValue }
    }

    /// Whose left and right names mean.
    public var sideConvention: VisionSideConvention {
      get { settings.sideConvention }
      set { settings.sideConvention = newValue }
    }

    /// Whether coordinates are those of the upright picture or of the buffer.
    public var coordinateSpace: VisionCoordinateSpace {
      get { settings.coordinateSpace }
      set { settings.coordinateSpace = newValue }
    }

    /// Whether head angles are there in fast mode with contours alone, where ML Kit has none.
    public var reportsEulerAnglesInContourOnlyMode: Bool {
      get { settings.reportsEulerAnglesInContourOnlyMode }
      set { settings.reportsEulerAnglesInContourOnlyMode = newValue }
    }

    /// Whether landmarks that the head's turn hides are left out.
    public var hidesOccludedLandmarks: Bool {
      get { settings.hidesOccludedLandmarks }
      set { settings.hidesOccludedLandmarks = newValue }
    }

    /// Whether faces have a ``VisionFace/regionConfidence``: how sure it is that each part is seen. Each face then
    /// costs about seventeen runs of the mesh model more.
    public var estimatesRegionConfidence: Bool {
      get { settings.estimatesRegionConfidence }
      set { settings.estimatesRegionConfidence = newValue }
    }

    /// Whether what a hand, a mask or a bar hides is left out: contours, landmarks and probabilities of parts whose
    /// ``VisionFace/regionConfidence`` is below ``FaceRegionConfidence/hiddenBelow``. Costs the same.
    public var hidesOccludedRegions: Bool {
      get { settings.hidesOccludedRegions }
      set { settings.hidesOccludedRegions = newValue }
    }

    /// Whether tracked faces' meshes are smoothed over time, each by itself (One Euro filter).
    public var smoothsTrackedFaces: Bool {
      get { settings.smoothsTrackedFaces }
      set { settings.smoothsTrackedFaces = newValue }
    }

    /// The most faces to return, the most prominent ones; `nil` for all.
    public var maxFaces: Int? {
      get { settings.maxFaces }
      set { settings.maxFaces = newValue }
    }

    /// The detector's score and the mesh's presence from which on there is a face, `0...1`.
    public var minConfidence: Float {
      get { settings.minConfidence }
      set { settings.minConfidence = newValue }
    }

    /// How expressions become probabilities.
    public var calibration: ClassificationCalibration {
      get { settings.calibration }
      set { settings.calibration = newValue }
    }
  }
#endif
