#if canImport(Dispatch) && !hasFeature(Embedded)
  /// Ties a task to its delegate; neither is kept alive.
  final class DelegateLink<Task: AnyObject, Output: Sendable>: @unchecked Sendable {
    // `@unchecked`: `task` is written once, before the initialiser that hands out the task returns, and so before
    // any frame can arrive. Reading weak references is safe from any thread.
    private weak var task: Task?
    private let call: (Task, Output?, Int, FaceKitError?) -> Void

    /// - Parameter call: Calls the delegate, to which it holds a weak reference: the task, its result or `nil`, the
    ///   timestamp in milliseconds, the error or `nil`.
    init(_ call: @escaping (Task, Output?, Int, FaceKitError?) -> Void) { self.call = call }

    func connect(_ task: Task) { self.task = task }

    var receiver: TaskRunner<Output>.Receiver {
      TaskRunner<Output>.Receiver { outcome, timestamp in
        guard let task = self.task else { return }
        switch outcome {
        case .success(let result): self.call(task, result, timestamp, nil)
        case .failure(let error): self.call(task, nil, timestamp, error)
        }
      }
    }

    /// Live streams need a delegate; pictures and videos have no use for one. `option` is its name.
    static func check(isSet: Bool, mode: RunningMode, option: String) throws(FaceKitError) {
      if isSet == (mode == .liveStream) { return }
      throw isSet
        ? .invalid(
          "a delegate is set in running mode \(mode.name)", at: option,
          advice: "leave it nil, or set runningMode to .liveStream")
        : .invalid(
          "no delegate in running mode liveStream", at: option,
          advice: "set an object that receives the results, and keep a reference to it")
    }
  }

  /// The results of a live stream as a sequence.
  struct ResultStream<Output: Sendable>: Sendable {
    let results: AsyncStream<Result<Output, FaceKitError>>
    let receiver: TaskRunner<Output>.Receiver

    /// - Parameters:
    ///   - bufferedResults: How many unread results are kept, the newest ones; at least 1.
    ///   - isDelegateSet: Results go either way, not both.
    ///   - option: The delegate's name among the options.
    /// - Throws: ``FaceKitError`` `invalidArgument` if a delegate is set.
    init(
      bufferedResults: Int, isDelegateSet: Bool, option: String
    ) throws(FaceKitError) {
      if isDelegateSet {
        throw .invalid(
          "a delegate is set", at: option,
          advice: "read the sequence of results, or create the task with its options alone")
      }
      let (results, continuation) = AsyncStream.makeStream(
        of: Result<Output, FaceKitError>.self,
        bufferingPolicy: .bufferingNewest(max(1, bufferedResults)))
      self.results = results
      receiver = TaskRunner<Output>.Receiver(
        deliver: { outcome, _ in continuation.yield(outcome) },
        finish: { continuation.finish() })
    }
  }
#endif
