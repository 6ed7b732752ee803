#if canImport(Dispatch) && !hasFeature(Embedded)
  /// Finds faces with box and six keypoints in pictures, videos and live streams.
  ///
  /// ```swift
  /// let detector = try FaceDetector(modelPath: "face_detector.tflite")
  /// for face in try detector.detect(image: image).detections { print(face.boundingBox, face.score) }
  /// ```
  ///
  /// The steps are in ``DetectorPipeline``. Each frame of a video is searched by itself, with the same results as
  /// a picture.
  public final class FaceDetector: FaceTask<FaceDetectorResult>, @unchecked Sendable {
    /// Creates a detector.
    ///
    /// - Parameter options: Checked and copied; changing them afterwards has no effect.
    /// - Throws: ``FaceKitError``: `invalidArgument` for an option out of range, a delegate that is missing
    ///   or superfluous, no model path, or a file that is no face detector; `notFound` for a missing file.
    public convenience init(options: FaceDetectorOptions) throws(FaceKitError) {
      typealias Link = DelegateLink<FaceDetector, FaceDetectorResult>
      let delegate = options.faceDetectorLiveStreamDelegate
      try Link.check(
        isSet: delegate != nil, mode: options.runningMode, option: FaceDetectorOptions.delegateName)
      let link = Link { [weak delegate] detector, result, timestamp, error in
        delegate?.faceDetector(
          detector, didFinishDetection: result, timestampInMilliseconds: timestamp, error: error)
      }
      self.init(try options.runner(options.runningMode, receiver: link.receiver))
      link.connect(self)
    }

    /// Creates a detector for still pictures with default options.
    ///
    /// - Parameter modelPath: A BlazeFace `.tflite`, short or full range.
    /// - Throws: As ``init(options:)``.
    public convenience init(modelPath: String) throws(FaceKitError) {
      let options = FaceDetectorOptions()
      options.baseOptions.modelAssetPath = modelPath
      try self.init(options: options)
    }

    /// Creates a detector for a live stream whose results are read as a sequence; see
    /// ``FaceLandmarker/liveStream(options:bufferedResults:)`` for what is dropped when.
    ///
    /// - Parameters:
    ///   - options: Without a delegate. The running mode is taken as `.liveStream`.
    ///   - bufferedResults: How many unread results are kept, the newest ones; at least 1.
    /// - Returns: The detector, which must be kept, and its results.
    /// - Throws: As ``init(options:)``; `invalidArgument` if a delegate is set.
    public static func liveStream(
      options: FaceDetectorOptions, bufferedResults: Int = 1
    ) throws(FaceKitError) -> (detector: FaceDetector, results: AsyncStream<LiveResult>) {
      let stream = try ResultStream<FaceDetectorResult>(
        bufferedResults: bufferedResults,
        isDelegateSet: options.faceDetectorLiveStreamDelegate != nil,
        option: FaceDetectorOptions.delegateName)
      let detector = FaceDetector(try options.runner(.liveStream, receiver: stream.receiver))
      return (detector, stream.results)
    }
  }

  extension DetectorPipeline: TaskPipeline {
    func process(
      _ image: MPImage, timestampInMilliseconds: Int?
    ) throws(FaceKitError) -> FaceDetectorResult {
      FaceDetectorResult(
        detections: try detections(in: image),
        timestampInMilliseconds: timestampInMilliseconds ?? 0)
    }

    /// Nothing is kept from frame to frame.
    func reset() {}
  }
#endif
