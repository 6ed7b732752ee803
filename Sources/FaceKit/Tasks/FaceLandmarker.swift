#if canImport(Dispatch) && !hasFeature(Embedded)
  import FaceKitModels

  /// Finds faces with 478 landmarks, and on request their expression and pose, in pictures, videos and live
  /// streams.
  ///
  /// ```swift
  /// let options = FaceLandmarkerOptions()
  /// options.baseOptions.modelAssetPath = "face_landmarker.task"
  /// options.outputFaceBlendshapes = true
  /// let landmarker = try FaceLandmarker(options: options)
  /// let result = try landmarker.detect(image: image)
  /// ```
  ///
  /// A thin shell: the steps are in ``LandmarkPipeline``. Calls may come from any thread; they are
  /// processed one at a time. Coordinates are those of the image's stored pixels, whatever its orientation.
  public final class FaceLandmarker: Sendable {
    private let runner: TaskRunner<LandmarkPipeline>

    /// Creates a landmarker.
    ///
    /// - Throws: ``FaceKitError``: `invalidArgument` for an option out of range, a delegate that is missing
    ///   or superfluous, no model path, or a file that is no model; `notFound` for a missing file or bundle
    ///   entry; `unknown` for a file that is no bundle.
    public convenience init(options: FaceLandmarkerOptions) throws(FaceKitError) {
      let delegate = options.faceLandmarkerLiveStreamDelegate
      try DelegateRule.check(
        isSet: delegate != nil, mode: options.runningMode,
        option: "faceLandmarkerLiveStreamDelegate")
      let link = DelegateLink()
      try self.init(
        options: options, mode: options.runningMode, receiver: .init { link.deliver($0, $1) })
      link.connect(self, delegate)
    }

    /// Creates a landmarker for still pictures with default options.
    public convenience init(modelPath: String) throws(FaceKitError) {
      let options = FaceLandmarkerOptions()
      options.baseOptions.modelAssetPath = modelPath
      try self.init(options: options)
    }

    /// All initialisers end here; the receiver is called in live streams only.
    private init(
      options: FaceLandmarkerOptions, mode: RunningMode,
      receiver: TaskRunner<LandmarkPipeline>.Receiver
    ) throws(FaceKitError) {
      let settings = options.settings
      // Options first: a wrong one is the cheaper mistake to find.
      try settings.validate()
      let models = try FaceLandmarker.models(options)
      runner = TaskRunner(
        try LandmarkPipeline(
          models: models, settings: settings, engine: options.baseOptions.engine),
        mode: mode, taskName: "FaceLandmarker", receiver: receiver)
    }

    private static func models(_ options: FaceLandmarkerOptions) throws(FaceKitError) -> FaceModels
    {
      if let models = options.models { return models }
      let path = options.baseOptions.modelAssetPath
      let bundle = try TaskFiles.open(path, option: "baseOptions.modelAssetPath")
      do {
        return try FaceModels(bundle: bundle)
      } catch {
        throw error.inFile(path ?? "")
      }
    }

    deinit { runner.stopAccepting() }

    // MARK: Detection

    /// The faces of a picture. Running mode `.image`.
    public func detect(image: MPImage) throws(FaceKitError) -> FaceLandmarkerResult {
      try runner.process(image)
    }

    /// The faces of a video's next frame. Running mode `.video`; timestamps must increase.
    public func detect(
      videoFrame: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) -> FaceLandmarkerResult {
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

    /// Ends the task. A frame in processing is waited for (unless called from the delegate), a waiting one is
    /// dropped, and once this returns no delegate is called any more. Later calls throw
    /// `failedPrecondition`. Letting go of the last reference does the same without waiting.
    public func close() { runner.close() }

    // MARK: Swift concurrency

    /// The faces of a picture, computed off the caller's thread. Running mode `.image`.
    ///
    /// (The argument has no label because an `async` overload of ``detect(image:)`` would take precedence
    /// over it in asynchronous code.)
    public func detect(_ image: MPImage) async throws(FaceKitError) -> FaceLandmarkerResult {
      try await runner.onQueue { [runner] () throws(FaceKitError) in try runner.process(image) }
    }

    /// The faces of a video's next frame, computed off the caller's thread. Running mode `.video`.
    public func detect(
      _ videoFrame: MPImage, timestampInMilliseconds: Int
    ) async throws(FaceKitError) -> FaceLandmarkerResult {
      try await runner.onQueue { [runner] () throws(FaceKitError) in
        try runner.process(videoFrame, timestampInMilliseconds: timestampInMilliseconds)
      }
    }

    /// What happened to one frame of a live stream.
    public typealias LiveResult = Result<FaceLandmarkerResult, FaceKitError>

    /// Creates a landmarker for a live stream whose results are read as a sequence, not by a delegate.
    ///
    /// Frames are dropped as with a delegate: one in processing, one waiting, newest wins. Of results that
    /// are not read in time the newest `bufferedResults` are kept and older ones dropped. The sequence ends
    /// when the landmarker is closed or let go of. The options' running mode is taken as `.liveStream`.
    public static func liveStream(
      options: FaceLandmarkerOptions, bufferedResults: Int = 1
    ) throws(FaceKitError) -> (landmarker: FaceLandmarker, results: AsyncStream<LiveResult>) {
      if options.faceLandmarkerLiveStreamDelegate != nil {
        throw .invalid(
          "a delegate is set", at: "faceLandmarkerLiveStreamDelegate",
          advice: "read the sequence of results, or use FaceLandmarker(options:)")
      }
      let (results, continuation) = AsyncStream.makeStream(
        of: LiveResult.self, bufferingPolicy: .bufferingNewest(max(1, bufferedResults)))
      let landmarker = try FaceLandmarker(
        options: options, mode: .liveStream,
        receiver: .init(
          deliver: { outcome, _ in continuation.yield(outcome) },
          finish: { continuation.finish() }))
      return (landmarker, results)
    }
  }

  /// Ties a delegate to its landmarker; neither is kept alive.
  private final class DelegateLink: @unchecked Sendable {
    // `@unchecked`: written once, before the initialiser that hands out the landmarker returns, and so before
    // any frame can arrive. Reading weak references is safe from any thread.
    private weak var landmarker: FaceLandmarker?
    private weak var delegate: (any FaceLandmarkerLiveStreamDelegate)?

    func connect(
      _ landmarker: FaceLandmarker, _ delegate: (any FaceLandmarkerLiveStreamDelegate)?
    ) {
      self.landmarker = landmarker
      self.delegate = delegate
    }

    func deliver(_ outcome: FaceLandmarker.LiveResult, _ timestamp: Int) {
      guard let landmarker else { return }
      switch outcome {
      case .success(let result):
        delegate?.faceLandmarker(
          landmarker, didFinishDetection: result, timestampInMilliseconds: timestamp, error: nil)
      case .failure(let error):
        delegate?.faceLandmarker(
          landmarker, didFinishDetection: nil, timestampInMilliseconds: timestamp, error: error)
      }
    }
  }

  extension LandmarkPipeline: FacePipeline {
    func process(
      _ image: MPImage, timestampInMilliseconds: Int?
    ) throws(FaceKitError) -> FaceLandmarkerResult {
      guard let timestampInMilliseconds else { return try detect(image) }
      return try detect(frame: image, timestampInMilliseconds: timestampInMilliseconds)
    }
  }
#endif
