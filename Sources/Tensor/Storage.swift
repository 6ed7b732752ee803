/// A fixed block of memory, shared by reference and freed with its last user.
///
/// It either owns 64-byte aligned memory or adopts memory made elsewhere (a mapped file).
public final class Storage: @unchecked Sendable {
  // `@unchecked`: the pointer never changes. Who may write is settled by the owner: constants are
  // written before they are shared, arenas belong to one session.

  /// The first byte.
  public let base: UnsafeMutableRawPointer
  /// The number of bytes.
  public let count: Int
  private let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void

  /// The alignment of owned memory: a cache line, and the widest vector register.
  public static let alignment = 64

  /// Reserves `count` zeroed bytes.
  public init(count: Int) {
    self.count = count
    base = .allocate(byteCount: max(count, 1), alignment: Storage.alignment)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    release = { base, _ in base.deallocate() }
  }

  /// Adopts memory; `release` is called once, when the last reference goes.
  public init(
    adopting base: UnsafeMutableRawPointer, count: Int,
    release: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Void
  ) {
    self.base = base
    self.count = count
    self.release = release
  }

  /// Copies `bytes`.
  public convenience init(copying bytes: [UInt8]) {
    self.init(count: bytes.count)
    bytes.withUnsafeBytes {
      if $0.count > 0 { base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }
  }

  deinit { release(base, count) }
}

/// A range of a ``Storage``: how constants point into a model file without a copy.
public struct StorageView: Sendable {
  /// The memory that the range lies in, kept alive by this view.
  public let storage: Storage
  /// The first byte of the range, counted from the storage's.
  public let offset: Int
  /// The number of bytes in the range.
  public let count: Int

  /// A range of `count` bytes from `offset` on.
  ///
  /// - Precondition: it lies within the storage.
  public init(_ storage: Storage, offset: Int, count: Int) {
    precondition(
      offset >= 0 && count >= 0 && offset <= storage.count && count <= storage.count - offset,
      "view \(offset)+\(count) leaves its storage of \(storage.count) bytes")
    self.storage = storage
    self.offset = offset
    self.count = count
  }

  /// All of the storage.
  public init(_ storage: Storage) { self.init(storage, offset: 0, count: storage.count) }

  /// The first byte. Not necessarily aligned: constants lie anywhere in a model file.
  public var base: UnsafeRawPointer { UnsafeRawPointer(storage.base) + offset }

  /// The bytes, valid while the view is alive.
  public var bytes: UnsafeRawBufferPointer { .init(start: base, count: count) }

  /// A part of this view.
  public func slice(offset: Int, count: Int) -> StorageView {
    precondition(offset >= 0 && count >= 0 && offset <= self.count && count <= self.count - offset)
    return StorageView(storage, offset: self.offset + offset, count: count)
  }

  /// The bytes as values of a trivial type, copied with unaligned loads; a partial last one is dropped.
  public func array<Element: BitwiseCopyable>(of type: Element.Type = Element.self) -> [Element] {
    let stride = MemoryLayout<Element>.stride
    return (0..<(count / stride)).map {
      base.loadUnaligned(fromByteOffset: $0 * stride, as: Element.self)
    }
  }
}
