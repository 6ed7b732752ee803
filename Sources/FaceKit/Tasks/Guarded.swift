#if canImport(Foundation) && !hasFeature(Embedded)
  import Foundation

  /// A value that one thread at a time may touch.
  ///
  /// `Synchronization.Mutex` would do, but where it has to wait it does so inside a library that the
  /// thread sanitizer does not see, which then reports races that are none. This lock it knows.
  final class Guarded<Value>: @unchecked Sendable {
    // `@unchecked`: `value` is touched only between `lock` and `unlock`.
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    func withLock<Result, Failure: Error>(
      _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#endif
