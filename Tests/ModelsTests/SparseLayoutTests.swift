import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("SparseLayout")
struct SparseLayoutTests {
  typealias Fields = [Int: FlatBuilder.Value]

  static func dense(_ size: Int32) -> Fields { [0: .int8(0), 1: .int32(size)] }

  static func compressed(_ segments: [Int32], _ indices: [Int32]) -> Fields {
    [
      0: .int8(1), 2: .uint8(1), 3: .table([0: .int32s(segments)]), 4: .uint8(3),
      5: .table([0: .bytes(indices.map { UInt8(truncatingIfNeeded: $0) })]),
    ]
  }

  /// Reads a layout and unpacks `values` bytes by it.
  static func densify(_ fields: Fields, shape: Shape, values: [UInt8]) throws(ModelError) -> [UInt8]
  {
    let bytes = FlatTableTests.view(FlatBuilder.buffer(fields))
    let layout = try SparseLayout(
      FlatTable(root: bytes, identifier: "TFL3"), shape: shape, type: .int8,
      dataBytes: values.count)
    let dense = layout.densify(StorageView(Storage(copying: values)), width: 1)
    return StorageView(dense).array(of: UInt8.self)
  }

  /// 4×4 in 2×2 blocks: block rows dense, block columns compressed.
  static let blocked: Fields = [
    0: .int32s([0, 1, 2, 3]), 1: .int32s([0, 1]),
    2: .tables([dense(2), compressed([0, 2, 3], [0, 1, 0]), dense(2), dense(2)]),
  ]
  static let blockedValues: [UInt8] = [78, 28, 64, 0, 0, 0, 0, 29, 0, 1, 0, 0]

  @Test("blocks land where LiteRT puts them")
  func blocks() throws {
    let dense = try Self.densify(Self.blocked, shape: [4, 4], values: Self.blockedValues)
    #expect(dense == [78, 28, 0, 0, 64, 0, 0, 29, 0, 1, 0, 0, 0, 0, 0, 0])
  }

  @Test("columns may be walked before rows")
  func traversal() throws {
    let fields: Fields = [
      0: .int32s([1, 0]), 2: .tables([Self.dense(3), Self.compressed([0, 1, 1, 3], [1, 0, 1])]),
    ]
    let dense = try Self.densify(fields, shape: [2, 3], values: [7, 8, 9])
    #expect(dense == [0, 0, 8, 7, 0, 9])
  }

  @Test("an inconsistent layout is refused")
  func faults() {
    func fault(_ change: (inout Fields) -> Void, values: Int = 12) -> ModelError.Code? {
      var fields = Self.blocked
      change(&fields)
      do {
        _ = try Self.densify(fields, shape: [4, 4], values: [UInt8](repeating: 1, count: values))
        return nil
      } catch {
        return error.code
      }
    }
    func levels(_ second: Fields) -> FlatBuilder.Value {
      .tables([Self.dense(2), second, Self.dense(2), Self.dense(2)])
    }
    #expect(fault({ _ in }) == nil)
    #expect(fault({ _ in }, values: 11) == .sparsity)
    #expect(fault({ $0[0] = .int32s([0, 0, 2, 3]) }) == .sparsity)
    #expect(fault({ $0[0] = .int32s([2, 1, 0, 3]) }) == .sparsity)
    #expect(fault({ $0[0] = .int32s([0, 1, 2, 9]) }) == .sparsity)
    #expect(fault({ $0[0] = nil }) == .sparsity)
    #expect(fault({ $0[1] = .int32s([0, 77]) }) == .sparsity)
    #expect(fault({ $0[1] = .int32s([1, 1]) }) == .sparsity)
    #expect(fault({ $0[1] = nil }) == .sparsity)
    #expect(fault({ $0[2] = nil }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.compressed([0, 2, 3], [0, 2, 0])) }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.compressed([0, 4, 3], [0, 1, 0])) }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.compressed([1, 2, 3], [0, 1, 0])) }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.compressed([0, 3], [0, 1, 0])) }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.compressed([], [0, 1, 0])) }) == .sparsity)
    #expect(fault({ $0[2] = levels(Self.dense(.max)) }) == .sparsity)
    #expect(fault({ $0[2] = levels([0: .int8(2)]) }) == .sparsity)
  }

  @Test(
    "the full-range detector's sparse weights unpack as documented",
    .enabled(
      if: ModelFiles.isAvailable("face_detection_full_range_sparse.tflite"),
      Comment(rawValue: ModelFiles.reason)))
  func fullRange() throws {
    let bytes = try ModelFiles.bytes("face_detection_full_range_sparse.tflite")
    let model = try TFLiteModel(bytes: bytes)
    #expect(model.tensors.count { $0.isSparse } == 46)
    let tensor = model.tensors[26]
    let data = try #require(tensor.data)
    let dense = try #require(tensor.sparsity).densify(data, width: 2)
    let values = StorageView(dense).array(of: UInt16.self).map(Half.widen)
    #expect(values.count == 256)
    #expect(values.indices.filter { values[$0] != 0 }.prefix(8) == [0, 1, 3, 8, 10, 17, 18, 26])
    #expect(abs(values[10] - 1.583) < 1e-3)
  }
}
