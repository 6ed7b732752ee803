#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels
  import FaceKitTensor

  /// Receives what a ``FaceDetector`` finds in a live stream.
  public protocol FaceDetectorLiveStreamDelegate: AnyObject {
    /// Called for each frame that was processed, in order, on a private serial queue. While this runs no
    /// frame is processed; hand long work on to another queue.
    ///
    /// Dropped frames have no call.
    ///
    /// - Parameters:
    ///   - faceDetector: The task.
    ///   - result: `nil` if there is an `error`. A frame without a face has an empty result.
    ///   - timestampInMilliseconds: The frame's.
    ///   - error: A ``FaceKitError``, or `nil` if there is a `result`.
    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  }

  /// How a ``FaceDetector`` works. Values are checked and copied when the task is created; changing them
  /// afterwards has no effect on it.
  public final class FaceDetectorOptions {
    /// `modelAssetPath` is a BlazeFace `.tflite`, short or full range. It may be left out if ``model`` is given.
    public var baseOptions = BaseOptions()
    /// How the task is fed.
    public var runningMode = RunningMode.image
    /// Receives results; to be set in running mode `.liveStream`, and only there.
    public weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?
    /// The model's bytes, if it was not read from a file. Not in MediaPipe.
    public var model: StorageView?
    /// All values that have a range, with their defaults.
    var settings = DetectorSettings()

    static let delegateName = "faceDetectorLiveStreamDelegate"

    /// The published defaults.
    public init() {}

    /// The minimum score of a detection, `0...1`.
    public var minDetectionConfidence: Float {
      get { settings.minDetectionConfidence }
      set { settings.minDetectionConfidence = newValue }
    }

    /// The overlap (intersection over union) above which two candidates count as the same face, `0...1`.
    public var minSuppressionThreshold: Float {
      get { settings.minSuppressionThreshold }
      set { settings.minSuppressionThreshold = newValue }
    }

    // MARK: Beyond MediaPipe

    /// The part of the picture that is searched, in fractions of its sides; `nil` for all of it.
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

    /// Checks the values, opens the model once, and makes what runs it.
    func runner(
      _ mode: RunningMode, receiver: TaskRunner<FaceDetectorResult>.Receiver
    ) throws(FaceKitError) -> TaskRunner<FaceDetectorResult> {
      let settings = try Validated(self.settings)
      let engine = baseOptions.engine
      let pipeline = try TaskFiles.load(model, or: baseOptions.modelAssetPath) {
        bytes throws(FaceKitError) in
        try DetectorPipeline(model: bytes, settings: settings, engine: engine)
      }
      return TaskRunner(pipeline, mode: mode, taskName: "FaceDetector", receiver: receiver)
    }
  }
#endif
