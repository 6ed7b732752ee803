#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// Finds faces with box and six keypoints in pictures, videos and live streams.
  ///
  /// ```swift
  /// let detector = try FaceDetector(modelPath: "face_detector.tflite")
  /// for face in try detector.detect(image: image).detections { print(face.boundingBox, face.score) }
  /// ```
  ///
  /// A thin shell: the steps are in ``DetectorPipeline``. Frames of a video are found each by itself, with
  /// the same results as pictures. Calls may come from any thread; they are processed one at a time.
  /// Coordinates are those of the image's stored pixels, whatever its orientation.
  public final class FaceDetector: Sendable {
    private let runner: TaskRunner<DetectorPipeline>

    /// Creates a detector.
    ///
    /// - Throws: ``FaceKitError``: `invalidArgument` for an option out of range, a delegate that is missing
    ///   or superfluous, no model path, or a file that is no face detector; `notFound` for a missing file.
    public convenience init(options: FaceDetectorOptions) throws(FaceKitError) {
      let delegate = options.faceDetectorLiveStreamDelegate
      try DelegateRule.check(
        isSet: delegate != nil, mode: options.runningMode, option: "faceDetectorLiveStreamDelegate")
      let link = DelegateLink()
      try self.init(
        options: options, mode: options.runningMode, receiver: .init { link.deliver($0, $1) })
      link.connect(self, delegate)
    }

    /// Creates a detector for still pictures with default options.
    public convenience init(modelPath: String) throws(FaceKitError) {
      let options = FaceDetectorOptions()
      options.baseOptions.modelAssetPath = modelPath
      try self.init(options: options)
    }

    /// All initialisers end here; the receiver is called in live streams only.
    private init(
      options: FaceDetectorOptions, mode: RunningMode,
      receiver: TaskRunner<DetectorPipeline>.Receiver
    ) throws(FaceKitError) {
      runner = TaskRunner(
        try FaceDetector.pipeline(options), mode: mode, taskName: "FaceDetector",
        receiver: receiver)
    }

    private static func pipeline(
      _ options: FaceDetectorOptions
    ) throws(FaceKitError) -> sending DetectorPipeline {
      let settings = options.settings
      let engine = options.baseOptions.engine
      // Options first: a wrong one is the cheaper mistake to find.
      try settings.validate()
      if let model = options.model {
        return try DetectorPipeline(model: model, settings: settings, engine: engine)
      }
      let path = options.baseOptions.modelAssetPath
      let model = try TaskFiles.open(path, option: "baseOptions.modelAssetPath")
      do {
        return try DetectorPipeline(model: model, settings: settings, engine: engine)
      } catch {
        throw error.inFile(path ?? "")
      }
    }

    deinit { runner.stopAccepting() }

    // MARK: Detection

    /// The faces of a picture. Running mode `.image`.
    public func detect(image: MPImage) throws(FaceKitError) -> FaceDetectorResult {
      try runner.process(image)
    }

    /// The faces of a video's next frame. Running mode `.video`; timestamps must increase.
    public func detect(
      videoFrame: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) -> FaceDetectorResult {
      try runner.process(videoFrame, timestampInMilliseconds: timestampInMilliseconds)
    }

    /// Takes a camera's next frame and returns at once; the result goes to the delegate. Running mode
    /// `.liveStream`; timestamps must increase.
    ///
    /// At most one frame is processed while one waits. A newer frame takes the waiting one's place, which is
    /// dropped.
    public func detectAsync(
      image: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) {
      try runner.enqueue(image, timestampInMilliseconds: timestampInMilliseconds)
    }

    /// Frames of a live stream dropped so far.
    public var droppedFrameCount: Int { runner.droppedFrames }

    /// Ends the task; see ``FaceLandmarker/close()``.
    public func close() { runner.close() }

    // MARK: Swift concurrency

    /// The faces of a picture, computed off the caller's thread. Running mode `.image`.
    public func detect(_ image: MPImage) async throws(FaceKitError) -> FaceDetectorResult {
      try await runner.onQueue { [runner] () throws(FaceKitError) in try runner.process(image) }
    }

    /// The faces of a video's next frame, computed off the caller's thread. Running mode `.video`.
    public func detect(
      _ videoFrame: MPImage, timestampInMilliseconds: Int
    ) async throws(FaceKitError) -> FaceDetectorResult {
      try await runner.onQueue { [runner] () throws(FaceKitError) in
        try runner.process(videoFrame, timestampInMilliseconds: timestampInMilliseconds)
      }
    }

    /// What happened to one frame of a live stream.
    public typealias LiveResult = Result<FaceDetectorResult, FaceKitError>

    /// Creates a detector for a live stream whose results are read as a sequence; see
    /// ``FaceLandmarker/liveStream(options:bufferedResults:)`` for what is dropped when.
    public static func liveStream(
      options: FaceDetectorOptions, bufferedResults: Int = 1
    ) throws(FaceKitError) -> (detector: FaceDetector, results: AsyncStream<LiveResult>) {
      if options.faceDetectorLiveStreamDelegate != nil {
        throw .invalid(
          "a delegate is set", at: "faceDetectorLiveStreamDelegate",
          advice: "read the sequence of results, or use FaceDetector(options:)")
      }
      let (results, continuation) = AsyncStream.makeStream(
        of: LiveResult.self, bufferingPolicy: .bufferingNewest(max(1, bufferedResults)))
      let detector = try FaceDetector(
        options: options, mode: .liveStream,
        receiver: .init(
          deliver: { outcome, _ in continuation.yield(outcome) },
          finish: { continuation.finish() }))
      return (detector, results)
    }
  }

  /// Ties a delegate to its detector; neither is kept alive.
  private final class DelegateLink: @unchecked Sendable {
    // `@unchecked`: written once, before the initialiser that hands out the detector returns, and so before
    // any frame can arrive. Reading weak references is safe from any thread.
    private weak var detector: FaceDetector?
    private weak var delegate: (any FaceDetectorLiveStreamDelegate)?

    func connect(_ detector: FaceDetector, _ delegate: (any FaceDetectorLiveStreamDelegate)?) {
      self.detector = detector
      self.delegate = delegate
    }

    func deliver(_ outcome: FaceDetector.LiveResult, _ timestamp: Int) {
      guard let detector else { return }
      switch outcome {
      case .success(let result):
        delegate?.faceDetector(
          detector, didFinishDetection: result, timestampInMilliseconds: timestamp, error: nil)
      case .failure(let error):
        delegate?.faceDetector(
          detector, didFinishDetection: nil, timestampInMilliseconds: timestamp, error: error)
      }
    }
  }

  extension DetectorPipeline: FacePipeline {
    func process(
      _ image: MPImage, timestampInMilliseconds: Int?
    ) throws(FaceKitError) -> FaceDetectorResult {
      FaceDetectorResult(
        detections: try detections(in: image),
        timestampInMilliseconds: timestampInMilliseconds ?? 0)
    }
  }
#endif
