#if canImport(Dispatch) && canImport(Foundation) && !hasFeature(Embedded)
  import Dispatch

  /// What a task runs: one picture or frame at a time.
  protocol TaskPipeline<Output>: AnyObject, SendableMetatype {
    associatedtype Output: Sendable

    /// The timestamp is `nil` for a still picture.
    func process(_ image: MPImage, timestampInMilliseconds: Int?) throws(FaceKitError) -> Output

    /// Forgets all earlier frames.
    func reset()
  }

  /// Everything about running modes that is the same for all tasks: which method may be called, that
  /// timestamps increase, that only one frame is processed at a time, and what becomes of frames that
  /// arrive too fast.
  ///
  /// Live streams are limited to one frame in processing and one waiting. A newer frame takes the place of
  /// the waiting one, which is dropped: no result, no trace in tracking or smoothing. Results are delivered
  /// on the queue that processes, in order, so a slow receiver makes frames drop and no queue grow.
  final class TaskRunner<Output: Sendable>: Sendable {
    typealias Outcome = Result<Output, FaceKitError>

    /// Where a live stream's results go.
    struct Receiver: Sendable {
      /// Called for each frame, in order, on the private queue.
      var deliver: @Sendable (Outcome, _ timestampInMilliseconds: Int) -> Void
      /// Called once, when no result will follow.
      var finish: @Sendable () -> Void = {}
    }

    let mode: RunningMode
    private let taskName: String
    private let pipeline: Guarded<any TaskPipeline<Output>>
    private let stream = Guarded(Stream())
    private let queue: DispatchQueue
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private let receiver: Receiver?

    private struct Frame: Sendable {
      var image: MPImage
      var timestamp: Int
    }

    private struct Stream: Sendable {
      var clock = StreamClock()
      var isProcessing = false
      var waiting: Frame?
      var isClosed = false
      var droppedFrames = 0
    }

    init(
      _ pipeline: sending any TaskPipeline<Output>, mode: RunningMode, taskName: String,
      receiver: Receiver? = nil
    ) {
      self.pipeline = Guarded(pipeline)
      self.mode = mode
      self.taskName = taskName
      self.receiver = receiver
      queue = DispatchQueue(label: "FaceKit.\(taskName)")
      queue.setSpecific(key: isOnQueue, value: true)
    }

    // MARK: Image and video

    func process(_ image: MPImage) throws(FaceKitError) -> Output {
      try check(.image)
      return try pipeline.withLock { (pipeline) throws(FaceKitError) in
        // Closing waits for this lock, so a call that gets it afterwards must check again.
        try checkOpen()
        return try pipeline.process(image, timestampInMilliseconds: nil)
      }
    }

    func process(
      _ frame: MPImage, timestampInMilliseconds: Int
    ) throws(FaceKitError) -> Output {
      try check(.video)
      return try pipeline.withLock { (pipeline) throws(FaceKitError) in
        try checkOpen()
        try stream.withLock { (stream) throws(FaceKitError) in
          try stream.clock.accept(timestampInMilliseconds, taskName: taskName)
        }
        return try pipeline.process(frame, timestampInMilliseconds: timestampInMilliseconds)
      }
    }

    // MARK: Live stream

    /// Takes a frame and returns at once.
    func enqueue(_ image: MPImage, timestampInMilliseconds: Int) throws(FaceKitError) {
      try check(.liveStream)
      let frame = Frame(image: image, timestamp: timestampInMilliseconds)
      let starts = try stream.withLock { (stream) throws(FaceKitError) -> Bool in
        if stream.isClosed { throw .closed(taskName) }
        try stream.clock.accept(timestampInMilliseconds, taskName: taskName)
        if stream.isProcessing {
          if stream.waiting != nil { stream.droppedFrames += 1 }
          stream.waiting = frame
          return false
        }
        stream.isProcessing = true
        return true
      }
      if starts { queue.async { self.run(frame) } }
    }

    /// Frames of a live stream that were replaced by newer ones before they were processed.
    var droppedFrames: Int { stream.withLock { $0.droppedFrames } }

    /// Processes a frame and hands on its result, then whatever has come to wait meanwhile.
    private func run(_ first: Frame) {
      var next: Frame? = first
      while let frame = next {
        let outcome = pipeline.withLock { (pipeline) -> Outcome in
          do throws(FaceKitError) {
            return .success(
              try pipeline.process(frame.image, timestampInMilliseconds: frame.timestamp))
          } catch {
            return .failure(error)
          }
        }
        if !stream.withLock({ $0.isClosed }) { receiver?.deliver(outcome, frame.timestamp) }
        next = stream.withLock { stream in
          let waiting = stream.waiting
          stream.waiting = nil
          stream.isProcessing = waiting != nil
          return waiting
        }
      }
    }

    // MARK: Asynchronous calls

    /// Runs a piece of work on the private queue.
    func onQueue(
      _ work: @escaping @Sendable () throws(FaceKitError) -> Output
    ) async throws(FaceKitError) -> Output {
      if Task.isCancelled {
        throw FaceKitError(
          .cancelled, "the task was cancelled", at: taskName, advice: "nothing was computed")
      }
      let outcome = await withCheckedContinuation { continuation in
        queue.async {
          do throws(FaceKitError) {
            continuation.resume(returning: Outcome.success(try work()))
          } catch {
            continuation.resume(returning: Outcome.failure(error))
          }
        }
      }
      return try outcome.get()
    }

    // MARK: Closing

    /// Ends the task: a waiting frame is dropped, no result is delivered any more once this returns, and
    /// later calls fail. Waits for a picture or frame in processing, unless called from a delegate.
    func close() {
      stopAccepting()
      if DispatchQueue.getSpecific(key: isOnQueue) == true { return }
      // Live streams and asynchronous calls run on the queue, the others on their callers' threads.
      queue.sync {}
      pipeline.withLock { _ in }
    }

    /// The part of ``close()`` that does not wait.
    func stopAccepting() {
      let wasOpen = stream.withLock { stream in
        let wasOpen = !stream.isClosed
        stream.isClosed = true
        stream.waiting = nil
        return wasOpen
      }
      if wasOpen { receiver?.finish() }
    }

    // MARK: Another stream

    /// Begins another stream: forgets all frames and timestamps, and drops a waiting frame. Waits for a frame in
    /// processing.
    func reset() {
      stream.withLock { stream in
        if stream.waiting != nil { stream.droppedFrames += 1 }
        stream.waiting = nil
      }
      pipeline.withLock { pipeline in
        pipeline.reset()
        stream.withLock { $0.clock = StreamClock() }
      }
    }

    // MARK: Checks

    private func check(_ required: RunningMode) throws(FaceKitError) {
      if mode != required {
        throw .invalid(
          "\(required.method) is for running mode \(required.name), but this task's is \(mode.name)",
          at: taskName, advice: "call \(mode.method), or set runningMode to .\(required.name)")
      }
      try checkOpen()
    }

    private func checkOpen() throws(FaceKitError) {
      if stream.withLock({ $0.isClosed }) { throw .closed(taskName) }
    }
  }

  extension FaceKitError {
    static func closed(_ taskName: String) -> FaceKitError {
      FaceKitError(
        .failedPrecondition, "the task is closed", at: taskName, advice: "create another one")
    }
  }
#endif
