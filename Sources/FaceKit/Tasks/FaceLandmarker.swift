#if canImport(Dispatch) && !hasFeature(Embedded)
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
  /// The steps are in ``LandmarkPipeline``.
  public final class FaceLandmarker: FaceTask<FaceLandmarkerResult>, @unchecked Sendable {
    /// Creates a landmarker.
    ///
    /// - Parameter options: Checked and copied; changing them afterwards has no effect.
    /// - Throws: ``FaceKitError``: `invalidArgument` for an option out of range, a delegate that is missing
    ///   or superfluous, no model path, or a file that is no model; `notFound` for a missing file or bundle
    ///   entry; `unknown` for a file that is no bundle.
    public convenience init(options: FaceLandmarkerOptions) throws(FaceKitError) {
      typealias Link = DelegateLink<FaceLandmarker, FaceLandmarkerResult>
      let delegate = options.faceLandmarkerLiveStreamDelegate
      try Link.check(
        isSet: delegate != nil, mode: options.runningMode,
        option: FaceLandmarkerOptions.delegateName)
      let link = Link { [weak delegate] landmarker, result, timestamp, error in
        delegate?.faceLandmarker(
          landmarker, didFinishDetection: result, timestampInMilliseconds: timestamp, error: error)
      }
      self.init(try options.runner(options.runningMode, receiver: link.receiver))
      link.connect(self)
    }

    /// Creates a landmarker for still pictures with default options.
    ///
    /// - Parameter modelPath: The `face_landmarker.task` bundle.
    /// - Throws: As ``init(options:)``.
    public convenience init(modelPath: String) throws(FaceKitError) {
      let options = FaceLandmarkerOptions()
      options.baseOptions.modelAssetPath = modelPath
      try self.init(options: options)
    }

    /// Creates a landmarker for a live stream whose results are read as a sequence, not by a delegate.
    ///
    /// Frames are dropped as with a delegate: one in processing, one waiting, newest wins. The sequence ends
    /// when the landmarker is closed or let go of.
    ///
    /// - Parameters:
    ///   - options: Without a delegate. The running mode is taken as `.liveStream`.
    ///   - bufferedResults: How many unread results are kept, the newest ones; at least 1.
    /// - Returns: The landmarker, which must be kept, and its results.
    /// - Throws: As ``init(options:)``; `invalidArgument` if a delegate is set.
    public static func liveStream(
      options: FaceLandmarkerOptions, bufferedResults: Int = 1
    ) throws(FaceKitError) -> (landmarker: FaceLandmarker, results: AsyncStream<LiveResult>) {
      let stream = try ResultStream<FaceLandmarkerResult>(
        bufferedResults: bufferedResults,
        isDelegateSet: options.faceLandmarkerLiveStreamDelegate != nil,
        option: FaceLandmarkerOptions.delegateName)
      let landmarker = FaceLandmarker(try options.runner(.liveStream, receiver: stream.receiver))
      return (landmarker, stream.results)
    }
  }

  extension LandmarkPipeline: TaskPipeline {
    func process(
      _ image: MPImage, timestampInMilliseconds: Int?
    ) throws(FaceKitError) -> FaceLandmarkerResult {
      guard let timestampInMilliseconds else { return try detect(image) }
      return try detect(frame: image, timestampInMilliseconds: timestampInMilliseconds)
    }
  }
#endif
