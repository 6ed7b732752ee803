import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("ModelMetadata")
struct ModelMetadataTests {
  static let metadata = FlatBuilder.buffer(
    [
      0: .string("adder"), 2: .string("v1"), 4: .string("someone"),
      3: .tables([
        [
          2: .tables([
            [
              0: .string("image"), 3: .table([0: .uint8(2), 1: .table([0: .int8(1)])]),
              4: .tables([
                [0: .uint8(3), 1: .table([:])],
                [0: .uint8(1), 1: .table([0: .floats([127.5]), 1: .floats([127.5])])],
              ]), 5: .table([0: .floats([1]), 1: .floats([-1])]),
            ]
          ]),
          3: .tables([
            [0: .string("class"), 6: .tables([[0: .string("labels.txt"), 2: .int8(2)]])]
          ]),
        ]
      ]),
    ], identifier: "M001")

  static func model(metadata: [UInt8], tail: [UInt8] = []) throws -> TFLiteModel {
    var model = ModelBuilder.addition()
    model.buffers.append([0: .bytes(metadata)])
    model.extra[6] = .tables([[0: .string("TFLITE_METADATA"), 1: .uint32(2)]])
    let bytes = model.bytes
    var archive = ZipBuilder([.init("labels.txt", tail)])
    archive.prefix = bytes
    return try TFLiteModel(bytes: archive.bytes)
  }

  @Test("names, normalisation, colour space and label files are read")
  func reading() throws {
    let model = try Self.model(metadata: Self.metadata, tail: Array("left\r\nright\n".utf8))
    let metadata = try #require(try model.authorMetadata())
    #expect(metadata.name == "adder" && metadata.version == "v1" && metadata.author == "someone")
    let input = try #require(metadata.inputs.first)
    #expect(input.name == "image" && input.colorSpace == .rgb)
    #expect(input.minima == [-1] && input.maxima == [1])
    let range = try #require(try input.normalization?.range())
    #expect(range.low == -1 && range.high == 1)
    let file = try #require(metadata.outputs.first?.associatedFiles.first)
    #expect(file.kind == .axisLabels)
    #expect(try metadata.labels(in: file) == ["left", "right"])
  }

  @Test("a model without metadata has none; broken metadata throws")
  func none() throws {
    #expect(try TFLiteModel(bytes: ModelBuilder.addition().bytes).authorMetadata() == nil)
    let broken = try Self.model(metadata: [1, 2, 3])
    #expect(throws: ModelError.self) { try broken.authorMetadata() }
  }

  @Test("unequal channels and a zero deviation have no range")
  func noRange() {
    for (means, deviations) in [
      ([Float(0), 1], [Float(1)]), ([0], [1, 2]), ([0], [0]), ([], [1]), ([.nan], [1]),
    ] {
      let normalization = ModelMetadata.Normalization(
        means: means, standardDeviations: deviations)
      #expect(throws: ModelError.self) { try normalization.range() }
    }
  }

  @Test("no flipped bit and no cut of the metadata goes wrong")
  func damage() throws {
    let bytes = StorageView(Storage(count: 0))
    func isRead(_ data: [UInt8]) -> Bool {
      (try? ModelMetadata(StorageView(Storage(copying: data)), model: bytes)) != nil
    }
    var refused = 0
    for bit in 0..<(8 * Self.metadata.count) {
      var damaged = Self.metadata
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if !isRead(damaged) { refused += 1 }
    }
    #expect(isRead(Self.metadata))
    // Offsets and lengths take up a good part of a flatbuffer; letters and numbers may be any.
    #expect(refused > Self.metadata.count && refused < 8 * Self.metadata.count)
    for count in 0..<(Self.metadata.count / 2) {
      #expect(!isRead(Array(Self.metadata[..<count])), "cut at \(count)")
    }
  }

  @Test(
    "published models say how pixels become values",
    .enabled(
      if: ModelFiles.isAvailable("face_detector.tflite", "face_landmarks_detector.tflite"),
      Comment(rawValue: ModelFiles.reason)),
    arguments: [
      ("face_detector.tflite", Float(-1), Float(1)), ("face_landmarks_detector.tflite", 0, 1),
    ])
  func published(name: String, low: Float, high: Float) throws {
    let model = try TFLiteModel(path: ModelFiles.url(name).path)
    let range = try #require(try model.authorMetadata()?.inputs.first?.normalization?.range())
    #expect(range.low == low && range.high == high)
  }
}
