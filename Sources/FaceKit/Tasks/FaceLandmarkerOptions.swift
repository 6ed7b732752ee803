#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// Receives what a ``FaceLandmarker`` finds in a live stream.
  public protocol FaceLandmarkerLiveStreamDelegate: AnyObject {
    /// Called for each frame that was processed, in order, on a private serial queue. While this runs no
    /// frame is processed; hand long work on to another queue.
    ///
    /// Exactly one of `result` and `error` is not nil. A frame without a face has an empty result. Dropped
    /// frames have no call.
    func faceLandmarker(
      _ faceLandmarker: FaceLandmarker, didFinishDetection result: FaceLandmarkerResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  }

  /// How a ``FaceLandmarker`` works. Values are checked and copied when the task is created; changing them
  /// afterwards has no effect on it.
  public final class FaceLandmarkerOptions {
    /// `modelAssetPath` is the `.task` bundle. It may be left out if ``models`` is given.
    public var baseOptions = BaseOptions()
    public var runningMode = RunningMode.image
    /// The most faces to find, 1 or more.
    public var numFaces = 1
    /// The detector's score from which on there is a face, `0...1`.
    public var minFaceDetectionConfidence: Float = 0.5
    /// The presence score above which a region holds a face, `0...1`. At 1 nothing passes.
    public var minFacePresenceConfidence: Float = 0.5
    /// Streams: the overlap (intersection over union) above which a tracked region and a fresh detection are
    /// the same face, `0...1`.
    public var minTrackingConfidence: Float = 0.5
    /// Whether to tell the expression: 52 scores a face.
    public var outputFaceBlendshapes = false
    /// Whether to tell the pose: a 4×4 matrix a face.
    public var outputFacialTransformationMatrixes = false
    /// Receives results; to be set in running mode `.liveStream`, and only there.
    public weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?

    // MARK: Beyond MediaPipe

    /// Streams: whose landmarks are smoothed. MediaPipe smooths only where `numFaces` is 1.
    public var smoothing = LandmarkerSettings.Smoothing.singleFace
    /// Streams: whether faces keep their places in the result, in the order they were first seen. In MediaPipe
    /// a face that the detector sees anew goes to the end, so that several faces change places.
    public var keepsFaceOrder = false
    /// The part of the picture where faces are looked for, normalised; `nil` for all of it.
    public var regionOfInterest: Rect?
    /// Tiles along the longer side that are searched beside the whole picture, for faces that are small in
    /// it; 1 for none.
    public var tiles = 1
    /// Model bytes instead of a bundle's: other detectors, the older landmark models, or models that were not
    /// read from a file.
    public var models: FaceModels?

    public init() {}

    var settings: LandmarkerSettings {
      var settings = LandmarkerSettings()
      settings.numFaces = numFaces
      settings.minFaceDetectionConfidence = minFaceDetectionConfidence
      settings.minFacePresenceConfidence = minFacePresenceConfidence
      settings.minTrackingConfidence = minTrackingConfidence
      settings.outputFaceBlendshapes = outputFaceBlendshapes
      settings.outputFacialTransformationMatrixes = outputFacialTransformationMatrixes
      settings.smoothing = smoothing
      settings.keepsFaceOrder = keepsFaceOrder
      settings.regionOfInterest = regionOfInterest
      settings.tiles = tiles
      return settings
    }
  }
#endif
