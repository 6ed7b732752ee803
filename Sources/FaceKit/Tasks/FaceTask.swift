#if canImport(Dispatch) && !hasFeature(Embedded)
  /// What all tasks have in common: a task takes pictures, the frames of a video, or those of a camera, as its
  /// running mode says, and gives a result for each.
  ///
  /// ``FaceDetector`` and ``FaceLandmarker`` say what is in a result. Calls may come from any thread; they are
  /// processed one at a time. Coordinates are those of the image's stored pixels, whatever its orientation.
  public class FaceTask<Output: Sendable>: @unchecked Sendable {
    // `@unchecked` because the class is not final: what it holds is immutable and `Sendable`, and subclasses,
    // which only this module can make, hold nothing.
    private let runner: TaskRunner<Output>

    init(_ runner: TaskRunner<Output>) { self.runner = runner }

    deinit { runner.stopAccepting() }

    // MARK: Calls that wait for the result

    /// The result for a picture. Running mode `.image`.
    ///
    /// - Parameter image: In any orientation.
    /// - Returns: What was found; empty if nothing was.
    /// - Throws: ``FaceKitError``: `invalidArgument` in another running mode, `failedPrecondition` if the task is
    ///   closed.
    public func detect(image: MPImage) throws(FaceKitError) -> Output {
      try runner.process(image)
    }

    /// The result for a video's next frame. Running mode `.video`.
    ///
    /// - Parameters:
    ///   - videoFrame: The decoded frame.
    ///   - timestampInMilliseconds: Later than that of the frame before.
    /// - Returns: What was found; empty if nothing was.
    /// - Throws: ``FaceKitError``: `invalidArgument` in another running mode or for a timestamp that is not later,
    ///   `failedPrecondition` if the task is closed.
    public func detect(
      videoFrame: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) -> Output {
      try runner.process(videoFrame, timestampInMilliseconds: timestampInMilliseconds)
    }

    // MARK: Live streams

    /// Takes a camera's next frame and returns at once; the result goes to the delegate. Running mode
    /// `.liveStream`.
    ///
    /// At most one frame is processed while one waits. A newer frame takes the waiting one's place, which is
    /// dropped.
    ///
    /// - Parameters:
    ///   - image: The frame.
    ///   - timestampInMilliseconds: Later than that of the frame before.
    /// - Throws: ``FaceKitError``: `invalidArgument` in another running mode or for a timestamp that is not later,
    ///   `failedPrecondition` if the task is closed. What goes wrong with the frame goes to the delegate.
    public func detectAsync(
      image: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) {
      try runner.enqueue(image, timestampInMilliseconds: timestampInMilliseconds)
    }

    /// Frames of a live stream dropped so far.
    public var droppedFrameCount: Int { runner.droppedFrames }

    /// What happened to one frame of a live stream.
    public typealias LiveResult = Result<Output, FaceKitError>

    // MARK: Swift concurrency

    /// The result for a picture, computed off the caller's thread. Running mode `.image`.
    ///
    /// (The argument has no label because an `async` overload of ``detect(image:)`` would take precedence
    /// over it in asynchronous code.)
    ///
    /// - Parameter image: In any orientation.
    /// - Returns: What was found; empty if nothing was.
    /// - Throws: As ``detect(image:)``; `cancelled` if the Swift task was cancelled before the call.
    public func detect(_ image: MPImage) async throws(FaceKitError) -> Output {
      try await runner.onQueue { [runner] () throws(FaceKitError) in try runner.process(image) }
    }

    /// The result for a video's next frame, computed off the caller's thread. Running mode `.video`.
    ///
    /// - Parameters:
    ///   - videoFrame: The decoded frame.
    ///   - timestampInMilliseconds: Later than that of the frame before.
    /// - Returns: What was found; empty if nothing was.
    /// - Throws: As ``detect(videoFrame:timestampInMilliseconds:)``; `cancelled` if the Swift task was cancelled
    ///   before the call.
    public func detect(
      _ videoFrame: MPImage, timestampInMilliseconds: Int
    ) async throws(FaceKitError) -> Output {
      try await runner.onQueue { [runner] () throws(FaceKitError) in
        try runner.process(videoFrame, timestampInMilliseconds: timestampInMilliseconds)
      }
    }

    // MARK: Another video, and the end

    /// Begins another video or stream: earlier frames are forgotten, timestamps may start anew, and the next frame
    /// is treated as the first one of a new task, track numbers included. Pictures have nothing to forget.
    ///
    /// A frame in processing is waited for, a waiting one is dropped. In a live stream the result of the frame in
    /// processing may still be delivered afterwards.
    public func reset() { runner.reset() }

    /// Ends the task. A picture or frame in processing, on whatever thread, is waited for (unless called from the
    /// delegate), a waiting one is dropped, and once this returns no delegate is called any more: memory that an
    /// image adopted may be reused. Later calls throw `failedPrecondition`. Letting go of the last reference does
    /// the same without waiting.
    public func close() { runner.close() }
  }
#endif
