#if canImport(Darwin)
  import Darwin
#else
  import Synchronization
#endif

/// An integer that several threads may change at once. All its operations are sequentially consistent: every
/// thread sees them in one order.
///
/// `Synchronization.Atomic` where it is. Apple's systems have that from macOS 15 and iOS 18 on, and nothing
/// older that Swift can call without C, so there a lock takes its place.
package struct AtomicInteger: ~Copyable, Sendable {
  #if canImport(Darwin)
    private let cell: Cell

    package init(_ value: Int) { cell = Cell(value) }

    package func load() -> Int { cell.update { $0 } }

    package func store(_ value: Int) { cell.update { $0 = value } }

    /// - Returns: The new value, wrapping around at the ends.
    @discardableResult
    package func add(_ amount: Int) -> Int {
      cell.update {
        $0 &+= amount
        return $0
      }
    }

    private final class Cell: @unchecked Sendable {
      // `@unchecked`: `value` is touched only while `lock` is held.
      private let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
      private var value: Int

      init(_ value: Int) {
        self.value = value
        lock.initialize(to: os_unfair_lock())
      }

      deinit { lock.deallocate() }

      func update<Result>(_ body: (inout Int) -> Result) -> Result {
        os_unfair_lock_lock(lock)
        defer { os_unfair_lock_unlock(lock) }
        return body(&value)
      }
    }
  #else
    private let value: Atomic<Int>

    package init(_ value: Int) { self.value = Atomic(value) }

    package func load() -> Int { value.load(ordering: .sequentiallyConsistent) }

    package func store(_ value: Int) {
      self.value.store(value, ordering: .sequentiallyConsistent)
    }

    /// - Returns: The new value, wrapping around at the ends.
    @discardableResult
    package func add(_ amount: Int) -> Int {
      value.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue
    }
  #endif
}
