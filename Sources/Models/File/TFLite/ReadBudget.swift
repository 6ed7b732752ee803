import FaceKitTensor

/// How many elements may still be decoded from one file.
///
/// In a FlatBuffer any number of tables may point at one big vector, so a small file can ask for
/// memory quadratic in its size. Every element decoded into an array is paid for here; an honest
/// file holds at least one byte for each.
final class ReadBudget: Sendable {
  private let remaining: AtomicInteger

  /// A budget for a file of `byteCount` bytes. The constant leaves room for small files whose
  /// writer shares vectors.
  init(byteCount: Int) { remaining = AtomicInteger(byteCount + 65_536) }

  /// - Throws: ``ModelError/Code/resourceLimit`` if `count` more elements are too many.
  func spend(_ count: Int) throws(ModelError) {
    let left = remaining.add(-count)
    guard left >= 0 else {
      // Given back so that repeated attempts can't wrap around.
      remaining.add(count)
      throw ModelError(.resourceLimit, "the file's tables share vectors far beyond its own size")
    }
  }
}
