#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// Receives what a ``FaceLandmarker`` finds in a live stream.
  public protocol FaceLandmarkerLiveStreamDelegate: AnyObject {
    /// Called for each frame that was processed, in order, on a private serial queue. While this runs no
    /// frame is processed; hand long work on to another queue.
    ///
    /// Dropped frames have no call.
    ///
    /// - Parameters:
    ///   - faceLandmarker: The task.
    ///   - result: `nil` if there is an `error`. A frame without a face has an empty result.
    ///   - timestampInMilliseconds: The frame's.
    ///   - error: A ``FaceKitError``, or `nil` if there is a `result`.
    func faceLandmarker(
      _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  }

  /// How a ``FaceLandmarker`` works. Values are checked and copied when the task is created; changing them
  /// afterwards has no effect on it.
  public final class FaceLandmarkerOptions {
    /// `modelAssetPath` is the `.task` bundle. It may be left out if ``models`` is given.
    public var baseOptions = BaseOptions()
    /// How the task is fed.
    public var runningMode = RunningMode.image
    /// Receives results; to be set in running mode `.liveStream`, and only there.
    public weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?
    /// Model bytes instead of a bundle's: other detectors, the older landmark models, or models that were not
    /// read from a file. Not in MediaPipe.
    public var models: FaceModels?
    /// All values that have a range, with their defaults.
    var settings = LandmarkerSettings()

    static let delegateName = "faceLandmarkerLiveStreamDelegate"

    /// The published defaults.
    public init() {}

    /// The maximum number of faces, 1 or more.
    public var numFaces: Int {
      get { settings.numFaces }
      set { settings.numFaces = newValue }
    }

    /// The minimum score of a detection, `0...1`.
    public var minFaceDetectionConfidence: Float {
      get { settings.minFaceDetectionConfidence }
      set { settings.minFaceDetectionConfidence = newValue }
    }

    /// The presence score above which a region holds a face, `0...1`. At 1 nothing passes.
    public var minFacePresenceConfidence: Float {
      get { settings.minFacePresenceConfidence }
      set { settings.minFacePresenceConfidence = newValue }
    }

    /// Streams: the overlap (intersection over union) above which a tracked region and a new detection count as
    /// the same face, `0...1`.
    public var minTrackingConfidence: Float {
      get { settings.minTrackingConfidence }
      set { settings.minTrackingConfidence = newValue }
    }

    /// Whether to compute the expression: 52 scores per face.
    public var outputFaceBlendshapes: Bool {
      get { settings.outputFaceBlendshapes }
      set { settings.outputFaceBlendshapes = newValue }
    }

    /// Whether to compute the pose: a 4×4 matrix per face.
    public var outputFacialTransformationMatrixes: Bool {
      get { settings.outputFacialTransformationMatrixes }
      set { settings.outputFacialTransformationMatrixes = newValue }
    }

    // MARK: Beyond MediaPipe

    /// Streams: which faces' landmarks are smoothed. MediaPipe smooths only if `numFaces` is 1.
    public var smoothing: LandmarkerSettings.Smoothing {
      get { settings.smoothing }
      set { settings.smoothing = newValue }
    }

    /// Streams: whether faces keep their places in the result, in the order they were first seen. In MediaPipe
    /// a face that the detector sees anew goes to the end, so that several faces change places.
    public var keepsFaceOrder: Bool {
      get { settings.keepsFaceOrder }
      set { settings.keepsFaceOrder = newValue }
    }

    /// The part of the picture that is searched for new faces, in fractions of its sides; `nil` for all of it.
    public var regionOfInterest: Rect? {
      get { settings.regionOfInterest }
      set { settings.regionOfInterest = newValue }
    }

    /// Tiles along the longer side that are searched in addition to the whole picture, for faces that are small
    /// in it, `1...16`; 1 for none.
    public var tiles: Int {
      get { settings.tiles }
      set { settings.tiles = newValue }
    }

    /// The smallest face searched for, as a share of the picture's width, `0...1`. If set, there are as many tiles
    /// as it needs, whatever ``tiles`` says, down to faces of 16 pixels; 0 is those of 16 pixels. Not in MediaPipe.
    public var minFaceSize: Float? {
      get { settings.minFaceSize }
      set { settings.minFaceSize = newValue }
    }

    /// Checks the values, opens the bundle once, and makes what runs it.
    func runner(
      _ mode: RunningMode, receiver: TaskRunner<FaceLandmarkerResult>.Receiver
    ) throws(FaceKitError) -> TaskRunner<FaceLandmarkerResult> {
      let settings = try Validated(self.settings)
      let engine = baseOptions.engine
      let models =
        if let models {
          models
        } else {
          try TaskFiles.load(nil, or: baseOptions.modelAssetPath) { bytes throws(FaceKitError) in
            try FaceModels(bundle: bytes)
          }
        }
      let pipeline = try LandmarkPipeline(models: models, settings: settings, engine: engine)
      return TaskRunner(pipeline, mode: mode, taskName: "FaceLandmarker", receiver: receiver)
    }
  }
#endif
