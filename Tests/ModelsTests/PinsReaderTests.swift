import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// What readers of foreign bytes refuse, at the exact edge.
enum Surroundings {
  /// Bytes as a part of a larger block: what lies around them differs from one to the other, and what
  /// follows in `behind` may even be a sensible continuation.
  static func views(_ bytes: [UInt8], behind: [UInt8] = []) -> [StorageView] {
    let room = 80
    return [UInt8(0), 0xFF, 0x01, 0x7F].map { filler in
      var tail = [UInt8](repeating: filler, count: room)
      if filler == 0 {
        tail.replaceSubrange(0..<min(room, behind.count), with: behind.prefix(room))
      }
      let storage = Storage(copying: [UInt8](repeating: filler, count: room) + bytes + tail)
      return StorageView(storage, offset: room, count: bytes.count)
    }
  }

  /// Whether reading depends on bytes that don't belong to the view: it must not.
  static func areRead(
    _ bytes: [UInt8], behind: [UInt8] = [], by read: (StorageView) -> String
  ) -> Bool {
    Set(views(bytes, behind: behind).map(read)).count > 1
  }

  static func text<Value>(_ body: () throws -> Value) -> String {
    do { return "\(try body())" } catch { return "\(error)" }
  }
}

@Suite("Readers at the edge: FlatBuffers")
struct PinsFlatTableTests {
  /// A FlatBuffer written by hand, as 16-bit words behind the header.
  static func buffer(root: UInt32, _ words: [UInt16]) -> [UInt8] {
    littleEndianBytes([root]) + Array("TFL3".utf8) + littleEndianBytes(words)
  }

  static func error(
    _ bytes: [UInt8], _ read: (FlatTable) throws -> Void = { _ in }
  ) -> ModelError? {
    do {
      let view = Surroundings.views(bytes)[0]
      try read(FlatTable(root: view, identifier: "TFL3"))
      return nil
    } catch {
      return error as? ModelError
    }
  }

  static func readAll(_ view: StorageView) -> String {
    Surroundings.text {
      let table = try FlatTable(root: view, identifier: "TFL3")
      var text = ""
      for slot in 0..<17 {
        text += Surroundings.text { try table.int8(slot, default: 77) }
        text += Surroundings.text { try table.int64(slot, default: 77) }
        text += Surroundings.text { try table.string(slot) ?? "none" }
        text += Surroundings.text { try table.int32s(slot) ?? [] }
        text += Surroundings.text { try table.int64s(slot) ?? [] }
        text += Surroundings.text { try table.bytes(slot)?.array(of: UInt8.self) ?? [] }
        text += Surroundings.text { try table.table(slot)?.int32(0) ?? 77 }
        text += Surroundings.text {
          try table.tables(slot)?.map { try $0.int32(0, default: 77) } ?? []
        }
      }
      return text
    }
  }

  @Test("bytes around a FlatBuffer are never looked at, however it is cut or damaged")
  func surroundings() {
    let bytes = FlatBuilder.buffer(FlatTableTests.everything)
    for count in 0..<bytes.count {
      let (kept, rest) = (Array(bytes[..<count]), Array(bytes[count...]))
      #expect(!Surroundings.areRead(kept, behind: rest, by: Self.readAll), "cut to \(count)")
    }
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!Surroundings.areRead(damaged, by: Self.readAll), "bit \(bit)")
    }
  }

  @Test("a header of eight bytes is the least")
  func header() {
    let bytes = Self.buffer(root: 8, [])
    #expect(Self.error(Array(bytes.prefix(7)))?.what == "7 bytes are too few for a header")
    #expect(Self.error(bytes)?.what == "a table lies outside the file")
  }

  @Test("a root table in front of the file's end has room for its four bytes, or is refused")
  func rootPosition() {
    // A field list at byte 8 and a table behind it at byte 12, the last four bytes there are.
    let bytes = Self.buffer(root: 12, [4, 4, 4, 0])
    #expect(Self.error(bytes) == nil)
    for root in [UInt32(13), 14, 15, 16, 17, 20, 1 << 31, .max] {
      let error = Self.error(Self.buffer(root: root, [4, 4, 4, 0]))
      #expect(error?.what == "a table lies outside the file", "root \(root)")
      #expect(error?.location == .byte(Int(root)))
    }
    // Not in front of the header, and not at a place that is not a multiple of four.
    for root in [UInt32(0), 1, 2, 3] {
      #expect(
        Self.error(Self.buffer(root: root, [4, 4, 4, 0]))?.what == "a table lies outside the file")
    }
    #expect(
      Self.error(Self.buffer(root: 14, [4, 4, 0, 6, 0, 0]))?.what
        == "a table lies outside the file")
  }

  @Test("a field list lies inside the file, at an even byte")
  func fieldList() {
    func fault(back: Int32, _ words: [UInt16] = [4, 4]) -> ModelError? {
      let bytes =
        littleEndianBytes([UInt32(12)]) + Array("TFL3".utf8) + littleEndianBytes(words)
        + littleEndianBytes([back])
      return Self.error(bytes + [4, 0, 4, 0])
    }
    let outside = "a table's field list lies outside the file"
    #expect(fault(back: 4) == nil)
    #expect(fault(back: -4) == nil)
    #expect(fault(back: -6)?.what == outside)
    #expect(fault(back: -8)?.what == outside)
    #expect(fault(back: 13)?.what == outside)
    #expect(fault(back: 14)?.what == outside)
    #expect(fault(back: .max)?.what == outside)
    #expect(fault(back: .min)?.what == outside)
    // At byte 9 the list would read 4, 4 as well.
    #expect(fault(back: 3, [0x0400, 0x0400])?.what == outside)
    #expect(fault(back: 3, [0x0400, 0x0400])?.location == .byte(12))
  }

  @Test("a field list has a size of its own: even, at least four, inside the file")
  func fieldListSize() {
    func fault(_ size: UInt16) -> String? {
      Self.error(Self.buffer(root: 12, [size, 4, 4, 0, 0, 0]))?.what
    }
    let bad = "a table's field list has a bad size"
    for size in [UInt16(0), 2, 3, 5, 7, 13, 14, 16, .max] { #expect(fault(size) == bad) }
    for size in [UInt16(4), 6, 12] { #expect(fault(size) == nil) }
  }

  @Test("a table has at least four bytes, and all of them inside the file")
  func tableSize() {
    func fault(_ size: UInt16) -> String? {
      Self.error(Self.buffer(root: 12, [4, size, 4, 0, 0, 0]))?.what
    }
    for size in [UInt16(0), 1, 3, 9, 10, .max] { #expect(fault(size) == "a table has a bad size") }
    for size in [UInt16(4), 6, 8] { #expect(fault(size) == nil) }
  }

  @Test("a field lies behind its table's first four bytes and inside the table")
  func fieldPosition() throws {
    // A list of one field for a table of twelve bytes.
    func table(_ offset: UInt16, listSize: UInt16 = 6) throws -> FlatTable {
      let words: [UInt16] = [listSize, 12, offset, 0, 8, 0, 1, 2, 3, 4, 5, 6]
      return try FlatTable(
        root: Surroundings.views(Self.buffer(root: 16, words))[0], identifier: "TFL3")
    }
    let outside = "field 0 lies outside its table"
    for offset in [UInt16(1), 3, 9, 10, 12, .max] {
      let table = try table(offset)
      #expect(throws: ModelError(.malformed, outside, at: .byte(16))) { try table.int32(0) }
    }
    #expect(try table(4).int32(0) == 0x0002_0001)
    #expect(try table(8).int32(0) == 0x0004_0003)
    #expect(try table(11).int8(0) == 0)
    #expect(throws: ModelError.self) { try table(12).int8(0) }
    #expect(throws: ModelError.self) { try table(5).int64(0) }
    #expect(try table(4).int64(0) == 0x0004_0003_0002_0001)
    // A list that ends where the field's entry would begin does not have it.
    #expect(try table(4, listSize: 4).int32(0, default: 7) == 7)
    #expect(try table(4).int32(1, default: 7) == 7)
  }

  @Test("an offset leads forward to at least four bytes of the file")
  func offsets() throws {
    // A table whose only field, at byte 20, is an offset; the file ends at byte 32.
    func table(_ offset: UInt32) throws -> FlatTable {
      let bytes =
        Self.buffer(root: 16, [6, 8, 4, 0, 8, 0]) + littleEndianBytes([offset])
        + littleEndianBytes([UInt32(1), 0])
      return try FlatTable(root: Surroundings.views(bytes)[0], identifier: "TFL3")
    }
    let outside = ModelError(.malformed, "an offset points outside the file", at: .byte(20))
    for offset in [UInt32(0), 9, 10, 12, 1 << 31, .max] {
      let table = try table(offset)
      #expect(throws: outside) { try table.bytes(0) }
    }
    #expect(try table(4).bytes(0)?.count == 1)
    #expect(try table(8).bytes(0)?.count == 0)
  }

  @Test("a vector ends with the file at the latest, elements of every width")
  func vectors() throws {
    // A vector at byte 24 with eight bytes of room.
    func table(_ count: UInt32) throws -> FlatTable {
      let bytes =
        Self.buffer(root: 16, [6, 8, 4, 0, 8, 0]) + littleEndianBytes([UInt32(4), count, 0, 0])
      return try FlatTable(root: Surroundings.views(bytes)[0], identifier: "TFL3")
    }
    #expect(try table(8).bytes(0)?.count == 8)
    #expect(try table(2).int32s(0) == [0, 0])
    #expect(try table(1).int64s(0) == [0])
    for count in [UInt32(9), 10, 12, .max] {
      let table = try table(count)
      let error = ModelError(
        .malformed, "a vector of \(count) elements runs past the end of the file", at: .byte(24))
      #expect(throws: error) { try table.bytes(0) }
      #expect(throws: error) { try table.int32s(0) }
    }
    for count in [UInt32(3), 4, 8] {
      #expect(throws: ModelError.self) { try table(count).int32s(0) }
      #expect(throws: ModelError.self) { try table(count).int64s(0) }
      #expect(throws: ModelError.self) { try table(count).tables(0) }
    }
    #expect(throws: ModelError.self) { try table(2).int64s(0) }
  }

  @Test("a vector of tables has elements below its count")
  func elements() throws {
    let bytes = FlatBuilder.buffer([0: .tables([[0: .int32(6)], [:]])])
    let table = try FlatTable(root: FlatTableTests.view(bytes), identifier: "TFL3")
    #expect(try table.table(0, 1).int32(0, default: 9) == 9)
    for index in [-1, 2, 3] {
      let error = #expect(throws: ModelError.self) { try table.table(0, index) }
      #expect(error?.code == .indexOutOfRange)
    }
  }

  @Test("every kind of vector is paid for: reading one again and again ends in an error")
  func budget() throws {
    let long = [UInt8](repeating: 65, count: 20_000)
    let bytes = FlatBuilder.buffer([
      0: .bytes(long), 1: .int32s([Int32](repeating: 1, count: 5000)),
      2: .int64s([Int64](repeating: 1, count: 5000)),
      3: .floats([Float](repeating: 1, count: 5000)),
      4: .tables([[Int: FlatBuilder.Value]](repeating: [:], count: 1000)),
    ])
    let reads: [(FlatTable) throws -> Void] = [
      { _ = try $0.string(0) }, { _ = try $0.int32s(1) }, { _ = try $0.int64s(2) },
      { _ = try $0.floats(3) }, { _ = try $0.tables(4) },
    ]
    for (index, read) in reads.enumerated() {
      let table = try FlatTable(root: FlatTableTests.view(bytes), identifier: "TFL3")
      var count = 0
      let error = #expect(throws: ModelError.self) {
        while count < 1000 {
          try read(table)
          count += 1
        }
      }
      #expect(error?.code == .resourceLimit, "vector \(index)")
      // Each element once for every byte of the file, and a little for small files.
      let cost = index == 0 ? 20_000 : index == 4 ? 8000 : 5000
      #expect(count == (bytes.count + 65_536) / cost, "vector \(index)")
    }
  }

  @Test("the budget may be spent to the last element")
  func exactBudget() throws {
    let budget = ReadBudget(byteCount: 100)
    try budget.spend(65_636)
    #expect(throws: ModelError.self) { try budget.spend(1) }
    try budget.spend(0)
  }
}
