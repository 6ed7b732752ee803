import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("TFLiteModel")
struct TFLiteModelTests {
  /// The error of reading a changed copy of the addition model.
  static func error(_ change: (inout ModelBuilder) -> Void) -> ModelError? {
    var model = ModelBuilder.addition()
    change(&model)
    do {
      _ = try TFLiteModel(bytes: model.bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("a model's tensors, operators and ends are read")
  func reading() throws {
    let model = try TFLiteModel(bytes: ModelBuilder.addition().bytes)
    #expect(model.description == "made for a test")
    #expect(model.tensors.map(\.name) == ["tensor0", "tensor1", "tensor2"])
    #expect(model.tensors[0].shape == [1, 4])
    #expect(model.tensors[1].data?.array(of: Float.self) == [1, 2, 3, 4])
    #expect(model.tensors[1].isConstant && !model.tensors[0].isConstant)
    #expect(model.inputs == [0] && model.outputs == [2])
    #expect(model.operators[0].name == "ADD")
    #expect(model.operators[0].inputs == [0, 1])
    #expect(model.subgraphCount == 1)
  }

  @Test("a model is read in place at any address")
  func unaligned() throws {
    let bytes = FlatTableTests.view(ModelBuilder.addition().bytes, shift: 3)
    let model = try TFLiteModel(bytes)
    let data = try #require(model.tensors[1].data)
    #expect(data.storage === bytes.storage)
    #expect(data.array(of: Float.self) == [1, 2, 3, 4])
  }

  @Test("open extents come from the signature, or from −1 in the shape itself")
  func openExtents() throws {
    var model = ModelBuilder.addition()
    model.tensors[0][0] = .int32s([-1, 4])
    model.tensors[2][7] = .int32s([-1, 4])
    let tensors = try TFLiteModel(bytes: model.bytes).tensors
    #expect(tensors[0].shape == [1, 4] && tensors[0].shapeSignature == [-1, 4])
    #expect(tensors[2].shape == [1, 4] && tensors[2].shapeSignature == [-1, 4])
    #expect(tensors[1].shapeSignature == nil)
  }

  @Test("quantisation without zero points has zeros")
  func zeroPoints() throws {
    var model = ModelBuilder.addition()
    model.tensor([2], type: 9, data: [1, 2], [4: .table([2: .floats([0.5, 0.25])])])
    model.tensor([2], type: 0, [4: .table([:])])
    let tensors = try TFLiteModel(bytes: model.bytes).tensors
    #expect(tensors[3].quantization == Quantization(scales: [0.5, 0.25], zeroPoints: [0, 0]))
    #expect(tensors[4].quantization == nil)
  }

  @Test("data may lie behind the FlatBuffer")
  func dataBehind() throws {
    var model = ModelBuilder.addition()
    model.buffers[0] = [1: .uint64(1000), 2: .uint64(16)]
    let short = model.bytes
    let bytes = short + [UInt8](repeating: 0, count: 1000 - short.count) + Array(1...16)
    #expect(try TFLiteModel(bytes: bytes).tensors[1].data?.array(of: UInt8.self) == Array(1...16))
    let error = #expect(throws: ModelError.self) { try TFLiteModel(bytes: bytes.dropLast()) }
    #expect(error?.code == .malformed)
  }

  @Test("signatures and metadata are listed by name")
  func named() throws {
    var model = ModelBuilder.addition()
    model.buffers.append([0: .bytes([42])])
    model.extra[6] = .tables([[0: .string("note"), 1: .uint32(2)]])
    model.extra[7] = .tables([
      [
        0: .tables([[0: .string("x"), 1: .uint32(0)]]),
        1: .tables([[0: .string("y"), 1: .uint32(2)]]), 2: .string("serve"),
      ]
    ])
    let read = try TFLiteModel(bytes: model.bytes)
    #expect(read.metadata(named: "note")?.array(of: UInt8.self) == [42])
    #expect(read.metadata(named: "nothing") == nil)
    #expect(read.signatures.map(\.name) == ["serve"])
    #expect(read.signatures[0].inputs.map(\.name) == ["x"])
    #expect(read.signatures[0].outputs.map(\.tensor) == [2])
  }

  @Test("the error names the version")
  func version() {
    #expect(Self.error { $0.version = 4 }?.what == "schema version 4, but only 3 is known")
  }

  @Test(
    "an index outside is an error of its own", arguments: [Int32.min, -2, 3, Int32.max])
  func indices(_ index: Int32) {
    let outside = ModelError.Code.indexOutOfRange
    #expect(Self.error { $0.inputs = [index] }?.code == outside)
    #expect(Self.error { $0.outputs = [index] }?.code == outside)
    #expect(Self.error { $0.operators[0][1] = .int32s([0, index]) }?.code == outside)
    #expect(Self.error { $0.operators[0][2] = .int32s([index]) }?.code == outside)
    #expect(Self.error { $0.operators[0][0] = .uint32(UInt32(bitPattern: index)) }?.code == outside)
    #expect(Self.error { $0.tensors[0][2] = .uint32(UInt32(bitPattern: index)) }?.code == outside)
  }

  @Test("the graph's order is checked")
  func order() {
    #expect(Self.error { $0.inputs = [] }?.code == .graph)
    #expect(Self.error { $0.operators[0][2] = .int32s([1]) }?.code == .graph)
    #expect(Self.error { $0.operators[0][2] = .int32s([0]) }?.code == .graph)
    #expect(Self.error { $0.operators[0][1] = .int32s([2, 1]) }?.code == .graph)
    #expect(Self.error { $0.operators.append($0.operators[0]) }?.code == .graph)
    #expect(Self.error { $0.operators = [] }?.location == .tensor(2))
  }

  @Test("shapes, sizes and types are checked, and the tensor is named")
  func tensors() {
    func fault(_ fields: [Int: FlatBuilder.Value]) -> ModelError.Code? {
      let error = Self.error { $0.tensors[1].merge(fields) { $1 } }
      if let error { #expect(error.location == .tensor(1)) }
      return error?.code
    }
    #expect(fault([1: .int8(99)]) == .type)
    #expect(fault([0: .int32s([5])]) == .malformed)
    #expect(fault([0: .int32s([3])]) == .malformed)
    #expect(fault([0: .int32s([-4])]) == .shape)
    #expect(fault([0: .int32s([.max, .max, .max])]) == .resourceLimit)
    #expect(fault([0: .int32s([Int32](repeating: 1, count: 3000))]) == .shape)
    #expect(fault([7: .int32s([4, 4])]) == .shape)
    #expect(fault([7: .int32s([-1])]) == .shape)
    #expect(fault([5: .bool(true)]) == .graph)
    #expect(fault([10: .uint32(1)]) == .unsupportedVersion)
    #expect(fault([:]) == nil)
  }

  @Test("quantisation is checked")
  func quantization() {
    func fault(_ fields: [Int: FlatBuilder.Value]) -> ModelError.Code? {
      Self.error { $0.tensor([2, 3], type: 9, [4: .table(fields)]) }?.code
    }
    #expect(fault([2: .floats([.nan])]) == .quantization)
    #expect(fault([2: .floats([.infinity])]) == .quantization)
    #expect(fault([2: .floats([-1])]) == .quantization)
    #expect(fault([2: .floats([1, 1, 1])]) == .quantization)
    #expect(fault([2: .floats([1, 1, 1]), 6: .int32(1)]) == nil)
    #expect(fault([2: .floats([1, 1, 1]), 6: .int32(2)]) == .quantization)
    #expect(fault([2: .floats([1]), 3: .int64s([128])]) == .quantization)
    #expect(fault([2: .floats([1]), 3: .int64s([0, 0])]) == .quantization)
    #expect(fault([4: .uint8(2), 5: .table([:])]) == .quantization)
  }

  @Test("string constants are checked against their own offsets")
  func strings() {
    func fault(_ words: [Int32], _ tail: [UInt8] = []) -> ModelError.Code? {
      let data = words.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> Int32(8 * $0)) }
      }
      return Self.error { $0.tensor([2], type: 5, data: data + tail) }?.code
    }
    #expect(fault([2, 16, 17, 18], [65, 66]) == nil)
    #expect(fault([1, 16, 17, 18], [65, 66]) == .malformed)
    #expect(fault([2, 12, 17, 18], [65, 66]) == .malformed)
    #expect(fault([2, 16, 18, 17], [65, 66]) == .malformed)
    #expect(fault([2, 16, 17, 19], [65, 66]) == .malformed)
    #expect(fault([2, 16]) == .malformed)
  }

  @Test("options of another operator are refused")
  func foreignOptions() {
    let error = Self.error {
      $0.operators[0][3] = .uint8(1)
      $0.operators[0][4] = .table([:])
    }
    #expect(error?.code == .option)
    #expect(error?.location == .op(index: 0, name: "ADD"))
  }

  @Test("limits are the caller's")
  func limits() {
    var limits = ModelLimits()
    limits.tensors = 2
    let bytes = ModelBuilder.addition().bytes
    #expect(throws: ModelError(.resourceLimit, "3 tensors, but the limit is 2")) {
      try TFLiteModel(bytes: bytes, limits: limits)
    }
    limits = ModelLimits()
    limits.tensorBytes = 15
    #expect(throws: ModelError.self) { try TFLiteModel(bytes: bytes, limits: limits) }
  }

  @Test("a custom operator nobody has is named, and its name kept short")
  func unknownCustom() throws {
    var model = ModelBuilder.addition()
    model.operators = []
    model.custom(String(repeating: "x", count: 5000), inputs: [0], outputs: [2])
    let read = try TFLiteModel(bytes: model.bytes)
    let error = #expect(throws: ModelError.self) { try read.makeGraph() }
    #expect(error?.code == .unsupportedOperator)
    #expect((error?.description.utf8.count ?? 0) < 400)
  }

  @Test("a small file that unpacks or copies to very much is refused before it does")
  func amplification() throws {
    // One stored value in 128 MiB of zeros.
    let row: [Int: FlatBuilder.Value] = [
      0: .int8(1), 2: .uint8(1), 3: .table([0: .int32s([0, 1])]), 4: .uint8(1),
      5: .table([0: .int32s([0])]),
    ]
    var sparse = ModelBuilder.addition()
    sparse.operators = []
    sparse.outputs = [0]
    sparse.tensor(
      [1 << 14, 1 << 13], type: 9, data: [1],
      [6: .table([0: .int32s([0, 1]), 2: .tables([row, row])])])
    var error = #expect(throws: ModelError.self) {
      try TFLiteModel(bytes: sparse.bytes).makeGraph()
    }
    #expect(error?.code == .resourceLimit && error?.location == .tensor(3))

    // Windows of 64 KiB at odd bytes, each to be moved to an aligned place.
    var windows = ModelBuilder.addition()
    windows.operators = []
    windows.outputs = [0]
    let tail = 1 << 17
    for index in 0..<200 {
      windows.buffers.append([1: .uint64(UInt64(tail + 2 * index + 1)), 2: .uint64(1 << 16)])
      windows.tensor([1 << 14], [2: .uint32(UInt32(windows.buffers.count))])
    }
    let model = windows.bytes
    let bytes = model + [UInt8](repeating: 0, count: tail - model.count + (1 << 17))
    error = #expect(throws: ModelError.self) { try TFLiteModel(bytes: bytes).makeGraph() }
    #expect(error?.code == .resourceLimit)
  }

  @Test("no flipped bit and no cut makes reading go wrong")
  func damage() {
    let bytes = ModelBuilder.addition().bytes
    func isRead(_ bytes: [UInt8]) -> Bool { (try? TFLiteModel(bytes: bytes).makeGraph()) != nil }
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if !isRead(damaged) { refused += 1 }
    }
    #expect(isRead(bytes))
    // Most bytes of so small a model are offsets, lengths, codes and shapes.
    #expect(refused > bytes.count && refused < 8 * bytes.count)
    for count in 0..<(bytes.count / 2) {
      #expect(!isRead(Array(bytes[..<count])), "cut at \(count)")
    }
  }
}
