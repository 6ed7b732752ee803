import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("Readers at the edge: sparse constants")
struct PinsSparseTests {
  typealias Fields = SparseLayoutTests.Fields

  static func dense(_ size: Int32) -> Fields { SparseLayoutTests.dense(size) }

  /// A compressed level with indices of 1, 2 or 4 bytes.
  static func compressed(_ segments: [Int], _ indices: [Int], width: Int = 1) -> Fields {
    func vector(_ values: [Int]) -> (UInt8, FlatBuilder.Value) {
      switch width {
      case 1: (3, .table([0: .bytes(values.map { UInt8(truncatingIfNeeded: $0) })]))
      case 2: (2, .table([0: .uint16s(values.map { UInt16(truncatingIfNeeded: $0) })]))
      default: (1, .table([0: .int32s(values.map { Int32($0) })]))
      }
    }
    let (a, b) = (vector(segments), vector(indices))
    return [0: .int8(1), 2: .uint8(a.0), 3: a.1, 4: .uint8(b.0), 5: b.1]
  }

  static func fault(
    _ fields: Fields, shape: Shape, values: Int, type: ElementType = .int8
  ) -> String? {
    do {
      let bytes = FlatTableTests.view(FlatBuilder.buffer(fields))
      _ = try SparseLayout(
        FlatTable(root: bytes, identifier: "TFL3"), shape: shape, type: type, dataBytes: values)
      return nil
    } catch {
      return error.what
    }
  }

  @Test("indices of one, two and four bytes mean the same", arguments: [1, 2, 4])
  func widths(width: Int) throws {
    let fields: Fields = [
      0: .int32s([0, 1]),
      2: .tables([Self.dense(2), Self.compressed([0, 1, 3], [2, 0, 1], width: width)]),
    ]
    let dense = try SparseLayoutTests.densify(fields, shape: [2, 3], values: [7, 8, 9])
    #expect(dense == [0, 0, 7, 8, 9, 0])
  }

  @Test("blocks of two extents, of one dimension or the other, land where they belong")
  func blocks() throws {
    // 4×6 in blocks of 2×3, all stored.
    let both: Fields = [
      0: .int32s([0, 1, 2, 3]), 1: .int32s([0, 1]),
      2: .tables([Self.dense(2), Self.dense(2), Self.dense(2), Self.dense(3)]),
    ]
    let values = (0..<24).map { UInt8($0) }
    let dense = try SparseLayoutTests.densify(both, shape: [4, 6], values: values)
    var expected = [UInt8](repeating: 0, count: 24)
    for (index, value) in values.enumerated() {
      let (block, inner) = (index / 6, index % 6)
      let row = block / 2 * 2 + inner / 3
      expected[row * 6 + block % 2 * 3 + inner % 3] = value
    }
    #expect(dense == expected)
    // Blocks of columns only: the second dimension is subdivided, the first is not.
    let columns: Fields = [
      0: .int32s([0, 1, 2]), 1: .int32s([1]),
      2: .tables([Self.dense(2), Self.compressed([0, 1, 2], [1, 0]), Self.dense(2)]),
    ]
    #expect(
      try SparseLayoutTests.densify(columns, shape: [2, 4], values: [1, 2, 3, 4])
        == [0, 0, 1, 2, 3, 4, 0, 0])
  }

  @Test("levels: as many as dimensions and blocks, a permutation with blocks last")
  func levels() {
    func blocked(_ order: [Int32], _ map: [Int32], _ levels: [Fields]) -> String? {
      Self.fault(
        [0: .int32s(order), 1: .int32s(map), 2: .tables(levels)], shape: [4, 6], values: 24)
    }
    let levels = [Self.dense(2), Self.dense(2), Self.dense(2), Self.dense(3)]
    #expect(blocked([0, 1, 2, 3], [0, 1], levels) == nil)
    #expect(
      blocked([0, 1, 2], [0, 1], Array(levels.prefix(3))) == "3 levels for rank 2 and 2 blocks")
    #expect(
      blocked([0, 1, 2, 3], [0], levels) == "4 levels for rank 2 and 1 blocks")
    #expect(blocked([0, 1, 2], [0, 1], levels) == "4 levels for rank 2 and 2 blocks")
    for order in [[0, 2, 1, 3], [0, 0, 2, 3], [0, 1, 2, 2], [0, 1, 3, 4], [-1, 1, 2, 3]]
      as [[Int32]]
    {
      #expect(blocked(order, [0, 1], levels) == "the traversal order is not a permutation")
    }
    // Both blocks of one dimension would count it twice.
    #expect(
      blocked([0, 1, 2, 3], [0, 0], [Self.dense(1), Self.dense(6), Self.dense(2), Self.dense(2)])
        == "block 1 subdivides dimension 0")
    #expect(blocked([0, 1, 2, 3], [0, 2], levels) == "block 1 subdivides dimension 2")
    #expect(blocked([0, 1, 2, 3], [-1, 1], levels) == "block 0 subdivides dimension -1")
  }

  @Test("a block is dense, not empty, and divides its dimension")
  func blockSizes() {
    func block(_ level: Fields, outer: Int32, values: Int = 6) -> String? {
      Self.fault(
        [0: .int32s([0, 1]), 1: .int32s([0]), 2: .tables([Self.dense(outer), level])],
        shape: [6], values: values)
    }
    #expect(block(Self.dense(3), outer: 2) == nil)
    #expect(block(Self.dense(4), outer: 1, values: 4) == "blocks of 4 for an extent of 6")
    #expect(block(Self.dense(0), outer: 0, values: 0) == "blocks of 0 for an extent of 6")
    #expect(block(Self.dense(-3), outer: -2) == "blocks of -3 for an extent of 6")
    var level = Self.compressed([0, 3, 6], [0, 1, 2, 0, 1, 2])
    level[1] = .int32(3)
    #expect(block(level, outer: 2) == "blocks of 3 for an extent of 6")
  }

  @Test("a dense level has its dimension's extent, and all values are listed, no more, no fewer")
  func counts() {
    let plain: (Int32, Int) -> String? = { size, values in
      Self.fault([0: .int32s([0]), 2: .tables([Self.dense(size)])], shape: [6], values: values)
    }
    #expect(plain(6, 6) == nil)
    #expect(plain(5, 5) == "a dense level of 5 for an extent of 6")
    #expect(plain(7, 7) == "a dense level of 7 for an extent of 6")
    #expect(plain(6, 5) == "5 values stored where 6 are listed")
    #expect(plain(6, 7) == "7 values stored where 6 are listed")
    let fields: Fields = [0: .int32s([0]), 2: .tables([Self.dense(6)])]
    #expect(Self.fault(fields, shape: [6], values: 24, type: .float32) == nil)
    #expect(
      Self.fault(fields, shape: [6], values: 26, type: .float32) == "26 bytes of sparse float32")
    #expect(Self.fault(fields, shape: [6], values: 6, type: .string) == "6 bytes of sparse string")
  }

  @Test("segments begin at 0, never fall and end at the last index; indices are inside")
  func segments() {
    func level(_ segments: [Int], _ indices: [Int], width: Int = 4) -> String? {
      Self.fault(
        [
          0: .int32s([0, 1]),
          2: .tables([Self.dense(3), Self.compressed(segments, indices, width: width)]),
        ], shape: [3, 4], values: indices.count)
    }
    #expect(level([0, 1, 1, 3], [3, 0, 2]) == nil)
    #expect(level([0, 1, 3], [3, 0, 2]) == "3 segment bounds for 3 rows")
    #expect(level([0, 1, 1, 3, 3], [3, 0, 2]) == "5 segment bounds for 3 rows")
    #expect(level([1, 1, 1, 3], [3, 0, 2]) == "4 segment bounds for 3 rows")
    #expect(level([0, 2, 1, 3], [3, 0, 2]) == "segment 1 ends before it starts")
    #expect(level([0, -1, 1, 3], [3, 0, 2]) == "segment 0 ends before it starts")
    #expect(level([0, 1, 1, 2], [3, 0, 2]) == "segments up to 2 of 3 indices")
    #expect(level([0, 1, 1, 4], [3, 0, 2]) == "segments up to 4 of 3 indices")
    #expect(level([0, 1, 1, 3], [4, 0, 2]) == "index 4 of an extent of 4")
    #expect(level([0, 1, 1, 3], [3, -1, 2]) == "index -1 of an extent of 4")
    #expect(level([0, 1, 1, 3], [3, 5, 2], width: 1) == "index 5 of an extent of 4")
  }
}

@Suite("Readers at the edge: bundles")
struct PinsBundleTests {
  static func first(_ view: StorageView) -> String {
    Surroundings.text {
      let bundle = try TaskBundle(view)
      return bundle.names.map { name in
        Surroundings.text { try "\(name): \(bundle.entry(named: name).array(of: UInt8.self))" }
      }
    }
  }

  /// What is wrong with an archive after a change of its bytes; nil if its entries can be read.
  static func fault(
    _ archive: ZipBuilder = TaskBundleTests.archive, _ change: (inout [UInt8]) -> Void = { _ in }
  ) -> String? {
    var bytes = archive.bytes
    change(&bytes)
    do {
      let bundle = try TaskBundle(Surroundings.views(bytes)[0])
      for name in bundle.names { _ = try bundle.entry(named: name) }
      return nil
    } catch {
      return error.what
    }
  }

  /// Where the end record begins, if there is no comment.
  static func end(_ bytes: [UInt8]) -> Int { bytes.count - 22 }
  /// Where the directory begins.
  static func directory(_ bytes: [UInt8]) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[end(bytes) + 16 + $1]) << (8 * $1) }
  }

  static func put<Value: FixedWidthInteger & BitwiseCopyable>(
    _ value: Value, at: Int, in bytes: inout [UInt8]
  ) {
    bytes.replaceSubrange(at..<(at + MemoryLayout<Value>.size), with: littleEndianBytes([value]))
  }

  @Test("bytes around a bundle are never looked at, however it is cut or damaged")
  func surroundings() {
    var archive = TaskBundleTests.archive
    archive.comment = [1, 2, 3]
    let bytes = archive.bytes
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!Surroundings.areRead(damaged, by: Self.first), "bit \(bit)")
    }
    for count in 0..<bytes.count {
      let rest = Array(bytes[count...])
      #expect(!Surroundings.areRead(Array(bytes[..<count]), behind: rest, by: Self.first))
    }
  }

  @Test("an archive in several parts is refused, by each of the four fields that say so")
  func parts() {
    let several = "the archive is one part of several"
    for (offset, value) in [(4, UInt16(1)), (6, 1), (8, 1), (8, 3), (10, 1), (10, 3)] {
      #expect(Self.fault { Self.put(value, at: Self.end($0) + offset, in: &$0) } == several)
    }
  }

  @Test("ZIP64 is refused where its locator stands in front of the end record")
  func zip64() {
    let locator: [UInt8] = [0x50, 0x4B, 0x06, 0x07] + [UInt8](repeating: 0, count: 16)
    let refused = "ZIP64 archives are not supported"
    #expect(Self.fault { $0.insert(contentsOf: locator, at: Self.end($0)) } == refused)
    // An archive of nothing else, whose locator is its first byte.
    let empty = ZipBuilder([])
    #expect(Self.fault(empty) { $0.insert(contentsOf: locator, at: 0) } == refused)
  }

  @Test("the directory lies in front of the end record, with room for as many entries as it has")
  func directoryPlace() {
    let outside = "the directory lies outside the archive"
    let size =
      Self.end(TaskBundleTests.archive.bytes) - Self.directory(TaskBundleTests.archive.bytes)
    for value in [UInt32(size + 1), .max, 1 << 31] {
      #expect(Self.fault { Self.put(value, at: Self.end($0) + 12, in: &$0) } == outside)
    }
    for value in [UInt32.max, 1 << 31] {
      #expect(Self.fault { Self.put(value, at: Self.end($0) + 16, in: &$0) } == outside)
    }
    #expect(
      Self.fault { Self.put(UInt32(Self.directory($0) + 1), at: Self.end($0) + 16, in: &$0) }
        == outside)
    // A size that ends within the last entry, and one that ends before its name does.
    #expect(
      Self.fault { Self.put(UInt32(size - 1), at: Self.end($0) + 12, in: &$0) }
        == "directory entry 1 runs past its end")
    #expect(
      Self.fault { Self.put(UInt32(size - 2), at: Self.end($0) + 12, in: &$0) }
        == "directory entry 1 is broken")
    #expect(
      Self.fault { Self.put(UInt32(91), at: Self.end($0) + 12, in: &$0) }
        == "a directory of 91 bytes can't list 2 entries")
  }

  @Test("extra fields and comments of entries are stepped over, here and there")
  func extras() {
    // Two bytes of extras and three of comment behind the first entry's name, in the directory.
    let grown: (inout [UInt8], Int, Int) -> Void = { bytes, extra, comment in
      let at = Self.directory(bytes)
      let name = Int(bytes[at + 28])
      Self.put(UInt16(extra), at: at + 30, in: &bytes)
      Self.put(UInt16(comment), at: at + 32, in: &bytes)
      bytes.insert(
        contentsOf: [UInt8](repeating: 9, count: extra + comment), at: at + 46 + name)
      let end = Self.end(bytes)
      let size = UInt32(end - at)
      Self.put(size, at: end + 12, in: &bytes)
    }
    #expect(Self.fault { grown(&$0, 2, 0) } == nil)
    #expect(Self.fault { grown(&$0, 0, 3) } == nil)
    #expect(Self.fault { grown(&$0, 2, 3) } == nil)
    // Extras in the entry's own header: its data begins behind them.
    let archive = ZipBuilder([.init("a", [1, 2, 3])])
    let local: (inout [UInt8]) -> Void = { bytes in
      Self.put(UInt16(4), at: 28, in: &bytes)
      bytes.insert(contentsOf: [9, 9, 9, 9], at: 31)
      Self.put(UInt32(Self.directory(bytes) + 4), at: Self.end(bytes) + 16, in: &bytes)
    }
    #expect(Self.fault(archive, local) == nil)
  }

  @Test("a comment ends with the file, and may be as long as its field can say")
  func comments() {
    var archive = TaskBundleTests.archive
    archive.comment = [UInt8](repeating: 0, count: 0xFFFF)
    #expect(Self.fault(archive) == nil)
    let none = "not a ZIP archive, or cut short: it has no end record"
    #expect(Self.fault(archive) { $0.insert(0, at: 0) } != none)
    #expect(Self.fault { $0.append(0) } == none)
    #expect(Self.fault { _ = $0.removeLast() } == none)
    archive.comment = [1, 2]
    #expect(Self.fault(archive) { _ = $0.removeLast() } == none)
  }

  @Test("an entry lies in front of the directory, with its own header, name and all its bytes")
  func entries() {
    var one = ZipBuilder([.init("a", [1, 2, 3])])
    #expect(Self.fault(one) == nil)
    #expect(
      Self.fault(one) { Self.put(UInt32(0), at: 0, in: &$0) } == "an entry's header is broken")
    // The directory is no place for an entry's header or data.
    one.entries[0].headerOffset = UInt32(Self.directory(one.bytes))
    #expect(Self.fault(one) == "an entry's header is broken")
    one = ZipBuilder([.init("a", [1, 2, 3])])
    one.entries[0].size = 4
    #expect(Self.fault(one) == "an entry runs past the end")
    one.entries[0].size = .max
    #expect(Self.fault(one) == "directory entry 0 points outside the archive")
    one = ZipBuilder([.init("ab", [1, 2, 3])])
    one.entries[0].localName = Array("a".utf8)
    #expect(Self.fault(one) == "an entry's name differs from the directory's")
    one.entries[0].localName = Array("abc".utf8)
    #expect(Self.fault(one) == "an entry's name differs from the directory's")
    one.entries[0].localName = Array("ac".utf8)
    #expect(Self.fault(one) == "an entry's name differs from the directory's")
    #expect(
      Self.fault { Self.put(UInt32(0), at: Self.directory($0), in: &$0) }
        == "directory entry 0 is broken")
  }

  @Test("an entry's header that begins in the file's last bytes is not read on behind them")
  func headerAtEnd() {
    var archive = ZipBuilder([.init("a", [1, 2, 3])])
    archive.comment = [0x50, 0x4B]
    archive.entries[0].headerOffset = UInt32(archive.bytes.count - 2)
    let rest: [UInt8] = [3, 4] + [UInt8](repeating: 0, count: 40)
    for view in Surroundings.views(archive.bytes, behind: rest) {
      let error = #expect(throws: ModelError.self) { try TaskBundle(view) }
      #expect(error?.what == "an entry's header is broken")
    }
  }

  @Test("what an entry says of its size and its bytes must be so")
  func data() {
    let at = { (bytes: [UInt8]) in Self.directory(bytes) }
    // Stored and whole size: only the whole one changed.
    #expect(
      Self.fault { Self.put(UInt32(6), at: at($0) + 24, in: &$0) } == "5 bytes are stored of 6")
    #expect(
      Self.fault { Self.put(UInt32(4), at: at($0) + 24, in: &$0) } == "5 bytes are stored of 4")
    #expect(
      Self.fault { Self.put(UInt32(1) << 31, at: at($0) + 24, in: &$0) }
        == "directory entry 0 points outside the archive")
    #expect(Self.fault { Self.put(UInt16(1), at: at($0) + 8, in: &$0) } == "it is encrypted")
    #expect(Self.fault { Self.put(UInt16(0x800), at: at($0) + 8, in: &$0) } == nil)
    #expect(
      Self.fault { Self.put(UInt16(8), at: at($0) + 10, in: &$0) } == "it is compressed (method 8)")
    #expect(Self.fault { $0[38] ^= 1 } == "its checksum is wrong")
  }

  @Test("entries that share bytes are refused, to the last byte; touching ones are not")
  func overlap() {
    let (first, second) = (ZipBuilder.Entry("a", [1, 2, 3]), ZipBuilder.Entry("b", [4]))
    #expect(Self.fault(ZipBuilder([first, second])) == nil)
    // The first entry's size reaches one byte into the second's header.
    var lying = ZipBuilder([first, second])
    lying.entries[0].size = 4
    #expect(Self.fault(lying) == "two entries share bytes")
    // Two entries of the directory for one header.
    lying = ZipBuilder([first, first])
    lying.entries[1].headerOffset = 0
    #expect(Self.fault(lying) == "two entries share bytes")
  }

  @Test("a name that several entries have is refused where it is asked for")
  func severalNames() {
    let archive = ZipBuilder([.init("a", [1]), .init("b", [2]), .init("a", [3])])
    #expect(Self.fault(archive) == "several entries have this name")
  }

  @Test("a bundle without entries is refused, and an error lists eight names")
  func listing() throws {
    #expect(Self.fault(ZipBuilder([])) == "the bundle is empty")
    func advice(_ count: Int) throws -> String? {
      let archive = ZipBuilder((0..<count).map { .init("\($0)", []) })
      let bundle = try TaskBundleTests.bundle(archive.bytes)
      return #expect(throws: ModelError.self) { try bundle.entry(named: "x") }?.advice
    }
    #expect(try advice(8) == "it has 0, 1, 2, 3, 4, 5, 6, 7")
    #expect(try advice(10) == "it has 0, 1, 2, 3, 4, 5, 6, 7 and 2 more")
  }
}

@Suite("Readers at the edge: metadata")
struct PinsMetadataTests {
  typealias Fields = [Int: FlatBuilder.Value]

  /// Metadata of a model with one input, described by `input`, and more fields of root and graph.
  static func metadata(
    _ input: Fields = [:], root: Fields = [:], graph: Fields = [:]
  ) throws -> ModelMetadata {
    let bytes = FlatBuilder.buffer(
      [
        3: .tables([([2: .tables([input])] as Fields).merging(graph) { $1 }])
      ].merging(root) { $1 }, identifier: "M001")
    return try ModelMetadata(
      StorageView(Storage(copying: bytes)), model: StorageView(Storage(count: 0)))
  }

  @Test("each text is its own field")
  func texts() throws {
    let metadata = try Self.metadata(root: [
      0: .string("a"), 1: .string("b"), 2: .string("c"), 4: .string("d"), 5: .string("e"),
    ])
    #expect(metadata.name == "a" && metadata.description == "b" && metadata.version == "c")
    #expect(metadata.author == "d" && metadata.license == "e")
  }

  @Test("normalisation is read from the unit of its kind only, and colours from image properties")
  func unions() throws {
    let numbers: FlatBuilder.Value = .table([0: .floats([1, 2]), 1: .floats([3, 4])])
    let other = try Self.metadata([
      4: .tables([[0: .uint8(2), 1: numbers]]),
      3: .table([0: .uint8(1), 1: .table([0: .int8(1)])]),
    ]).inputs[0]
    #expect(other.normalization == nil && other.colorSpace == nil)
    let own = try Self.metadata([
      4: .tables([[0: .uint8(2), 1: .table([:])], [0: .uint8(1), 1: numbers]]),
      3: .table([0: .uint8(2), 1: .table([0: .int8(2)])]),
      5: .table([0: .floats([9]), 1: .floats([8])]),
    ]).inputs[0]
    #expect(own.normalization?.means == [1, 2])
    #expect(own.normalization?.standardDeviations == [3, 4])
    #expect(own.colorSpace == .grayscale)
    #expect(own.maxima == [9] && own.minima == [8])
  }

  @Test("files of the model come before those of its graph; blobs are the graph's")
  func files() throws {
    func file(_ name: String) -> FlatBuilder.Value { .tables([[0: .string(name)]]) }
    let metadata = try Self.metadata(
      root: [6: file("model")],
      graph: [
        4: file("graph"),
        9: .tables([[0: .string("blob"), 1: .bytes([7])], [0: .string("none")]]),
      ])
    #expect(metadata.associatedFiles.map(\.name) == ["model", "graph"])
    #expect(metadata.custom.map(\.name) == ["blob"])
    #expect(metadata.custom.first?.data.array(of: UInt8.self) == [7])
  }

  @Test("a range is where 0 and 255 go, for one finite mean and one deviation that divides")
  func range() throws {
    func range(_ means: [Float], _ deviations: [Float]) throws -> (low: Float, high: Float) {
      try ModelMetadata.Normalization(means: means, standardDeviations: deviations).range()
    }
    #expect(try range([0], [255]) == (0, 1))
    #expect(try range([127.5], [127.5]) == (-1, 1))
    #expect(try range([5], [-1]) == (5, -250))
    #expect(try range([2, 2, 2], [4, 4]) == (-0.5, 63.25))
    #expect(try range([0], [.ulpOfOne]).high == 255 / .ulpOfOne)
    for (means, deviations) in [
      ([.infinity], [1]), ([.nan], [1]), ([1], [.infinity]), ([1], [.nan]), ([1, 2], [1]),
      ([1, 1, 2], [1]), ([1], [1, 2]), ([1], [Float.ulpOfOne / 2]), ([1], []), ([], [1]),
    ] as [([Float], [Float])] {
      #expect(throws: ModelError.self) { try range(means, deviations) }
    }
  }

  @Test("labels are lines that end as Unix or Windows does, and empty ones are none")
  func labels() throws {
    let model = try ModelMetadataTests.model(
      metadata: ModelMetadataTests.metadata, tail: Array("a\r\nb\n\nc\u{C}\nd\r".utf8))
    let metadata = try #require(try model.authorMetadata())
    let file = try #require(metadata.outputs.first?.associatedFiles.first)
    #expect(try metadata.labels(in: file) == ["a", "b", "c\u{C}", "d"])
  }
}
