import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("FlatTable")
struct FlatTableTests {
  /// Bytes at an address with this remainder modulo 16.
  static func view(_ bytes: [UInt8], shift: Int = 0) -> StorageView {
    let storage = Storage(copying: [UInt8](repeating: 0xEE, count: shift) + bytes)
    return StorageView(storage, offset: shift, count: bytes.count)
  }

  static let everything: [Int: FlatBuilder.Value] = [
    0: .int8(-3), 1: .uint8(200), 2: .int32(-70_000), 3: .uint32(.max), 4: .uint64(1 << 40),
    5: .float(2.5), 6: .bool(true), 7: .string("naïve"), 8: .bytes([9, 8, 7]),
    9: .int32s([1, -2]), 10: .int64s([.min]), 11: .floats([]), 12: .table([0: .int32(5)]),
    13: .tables([[0: .int32(6)], [:]]), 14: .uint8(3), 15: .table([:]),
  ]

  @Test("every kind of field is read, at any address", arguments: [0, 1, 3, 7])
  func allFields(shift: Int) throws {
    let bytes = FlatBuilder.buffer(Self.everything)
    let table = try FlatTable(root: Self.view(bytes, shift: shift), identifier: "TFL3")
    #expect(try table.int8(0) == -3)
    #expect(try table.uint8(1) == 200)
    #expect(try table.int32(2) == -70_000)
    #expect(try table.uint32(3) == .max)
    #expect(try table.uint64(4) == 1 << 40)
    #expect(try table.int64(4) == 1 << 40)
    #expect(try table.float(5) == 2.5)
    #expect(try table.bool(6))
    #expect(try table.string(7) == "naïve")
    #expect(try table.bytes(8)?.array(of: UInt8.self) == [9, 8, 7])
    #expect(try table.int32s(9) == [1, -2])
    #expect(try table.int64s(10) == [.min])
    #expect(try table.floats(11) == [])
    #expect(try table.table(12)?.int32(0) == 5)
    #expect(try table.tables(13)?.count == 2)
    #expect(try table.tables(13)?[0].int32(0) == 6)
    #expect(try table.union(14).type == 3)
    #expect(try table.union(14).table != nil)
  }

  @Test("an absent field is its default or nil, beyond the field list too")
  func absentFields() throws {
    let table = try FlatTable(
      root: Self.view(FlatBuilder.buffer([2: .int32(1)])), identifier: "TFL3")
    for slot in [0, 1, 3, 30_000] {
      #expect(try table.int32(slot, default: 7) == 7)
      #expect(try table.enumeration(slot) == 0)
      #expect(try table.int32s(slot) == nil)
      #expect(try table.string(slot) == nil)
      #expect(try table.table(slot) == nil)
      #expect(try table.tables(slot) == nil)
      #expect(try table.union(slot).type == 0)
    }
  }

  @Test("another identifier is not a model")
  func identifier() {
    let bytes = FlatBuilder.buffer([:], identifier: "TFL2")
    #expect(throws: ModelError(.notAModel, "the identifier is not TFL3", at: .byte(4))) {
      try FlatTable(root: Self.view(bytes), identifier: "TFL3")
    }
  }

  @Test("shared vectors are refused once they decode to far more than the file")
  func amplification() throws {
    let bytes = FlatBuilder.buffer([0: .int32s([Int32](repeating: 1, count: 10_000))])
    let table = try FlatTable(root: Self.view(bytes), identifier: "TFL3")
    var reads = 0
    let error = #expect(throws: ModelError.self) {
      while reads < 1000 {
        _ = try table.int32s(0)
        reads += 1
      }
    }
    #expect(error?.code == .resourceLimit)
    #expect(reads > 4 && reads < 20)
  }

  /// Reads whatever there is, in every way; only errors of our own may come out. Gives how many came.
  static func faults(_ bytes: [UInt8]) -> Int {
    guard let table = try? FlatTable(root: view(bytes), identifier: "TFL3") else { return 1 }
    var faults = 0
    func attempt(_ read: () throws(ModelError) -> Void) {
      do throws(ModelError) { try read() } catch { faults += 1 }
    }
    for slot in 0..<17 {
      attempt { () throws(ModelError) in _ = try table.int64(slot) }
      attempt { () throws(ModelError) in _ = try table.string(slot) }
      attempt { () throws(ModelError) in _ = try table.int32s(slot) }
      attempt { () throws(ModelError) in _ = try table.int64s(slot) }
      attempt { () throws(ModelError) in _ = try table.table(slot)?.int32(0) }
      attempt { () throws(ModelError) in _ = try table.tables(slot) }
    }
    return faults
  }

  @Test("no flipped bit and no cut leads outside the buffer")
  func damage() {
    let bytes = FlatBuilder.buffer(Self.everything)
    // Even whole, a slot read as something else is a fault.
    let usual = Self.faults(bytes)
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if Self.faults(damaged) != usual { refused += 1 }
    }
    #expect(refused > bytes.count)
    for count in 0..<(bytes.count / 2) {
      #expect(Self.faults(Array(bytes[..<count])) > 0, "cut at \(count)")
    }
  }

  @Test("offsets and counts past the end are malformed", arguments: [UInt32.max, 1 << 31, 4096, 0])
  func wildOffset(_ offset: UInt32) throws {
    var bytes = FlatBuilder.buffer([0: .int32s([1, 2])])
    let root = Int(bytes[0])
    for i in 0..<4 { bytes[root + 4 + i] = UInt8(truncatingIfNeeded: offset >> UInt32(8 * i)) }
    let table = try FlatTable(root: Self.view(bytes), identifier: "TFL3")
    let error = #expect(throws: ModelError.self) { try table.int32s(0) }
    #expect(error?.code == .malformed)
    #expect(error?.location == .byte(root + 4))
  }
}
