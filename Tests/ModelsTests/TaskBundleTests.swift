import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("TaskBundle")
struct TaskBundleTests {
  static let archive = ZipBuilder([.init("a.tflite", Array("first".utf8)), .init("b", [1, 2, 3])])

  static func bundle(_ bytes: [UInt8]) throws(ModelError) -> TaskBundle {
    try TaskBundle(StorageView(Storage(copying: bytes)))
  }

  /// The code of the error that opening an archive and reading its first entry gives.
  static func fault(_ change: (inout ZipBuilder) -> Void) -> ModelError.Code? {
    var archive = Self.archive
    change(&archive)
    do {
      _ = try bundle(archive.bytes).entry(named: "a.tflite")
      return nil
    } catch {
      return error.code
    }
  }

  @Test("entries are views of the archive")
  func entries() throws {
    let storage = Storage(copying: Self.archive.bytes)
    let bundle = try TaskBundle(StorageView(storage))
    #expect(bundle.names == ["a.tflite", "b"])
    #expect(bundle.contains("b") && !bundle.contains("c"))
    let entry = try bundle.entry(named: "a.tflite")
    #expect(entry.storage === storage)
    #expect(entry.array(of: UInt8.self) == Array("first".utf8))
  }

  @Test("a missing entry's error lists what is there")
  func missing() throws {
    let bundle = try Self.bundle(Self.archive.bytes)
    let error = #expect(throws: ModelError.self) { try bundle.entry(named: "c") }
    #expect(error?.code == .notFound)
    #expect(
      error?.description == "the bundle has no such entry — entry c — it has a.tflite, b")
  }

  @Test("comments and bytes in front are allowed")
  func allowed() {
    #expect(Self.fault { _ in } == nil)
    #expect(Self.fault { $0.comment = Array("hello".utf8) } == nil)
    #expect(Self.fault { $0.prefix = [1, 2, 3] } == nil)
    #expect(Self.fault { $0.entries.append(.init("folder/", [])) } == nil)
    #expect(Self.fault { $0.entries[1].method = 8 } == nil)
  }

  @Test("a lying archive is refused")
  func lies() {
    #expect(Self.fault { $0.entries = [] } == .bundle)
    #expect(Self.fault { $0.entries[0].method = 8 } == .bundleCompressed)
    #expect(Self.fault { $0.entries[0].method = 99 } == .bundle)
    #expect(Self.fault { $0.entries[0].flags = 1 } == .bundle)
    #expect(Self.fault { $0.entries[0].checksum = 1 } == .bundle)
    #expect(Self.fault { $0.entries[0].size = .max } == .bundle)
    #expect(Self.fault { $0.entries[0].size = 5000 } == .bundle)
    #expect(Self.fault { $0.entries[0].headerOffset = .max } == .bundle)
    #expect(Self.fault { $0.entries[1].headerOffset = 0 } == .bundle)
    #expect(Self.fault { $0.entries[0].localName = Array("b.tflite".utf8) } == .bundle)
    #expect(Self.fault { $0.entries.append($0.entries[0]) } == .bundle)
    #expect(Self.fault { $0.disk = 3 } == .bundle)
    #expect(Self.fault { $0.count = 65_534 } == .bundle)
  }

  @Test("no flipped bit and no cut leads outside the archive")
  func damage() {
    let bytes = Self.archive.bytes
    /// Whether the archive and all entries are read.
    func isRead(_ bytes: [UInt8]) -> Bool {
      guard let bundle = try? Self.bundle(bytes) else { return false }
      return bundle.names.allSatisfy { (try? bundle.entry(named: $0)) != nil }
    }
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if !isRead(damaged) { refused += 1 }
    }
    #expect(isRead(bytes))
    // Contents have checksums; times, attributes and versions may be any.
    #expect(refused > bytes.count && refused < 8 * bytes.count)
    // The directory stands at the end.
    for count in 0..<bytes.count { #expect(!isRead(Array(bytes[..<count])), "cut at \(count)") }
  }

  @Test("the checksum is that of the standard, for every remainder of eight")
  func checksum() {
    let data: [UInt8] = (0..<100).map { UInt8(truncatingIfNeeded: $0 * 37) }
    for count in 0..<data.count {
      let part = Array(data[..<count])
      #expect(part.withUnsafeBytes(CRC32.checksum) == ZipBuilder.checksum(part))
    }
    #expect(Array("123456789".utf8).withUnsafeBytes(CRC32.checksum) == 0xCBF4_3926)
  }

  @Test(
    "the published bundle holds its four entries",
    .enabled(
      if: ModelFiles.isAvailable("face_landmarker.task"), Comment(rawValue: ModelFiles.reason)))
  func published() throws {
    let bundle = try TaskBundle(path: ModelFiles.url("face_landmarker.task").path)
    for name in ["face_detector", "face_landmarks_detector", "face_blendshapes"] {
      _ = try TFLiteModel(bundle.entry(named: "\(name).tflite"))
    }
    #expect(bundle.contains("geometry_pipeline_metadata_landmarks.binarypb"))
  }
}
