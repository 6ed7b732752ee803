#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels
  import FaceKitTensor

  /// Receives what a ``FaceDetector`` finds in a live stream.
  public protocol FaceDetectorLiveStreamDelegate: AnyObject {
    /// Called for each frame that was processed, in order, on a private serial queue. While this runs no
    /// frame is processed; hand long work on to another queue.
    ///
    /// Exactly one of `result` and `error` is not nil. A frame without a face has an empty result. Dropped
    /// frames have no call.
    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  }

  /// How a ``FaceDetector`` works. Values are checked and copied when the task is created; changing them
  /// afterwards has no effect on it.
  public final class FaceDetectorOptions {
    /// `modelAssetPath` is a BlazeFace `.tflite`, short or full range. It may be left out if ``model`` is given.
    public var baseOptions = BaseOptions()
    public var runningMode = RunningMode.image
    /// The score from which on there is a face, `0...1`.
    public var minDetectionConfidence: Float = 0.5
    /// The overlap (intersection over union) above which two candidates are the same face, `0...1`.
    public var minSuppressionThreshold: Float = 0.3
    /// Receives results; to be set in running mode `.liveStream`, and only there.
    public weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?

    // MARK: Beyond MediaPipe

    /// The part of the picture where faces are looked for, normalised; `nil` for all of it.
    public var regionOfInterest: Rect?
    /// Tiles along the longer side that are searched beside the whole picture, for faces that are small in
    /// it; 1 for none.
    public var tiles = 1
    /// The model's bytes, if it was not read from a file.
    public var model: StorageView?

    public init() {}

    var settings: DetectorSettings {
      var settings = DetectorSettings()
      settings.minDetectionConfidence = minDetectionConfidence
      settings.minSuppressionThreshold = minSuppressionThreshold
      settings.regionOfInterest = regionOfInterest
      settings.tiles = tiles
      return settings
    }
  }
#endif
