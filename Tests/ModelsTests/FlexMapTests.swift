import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("FlexMap")
struct FlexMapTests {
  /// `{"output_height": 16, "output_width": 24}`, as converters write it.
  static let size: [UInt8] =
    Array("output_height\0output_width\0".utf8)
    + [2, 28, 15] + [2, 1] + [2, 16, 24] + [4, 4] + [4, 0x24, 1]

  /// `{"f": 1.5 (single), "n": [3, −1] (bytes)}` with offsets of four bytes.
  static let mixed: [UInt8] = {
    var bytes: [UInt8] = Array("f\0n\0".utf8)
    bytes += [2]  // Count of the vector at 5.
    bytes += [3, 0xFF, 0]
    bytes += [2, 0, 0, 0]
    bytes += [12, 0, 0, 0, 14, 0, 0, 0]  // Keys at 12: 12 − 12 = 0, 16 − 14 = 2.
    bytes += [8, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0]  // Keys 8 back, of width 4; two values.
    bytes += [0, 0, 0xC0, 0x3F, 31, 0, 0, 0]  // 1.5 at 32; 36 − 31 = 5.
    bytes += [3 << 2 | 2, 11 << 2]
    return bytes + [10, 9 << 2 | 2, 1]
  }()

  static func map(_ bytes: [UInt8]) throws(ModelError) -> FlexMap {
    try FlexMap(bytes: StorageView(Storage(copying: bytes)))
  }

  @Test("integers are found by key, and read as floats where a float is asked for")
  func integers() throws {
    let map = try Self.map(Self.size)
    #expect(try map.int("output_height") == 16)
    #expect(try map.int("output_width") == 24)
    #expect(try map.float("output_width") == 24)
    #expect(try map.int("output") == nil)
    #expect(try map.int("output_width2") == nil)
  }

  @Test("wide maps, floats and typed vectors are read")
  func mixedTypes() throws {
    let map = try Self.map(Self.mixed)
    #expect(try map.float("f") == 1.5)
    #expect(try map.int("f") == 1)
    #expect(try map.ints("n") == [3, -1])
    #expect(try map.floats("n") == [3, -1])
  }

  @Test("a vector is not a number, a number is no vector")
  func mismatch() throws {
    let map = try Self.map(Self.mixed)
    #expect(throws: ModelError.self) { try map.int("n") }
    #expect(throws: ModelError.self) { try map.ints("f") }
  }

  @Test("no flipped bit and no cut leads outside the options")
  func damage() {
    /// What each way of reading gives; "–" for an error.
    func readAll(_ bytes: [UInt8]) -> [String] {
      guard let map = try? Self.map(bytes) else { return ["no map"] }
      return [
        (try? map.int("output_height")).map { "\($0 as Any)" } ?? "–",
        (try? map.int("output_width")).map { "\($0 as Any)" } ?? "–",
        (try? map.float("f")).map { "\($0 as Any)" } ?? "–",
        (try? map.ints("n")).map { "\($0 as Any)" } ?? "–",
        (try? map.string("f")).map { "\($0 as Any)" } ?? "–",
      ]
    }
    for bytes in [Self.size, Self.mixed] {
      let whole = readAll(bytes)
      var changed = 0
      for bit in 0..<(8 * bytes.count) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        if readAll(damaged) != whole { changed += 1 }
      }
      #expect(changed > bytes.count)
      for count in 0..<bytes.count {
        #expect(readAll(Array(bytes[..<count])) != whole, "cut at \(count)")
        _ = readAll(Array(bytes[count...]))
      }
    }
  }
}
