import FaceKitTensor

/// A table of a FlatBuffer, read in place.
///
/// Nothing is trusted: every access is checked against the buffer and against the table's own size,
/// and loads are unaligned. An absent field gives its default, or `nil`; a field that points outside
/// throws. Absent and empty vectors are different values.
///
/// Source: FlatBuffers' binary format, https://flatbuffers.dev/internals/.
package struct FlatTable: Sendable {
  /// The whole FlatBuffer; all positions count from its first byte.
  let buffer: StorageView
  let budget: ReadBudget
  let position: Int
  private let vtable: Int
  private let vtableSize: Int
  private let size: Int

  /// The root table of a FlatBuffer.
  ///
  /// - Parameters:
  ///   - buffer: The file; it may have other bytes behind the FlatBuffer.
  ///   - identifier: The four ASCII characters at byte 4, `TFL3` for models.
  /// - Throws: ``ModelError/Code/notAModel`` if the identifier is another.
  package init(root buffer: StorageView, identifier: StaticString) throws(ModelError) {
    guard buffer.count >= 8 else {
      throw ModelError(.notAModel, "\(buffer.count) bytes are too few for a header")
    }
    for i in 0..<4 where buffer.bytes[4 + i] != identifier.utf8Start[i] {
      throw ModelError(.notAModel, "the identifier is not \(identifier)", at: .byte(4))
    }
    let root = UInt32(littleEndian: buffer.base.loadUnaligned(as: UInt32.self))
    guard let position = Int(exactly: root) else {
      throw ModelError(.malformed, "the root table lies outside the file", at: .byte(0))
    }
    try self.init(at: position, in: buffer, budget: ReadBudget(byteCount: buffer.count))
  }

  init(at position: Int, in buffer: StorageView, budget: ReadBudget) throws(ModelError) {
    guard position >= 4, position <= buffer.count - 4, position % 4 == 0 else {
      throw ModelError(.malformed, "a table lies outside the file", at: .byte(position))
    }
    self.buffer = buffer
    self.budget = budget
    self.position = position
    let back = Int64(FlatTable.load(Int32.self, at: position, in: buffer))
    let vtable = Int64(position) - back
    guard vtable >= 0, vtable <= Int64(buffer.count - 4), vtable % 2 == 0 else {
      throw ModelError(
        .malformed, "a table's field list lies outside the file", at: .byte(position))
    }
    self.vtable = Int(vtable)
    vtableSize = Int(FlatTable.load(UInt16.self, at: self.vtable, in: buffer))
    size = Int(FlatTable.load(UInt16.self, at: self.vtable + 2, in: buffer))
    guard vtableSize >= 4, vtableSize % 2 == 0, vtableSize <= buffer.count - self.vtable else {
      throw ModelError(.malformed, "a table's field list has a bad size", at: .byte(self.vtable))
    }
    guard size >= 4, size <= buffer.count - position else {
      throw ModelError(.malformed, "a table has a bad size", at: .byte(position))
    }
  }

  private init(_ table: FlatTable, budget: ReadBudget) {
    buffer = table.buffer
    self.budget = budget
    position = table.position
    vtable = table.vtable
    vtableSize = table.vtableSize
    size = table.size
  }

  /// The same table with a budget of its own, for a new pass over the file.
  func renewed(_ budget: ReadBudget) -> FlatTable { FlatTable(self, budget: budget) }

  /// The caller has checked the range.
  private static func load<T: FixedWidthInteger & BitwiseCopyable>(
    _: T.Type, at position: Int, in buffer: StorageView
  ) -> T {
    T(littleEndian: buffer.base.loadUnaligned(fromByteOffset: position, as: T.self))
  }

  /// Where the field of `slot` is, or `nil` if absent.
  private func field(_ slot: Int, width: Int) throws(ModelError) -> Int? {
    let entry = 4 + 2 * slot
    guard slot >= 0, entry + 2 <= vtableSize else { return nil }
    let offset = Int(FlatTable.load(UInt16.self, at: vtable + entry, in: buffer))
    if offset == 0 { return nil }
    guard offset >= 4, offset + width <= size else {
      throw ModelError(.malformed, "field \(slot) lies outside its table", at: .byte(position))
    }
    return position + offset
  }

  private func scalar<T: FixedWidthInteger & BitwiseCopyable>(
    _ slot: Int, _: T.Type
  ) throws(ModelError) -> T? {
    guard let at = try field(slot, width: MemoryLayout<T>.size) else { return nil }
    return FlatTable.load(T.self, at: at, in: buffer)
  }

  /// What the offset stored at `at` points to: at least four bytes inside the buffer.
  private func follow(_ at: Int) throws(ModelError) -> Int {
    let offset = FlatTable.load(UInt32.self, at: at, in: buffer)
    guard offset != 0, Int64(offset) <= Int64(buffer.count - 4 - at) else {
      throw ModelError(.malformed, "an offset points outside the file", at: .byte(at))
    }
    return at + Int(offset)
  }

  /// Position of the first element and number of elements.
  private func vector(_ slot: Int, width: Int) throws(ModelError) -> (start: Int, count: Int)? {
    guard let at = try field(slot, width: 4) else { return nil }
    let position = try follow(at)
    let count = FlatTable.load(UInt32.self, at: position, in: buffer)
    let room = (buffer.count - position - 4) / width
    guard Int64(count) <= Int64(room) else {
      throw ModelError(
        .malformed, "a vector of \(count) elements runs past the end of the file",
        at: .byte(position))
    }
    return (position + 4, Int(count))
  }
}

// MARK: - Scalars

extension FlatTable {
  package func int8(_ slot: Int, default value: Int = 0) throws(ModelError) -> Int {
    guard let stored = try scalar(slot, Int8.self) else { return value }
    return Int(stored)
  }

  package func uint8(_ slot: Int, default value: Int = 0) throws(ModelError) -> Int {
    guard let stored = try scalar(slot, UInt8.self) else { return value }
    return Int(stored)
  }

  package func int32(_ slot: Int, default value: Int = 0) throws(ModelError) -> Int {
    guard let stored = try scalar(slot, Int32.self) else { return value }
    return Int(stored)
  }

  package func uint32(_ slot: Int, default value: UInt32 = 0) throws(ModelError) -> UInt32 {
    try scalar(slot, UInt32.self) ?? value
  }

  package func int64(_ slot: Int, default value: Int64 = 0) throws(ModelError) -> Int64 {
    try scalar(slot, Int64.self) ?? value
  }

  package func uint64(_ slot: Int, default value: UInt64 = 0) throws(ModelError) -> UInt64 {
    try scalar(slot, UInt64.self) ?? value
  }

  package func float(_ slot: Int, default value: Float = 0) throws(ModelError) -> Float {
    guard let stored = try scalar(slot, UInt32.self) else { return value }
    return Float(bitPattern: stored)
  }

  package func bool(_ slot: Int, default value: Bool = false) throws(ModelError) -> Bool {
    guard let stored = try scalar(slot, UInt8.self) else { return value }
    return stored != 0
  }

  /// The raw value of an enum of one byte, as nearly all of the schema's are.
  package func enumeration(_ slot: Int, default value: Int = 0) throws(ModelError) -> Int {
    try int8(slot, default: value)
  }
}

// MARK: - Vectors, strings, tables

extension FlatTable {
  /// The number of elements of a vector whose elements are `width` bytes; `nil` if absent.
  func count(_ slot: Int, width: Int) throws(ModelError) -> Int? {
    try vector(slot, width: width)?.count
  }

  private func elements<T: FixedWidthInteger & BitwiseCopyable, U>(
    _ slot: Int, _: T.Type, _ convert: (T) -> U
  ) throws(ModelError) -> [U]? {
    let width = MemoryLayout<T>.size
    guard let (start, count) = try vector(slot, width: width) else { return nil }
    try budget.spend(count)
    var values = [U]()
    values.reserveCapacity(count)
    for i in 0..<count {
      values.append(convert(FlatTable.load(T.self, at: start + i * width, in: buffer)))
    }
    return values
  }

  /// A vector of 32-bit integers; `nil` if absent.
  package func int32s(_ slot: Int) throws(ModelError) -> [Int]? {
    try elements(slot, Int32.self) { Int($0) }
  }

  /// A vector of 64-bit integers; `nil` if absent.
  package func int64s(_ slot: Int) throws(ModelError) -> [Int64]? {
    try elements(slot, Int64.self) { $0 }
  }

  /// A vector of 32-bit floats; `nil` if absent.
  package func floats(_ slot: Int) throws(ModelError) -> [Float]? {
    try elements(slot, UInt32.self) { Float(bitPattern: $0) }
  }

  /// A vector of bytes, in place.
  package func bytes(_ slot: Int) throws(ModelError) -> StorageView? { try bytes(slot, width: 1) }

  /// The raw bytes of a vector whose elements are `width` bytes, in place.
  func bytes(_ slot: Int, width: Int) throws(ModelError) -> StorageView? {
    guard let (start, count) = try vector(slot, width: width) else { return nil }
    return buffer.slice(offset: start, count: count * width)
  }

  /// A string. Bytes that are not UTF-8 become replacement characters.
  package func string(_ slot: Int) throws(ModelError) -> String? {
    guard let view = try bytes(slot) else { return nil }
    try budget.spend(view.count)
    return String(decoding: view.bytes, as: UTF8.self)
  }

  /// The table a field refers to; `nil` if absent.
  package func table(_ slot: Int) throws(ModelError) -> FlatTable? {
    guard let at = try field(slot, width: 4) else { return nil }
    return try FlatTable(at: follow(at), in: buffer, budget: budget)
  }

  /// The element `index` of a vector of tables, for those who walk it without keeping it.
  func table(_ slot: Int, _ index: Int) throws(ModelError) -> FlatTable {
    guard let (start, count) = try vector(slot, width: 4), index >= 0, index < count else {
      throw ModelError(
        .indexOutOfRange, "field \(slot) has no element \(index)", at: .byte(position))
    }
    return try FlatTable(at: follow(start + 4 * index), in: buffer, budget: budget)
  }

  /// A vector of tables; `nil` if absent.
  package func tables(_ slot: Int) throws(ModelError) -> [FlatTable]? {
    guard let count = try count(slot, width: 4) else { return nil }
    // A table's description is some eight integers.
    try budget.spend(8 * count)
    var tables = [FlatTable]()
    tables.reserveCapacity(count)
    for i in 0..<count { tables.append(try table(slot, i)) }
    return tables
  }

  /// A union: its discriminant at `typeSlot`, and the table in the slot after, which a careless
  /// writer may leave out. (0, nil) if absent.
  package func union(_ typeSlot: Int) throws(ModelError) -> (type: Int, table: FlatTable?) {
    let type = try uint8(typeSlot)
    return (type, type == 0 ? nil : try table(typeSlot + 1))
  }
}
