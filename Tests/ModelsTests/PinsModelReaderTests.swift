import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

@Suite("Readers at the edge: models")
struct PinsModelReaderTests {
  static func read(
    _ limits: ModelLimits = .default, _ change: (inout ModelBuilder) -> Void
  ) throws -> TFLiteModel {
    var model = ModelBuilder.addition()
    change(&model)
    return try TFLiteModel(bytes: model.bytes, limits: limits)
  }

  static func error(
    _ limits: ModelLimits = .default, _ change: (inout ModelBuilder) -> Void
  ) -> ModelError? {
    do {
      _ = try read(limits, change)
      return nil
    } catch {
      return error as? ModelError
    }
  }

  /// The error of making a graph of a changed copy of the addition model.
  static func graphError(
    _ limits: ModelLimits = .default, _ change: (inout ModelBuilder) -> Void
  ) -> ModelError? {
    do {
      _ = try read(limits, change).makeGraph()
      return nil
    } catch {
      return error as? ModelError
    }
  }

  static func describe(_ view: StorageView) -> String {
    Surroundings.text {
      let model = try TFLiteModel(view)
      let graph = try model.makeGraph()
      let constants = graph.values.map { $0.constant?.array(of: UInt8.self) ?? [] }
      return "\(model.description) \(model.operators.map(\.name)) \(model.tensors.map(\.shape))"
        + "\(constants) \(model.signatures) \(model.metadata.map { $0.data.array(of: UInt8.self) })"
    }
  }

  @Test("bytes around a model are never looked at, however it is damaged")
  func surroundings() {
    var model = ModelBuilder.addition()
    model.buffers.append([0: .bytes([42])])
    model.extra[6] = .tables([[0: .string("note"), 1: .uint32(2)]])
    model.tensor([2], type: 5, data: littleEndianBytes([Int32(2), 16, 17, 18]) + [65, 66])
    let bytes = model.bytes
    #expect(!Surroundings.areRead(bytes, by: Self.describe))
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!Surroundings.areRead(damaged, by: Self.describe), "bit \(bit)")
    }
    for count in 0..<bytes.count {
      let rest = Array(bytes[count...])
      #expect(!Surroundings.areRead(Array(bytes[..<count]), behind: rest, by: Self.describe))
    }
  }

  @Test("one version of the schema is read, and a model has a graph")
  func versions() {
    for version in [UInt32(0), 1, 2, 4, .max] {
      #expect(Self.error { $0.version = version }?.code == .unsupportedVersion)
    }
    let error = Self.error { $0.extra[2] = .tables([]) }
    #expect(error?.what == "the model has no graph")
  }

  @Test("limits are the last number allowed")
  func limits() throws {
    var limits = ModelLimits()
    (limits.tensors, limits.operators, limits.rank) = (3, 1, 2)
    limits.tensorBytes = 16
    _ = try Self.read(limits) { _ in }
    #expect(Self.error(limits) { $0.tensor([1]) }?.code == .resourceLimit)
    #expect(Self.error(limits) { $0.codes.append($0.codes[0]) }?.what.contains("codes") == true)
    #expect(
      Self.error(limits) {
        $0.tensors[1][0] = .int32s([1, 1, 4])
      }?.what == "rank 3, but the limit is 2")
    limits.operators = 0
    #expect(Self.error(limits) { $0.codes = [] }?.what == "1 operators, but the limit is 0")
    limits.operators = 1
    limits.tensorBytes = 15
    #expect(Self.error(limits) { _ in }?.code == .resourceLimit)
    #expect(ModelLimits().bytes(of: .float32, Shape([Int](repeating: 1, count: 9))) == nil)
    #expect(ModelLimits().bytes(of: .float32, Shape([Int](repeating: 1, count: 8))) == 4)
  }

  @Test("an empty tensor is as large as the loops around it, and counts stay below 2³¹")
  func hugeAndEmpty() {
    func fault(_ shape: [Int32], _ type: Int8) -> ModelError.Code? {
      Self.error { $0.tensor(shape, type: type) }?.code
    }
    #expect(fault([.max, .max, 0], 0) == .resourceLimit)
    #expect(fault([1 << 14, 1 << 13, 0], 0) == nil)
    #expect(fault([1 << 14, (1 << 13) + 1, 0], 0) == .resourceLimit)
    #expect(fault([1 << 14, 1 << 13], 0) == nil)
    #expect(fault([1 << 14, (1 << 13) + 1], 0) == .resourceLimit)
    // Strings have no size of their own.
    #expect(fault([.max], 5) == nil)
    #expect(fault([1 << 16, 1 << 15], 5) == .resourceLimit)
  }

  @Test("a buffer's bytes behind the model lie inside the file, to the last one")
  func buffersBehind() throws {
    func read(offset: UInt64, size: UInt64, length: Int) throws -> [UInt8]? {
      var model = ModelBuilder.addition()
      model.operators = []
      model.outputs = [0]
      model.buffers[0] = [1: .uint64(offset), 2: .uint64(size)]
      let short = model.bytes
      let bytes = short + [UInt8](repeating: 7, count: length - short.count)
      return try TFLiteModel(Surroundings.views(bytes)[0]).tensors[1].data?.array(of: UInt8.self)
    }
    #expect(try read(offset: 1984, size: 16, length: 2000) == [UInt8](repeating: 7, count: 16))
    for (offset, size) in [
      (1985, 16), (1984, 17), (2000, 1), (2000, 16), (2001, 16), (.max, 16), (16, .max), (2, 2000),
      (.max - 8, 16),
    ] as [(UInt64, UInt64)] {
      let error = #expect(throws: ModelError.self) {
        try read(offset: offset, size: size, length: 2000)
      }
      #expect(error?.what == "buffer 1 lies outside the file: \(size) bytes at \(offset)")
    }
    // Offsets 0 and 1 and no size stand for nothing; 2 is a place.
    #expect(try read(offset: 0, size: 16, length: 2000) == nil)
    #expect(try read(offset: 1, size: 16, length: 2000) == nil)
    #expect(try read(offset: 1984, size: 0, length: 2000) == nil)
    #expect(try read(offset: 2, size: 16, length: 2000)?.count == 16)
  }

  @Test("an empty buffer is none, and a tensor's buffer must be there")
  func emptyBuffers() throws {
    #expect(try !Self.read { $0.tensors[0][2] = .uint32(0) }.tensors[0].isConstant)
    let model = try Self.read {
      $0.buffers.append([0: .bytes([])])
      $0.tensors[0][2] = .uint32(2)
    }
    #expect(!model.tensors[0].isConstant)
    let error = Self.error { $0.tensors[0][2] = .uint32(2) }
    #expect(error?.what == "the tensor names buffer 2, but there are 2")
  }

  @Test("the larger of an operator's two code fields counts, and a negative one is refused")
  func operatorCodes() throws {
    func name(old: Int8, new: Int32) throws -> String {
      try Self.read { $0.codes[0] = [0: .int8(old), 2: .int32(0), 3: .int32(new)] }
        .operators[0].name
    }
    #expect(try name(old: 41, new: 0) == "SUB")
    #expect(try name(old: 0, new: 41) == "SUB")
    #expect(try name(old: 127, new: 150) == "GELU")
    #expect(try name(old: 41, new: -1) == "code -1")
    #expect(try name(old: -1, new: 0) == "ADD")
    #expect(
      Self.graphError { $0.codes[0] = [0: .int8(41), 3: .int32(-1)] }?.code == .unsupportedOperator)
    #expect(try Self.read { $0.codes[0][2] = .int32(-5) }.operators[0].version == 1)
    #expect(try Self.read { $0.codes[0][2] = .int32(3) }.operators[0].version == 3)
    let error = Self.error { $0.operators[0][0] = .uint32(1) }
    #expect(error?.what == "operator code 1 of 1")
  }

  @Test("a left-out input is −1 and nothing else; lists end below the number of tensors")
  func tensorIndices() throws {
    let model = try Self.read { $0.operators[0][1] = .int32s([0, -1]) }
    #expect(model.operators[0].inputs == [0, nil])
    #expect(Self.error { $0.operators[0][1] = .int32s([0, 3]) }?.what == "input tensor 3 of 3")
    #expect(Self.error { $0.operators[0][1] = .int32s([0, -2]) }?.what == "input tensor -2 of 3")
    #expect(Self.error { $0.operators[0][2] = .int32s([-1]) }?.what == "output tensor -1 of 3")
    #expect(Self.error { $0.operators[0][2] = .int32s([3]) }?.what == "output tensor 3 of 3")
    _ = try Self.read { $0.operators[0][8] = .int32s([-1, 0, 2]) }
    for index in [Int32(-2), 3, .min] {
      let error = Self.error { $0.operators[0][8] = .int32s([index]) }
      #expect(error?.what == "intermediate tensor \(index) of 3")
    }
  }

  @Test("options belong to the operator: those of operators without any are not read")
  func options() throws {
    var model = ModelBuilder.addition()
    model.operators = []
    model.operation(19, inputs: [0], outputs: [2], options: (11, [:]))
    let read = try TFLiteModel(bytes: model.bytes)
    #expect(read.operators[0].options == nil && read.operators[0].optionsType == 0)
    // Custom options are a custom operator's own.
    #expect(
      try Self.read { $0.operators[0][5] = .bytes([1, 2]) }.operators[0].customOptions == nil)
    var custom = ModelBuilder.addition()
    custom.operators = []
    custom.custom("mine", inputs: [0], outputs: [2], options: [1, 2])
    #expect(
      try TFLiteModel(bytes: custom.bytes).operators[0].customOptions?.array(of: UInt8.self)
        == [1, 2])
  }

  @Test("variables and constants have a value, and inputs may not be constant")
  func readiness() throws {
    let state = try Self.read {
      $0.tensors[0][5] = .bool(true)
      $0.inputs = []
    }
    #expect(state.tensors[0].isVariable)
    let error = Self.graphError {
      $0.tensors[0][5] = .bool(true)
      $0.inputs = []
    }
    #expect(error?.what == "state kept between runs is not supported (tensor 0)")
    #expect(Self.error { $0.inputs = [0, 1] }?.what == "the input is a constant")
  }

  @Test("a tensor of no elements needs no producer, unless its shape is open")
  func emptyTensors() throws {
    let empty: (inout ModelBuilder) -> Void = {
      let none = $0.tensor([0, 4])
      $0.operators[0][1] = .int32s([0, none])
      $0.outputs.append(none)
    }
    _ = try Self.read(.default, empty)
    #expect(try Self.read(.default, empty).makeGraph().values[3].constant?.count == 0)
    let error = Self.error {
      empty(&$0)
      $0.tensors[3][7] = .int32s([0, -1])
    }
    #expect(error?.what == "input tensor 3 is neither constant nor computed before")
    let output = Self.error {
      let none = $0.tensor([0, 4], [7: .int32s([0, -1])])
      $0.outputs.append(none)
    }
    #expect(output?.what == "the output is never computed")
    // An empty input is filled by the caller: it is no constant.
    let graph = try Self.read {
      let none = $0.tensor([0, 4])
      $0.inputs.append(none)
    }.makeGraph()
    #expect(graph.values[3].constant == nil)
  }

  @Test("signatures name graphs and tensors that exist; those of other graphs are left out")
  func signatures() throws {
    func signature(graph: UInt32, tensor: UInt32) -> FlatBuilder.Value {
      .tables([
        [
          0: .tables([[0: .string("x"), 1: .uint32(tensor)]]), 1: .tables([]),
          2: .string("serve"), 4: .uint32(graph),
        ]
      ])
    }
    #expect(try Self.read { $0.extra[7] = signature(graph: 0, tensor: 2) }.signatures.count == 1)
    #expect(
      Self.error { $0.extra[7] = signature(graph: 0, tensor: 3) }?.what
        == "a signature names tensor 3 of 3")
    #expect(
      Self.error { $0.extra[7] = signature(graph: 1, tensor: 0) }?.what
        == "signature 0 names graph 1")
    // A second graph makes the same signature that graph's own.
    let graph: ModelBuilder.Fields = [0: .tables([]), 3: .tables([])]
    let two = try Self.read {
      let whole = $0
      $0.extra[2] = .tables([
        [
          0: .tables(whole.tensors), 1: .int32s(whole.inputs), 2: .int32s(whole.outputs),
          3: .tables(whole.operators),
        ], graph,
      ])
      $0.extra[7] = signature(graph: 1, tensor: 0)
    }
    #expect(two.subgraphCount == 2 && two.signatures.isEmpty)
  }

  @Test("a metadata entry without bytes is empty")
  func emptyMetadata() throws {
    let model = try Self.read { $0.extra[6] = .tables([[0: .string("note"), 1: .uint32(0)]]) }
    #expect(model.metadata(named: "note")?.count == 0)
    let error = Self.error { $0.extra[6] = .tables([[0: .string("note"), 1: .uint32(2)]]) }
    #expect(error?.what == "a metadata entry names buffer 2, but there are 2")
  }

  @Test("shapes: −1 is an open extent of 1, anything below is refused, in the signature too")
  func shapes() throws {
    for slot in [0, 7] {
      for extent in [Int32(-2), .min] {
        let error = Self.error { $0.tensors[0][slot] = .int32s([extent, 4]) }
        #expect(error?.what == "a negative extent")
        let hidden = Self.error {
          $0.tensors[0][7 - slot] = .int32s([1, 4])
          $0.tensors[0][slot] = .int32s([extent, 4])
        }
        #expect(hidden?.what == "a negative extent")
      }
    }
    let open = try Self.read { $0.tensors[0][0] = .int32s([-1, 4]) }
    #expect(open.tensors[0].shape == [1, 4])
    let empty = try Self.read { $0.tensors[0][7] = .int32s([]) }
    #expect(empty.tensors[0].shapeSignature == nil)
    #expect(
      Self.error { $0.tensors[1][0] = .int32s([-1, 4]) }?.what == "a constant with an open shape")
  }

  @Test("a constant has exactly its shape's bytes, is in this file, and is no variable")
  func constants() {
    func fault(_ count: Int, _ fields: ModelBuilder.Fields = [:]) -> String? {
      Self.error { $0.tensor([3], type: 9, data: [UInt8](repeating: 1, count: count), fields) }?
        .what
    }
    #expect(fault(3) == nil)
    #expect(fault(2) == "2 bytes of data where the shape needs 3")
    #expect(fault(4) == "4 bytes of data where the shape needs 3")
    #expect(fault(3, [10: .uint32(1)]) == "the data is in another file")
    #expect(fault(3, [5: .bool(true)]) == "a variable with constant data")
  }

  @Test("a list of strings holds its own offsets, in order and to the end")
  func strings() {
    func fault(_ count: Int32, _ words: [Int32], _ tail: [UInt8] = []) -> String? {
      var model = ModelBuilder.addition()
      model.tensor([count], type: 5, data: littleEndianBytes(words) + tail)
      // What follows would read as offsets in order.
      let views = Surroundings.views(model.bytes)
      return Set(
        views.map { view in Surroundings.text { try TFLiteModel(view).tensors.count } }
      ).joined(separator: " and ")
    }
    func list(_ count: Int) -> String { "the string list does not have \(count) strings" }
    #expect(fault(0, [0, 8]) == "4")
    #expect(fault(1, [1, 12, 14], [65, 66]) == "4")
    #expect(fault(2, [2, 16, 16, 16]) == "4")
    #expect(fault(0, [0])?.hasPrefix(list(0)) == true)
    #expect(fault(2, [2, 16, 17])?.hasPrefix(list(2)) == true)
    #expect(fault(1, [1, 12])?.hasPrefix(list(1)) == true)
    #expect(fault(1, [2, 12, 14], [65, 66])?.hasPrefix(list(1)) == true)
    for first in [Int32(11), 13, 0, 8] {
      #expect(fault(1, [1, first, 14], [65, 66])?.hasPrefix("the string list has a gap") == true)
    }
    let outside = "string 0 lies outside the string list"
    #expect(fault(1, [1, 12, 15], [65, 66])?.hasPrefix(outside) == true)
    #expect(fault(1, [1, 12, 11], [65, 66])?.hasPrefix(outside) == true)
    #expect(fault(2, [2, 16, 18, 17], [65, 66])?.hasPrefix("string 1 lies outside") == true)
  }

  @Test("quantisation: axis, number of scales and zero points, and what they may be")
  func quantization() throws {
    func fault(
      _ fields: ModelBuilder.Fields, shape: [Int32] = [2, 3], type: Int8 = 9
    ) -> String? {
      Self.error { $0.tensor(shape, type: type, [4: .table(fields)]) }?.what
    }
    #expect(fault([2: .floats([0.5]), 6: .int32(1)]) == nil)
    #expect(fault([2: .floats([0.5]), 6: .int32(2)]) == "quantised along axis 2 of rank 2")
    #expect(fault([2: .floats([0.5]), 6: .int32(-1)]) == "quantised along axis -1 of rank 2")
    #expect(fault([2: .floats([1, 1, 1]), 6: .int32(2)]) == "quantised along axis 2 of rank 2")
    #expect(fault([2: .floats([0.5])], shape: []) == nil)
    #expect(fault([2: .floats([1, 1])], shape: []) == "quantised along axis 0 of rank 0")
    #expect(fault([2: .floats([1, 1]), 6: .int32(1)]) == "2 scales for an extent of 3")
    #expect(fault([2: .floats([1, 1])]) == nil)
    #expect(fault([2: .floats([0])]) == nil)
    #expect(fault([2: .floats([-0.5])]) == "scale -0.5")
    for (points, isAllowed) in [
      ([Int64(-128)], true), ([127], true), ([-129], false), ([128], false), ([0, 0], false),
      ([.min], false),
    ] {
      #expect((fault([2: .floats([1]), 3: .int64s(points)]) == nil) == isAllowed, "\(points)")
    }
    #expect(fault([2: .floats([1]), 3: .int64s([255])], type: 3) == nil)
    #expect(fault([2: .floats([1]), 3: .int64s([-1])], type: 3) == "zero point -1 of uint8")
    for details in [UInt8(2), 3] {
      #expect(
        fault([2: .floats([1]), 4: .uint8(details), 5: .table([:])])
          == "blockwise quantisation is not supported")
    }
    #expect(fault([2: .floats([1]), 4: .uint8(1), 5: .table([:])]) == nil)
    // Of float tensors nobody asks.
    #expect(fault([2: .floats([-1])], type: 0) == nil)
  }
}

@Suite("Readers at the edge: graphs")
struct PinsGraphReaderTests {
  @Test("the last of several custom operators of a name and version is taken")
  func customOperators() throws {
    /// An entry that can be told by the error it throws.
    func entry(_ name: String, _ versions: ClosedRange<Int>) -> CustomOperatorEntry {
      CustomOperatorEntry(
        name: "mine", versions: versions,
        read: { (_) throws(ModelError) in throw ModelError(.option, name) })
    }
    var model = ModelBuilder.addition()
    model.operators = []
    model.custom("mine", version: 2, inputs: [0], outputs: [2])
    let file = try TFLiteModel(bytes: model.bytes)
    func chosen(_ entries: [CustomOperatorEntry]) -> String? {
      let error = #expect(throws: ModelError.self) {
        try file.makeGraph(registry: OperatorRegistry(custom: entries))
      }
      return error?.what
    }
    #expect(chosen([entry("a", 1...2), entry("b", 2...2)]) == "b")
    #expect(chosen([entry("a", 1...2), entry("b", 1...1)]) == "a")
    #expect(
      chosen([entry("a", 1...1), entry("b", 3...3)]) == "no custom operator 'mine', version 2")
  }

  @Test("constants are aligned to their elements: moved where the file has them elsewhere")
  func alignment() throws {
    let values: [Float] = [1, 2, 3, 4]
    for remainder in [0, 1, 2, 4, 8] {
      var model = ModelBuilder.addition()
      let moved = model.tensor([4], data: littleEndianBytes(values), remainder: remainder)
      let graph = try TFLiteModel(bytes: model.bytes).makeGraph()
      let constant = try #require(graph.values[Int(moved)].constant)
      #expect(Int(bitPattern: constant.base) % 4 == 0)
      #expect(constant.array(of: Float.self) == values)
    }
  }

  @Test("tensors that share a place at odd bytes, of two lengths, keep their own")
  func sharedOddPlace() throws {
    var model = ModelBuilder.addition()
    var sizes: [Int32] = []
    for size in [Int32(4), 2, 3] {
      model.buffers.append([1: .uint64(3001), 2: .uint64(UInt64(4 * size))])
      sizes.append(model.tensor([size], [2: .uint32(UInt32(model.buffers.count))]))
    }
    let short = model.bytes
    let bytes =
      short + [UInt8](repeating: 0, count: 3001 - short.count)
      + littleEndianBytes([Float(1), 2, 3, 4])
    let graph = try TFLiteModel(bytes: bytes).makeGraph()
    for (index, size) in zip(sizes, [4, 2, 3]) {
      let constant = graph.values[Int(index)].constant
      #expect(constant?.array(of: Float.self) == Array([Float(1), 2, 3, 4].prefix(size)))
    }
  }

  /// `count` overlapping windows of 64 KiB at odd bytes of a file of 256 KiB.
  private static func windows(_ count: Int) throws -> TFLiteModel {
    var model = ModelBuilder.addition()
    model.operators = []
    model.outputs = [0]
    let tail = 1 << 16
    for index in 0..<count {
      model.buffers.append([1: .uint64(UInt64(tail + 2 * index + 1)), 2: .uint64(1 << 16)])
      model.tensor([1 << 14], [2: .uint32(UInt32(model.buffers.count))])
    }
    let start = model.bytes
    return try TFLiteModel(
      bytes: start + [UInt8](repeating: 0, count: (1 << 18) - start.count))
  }

  @Test("as much may be moved as the file has bytes, twice, and within the caller's limit")
  func movedBytes() throws {
    _ = try Self.windows(8).makeGraph()
    let error = #expect(throws: ModelError.self) { try Self.windows(9).makeGraph() }
    #expect(error?.what == "the constants overlap far beyond the file's size")
    var model = ModelBuilder.addition()
    model.tensor([4], data: [UInt8](repeating: 0, count: 16), remainder: 1)
    model.tensor([4], data: [UInt8](repeating: 0, count: 16), remainder: 1)
    var limits = ModelLimits()
    limits.constantBytes = 32
    _ = try TFLiteModel(bytes: model.bytes, limits: limits).makeGraph()
    limits.constantBytes = 31
    let second = #expect(throws: ModelError.self) {
      try TFLiteModel(bytes: model.bytes, limits: limits).makeGraph()
    }
    #expect(second?.code == .resourceLimit && second?.location == .tensor(4))
  }

  @Test("a sparse tensor may unpack to 16 MiB, and of larger files to 64 times their size")
  func sparseSize() throws {
    func graph(_ rows: Int32, padding: Int = 0) throws -> Graph {
      let row: ModelBuilder.Fields = [
        0: .int8(1), 2: .uint8(1), 3: .table([0: .int32s([0, 1])]), 4: .uint8(1),
        5: .table([0: .int32s([0])]),
      ]
      var model = ModelBuilder.addition()
      model.operators = []
      model.outputs = [0]
      model.tensor(
        [rows, 1 << 12], type: 9, data: [1],
        [6: .table([0: .int32s([0, 1]), 2: .tables([row, row])])])
      let bytes = model.bytes
      return try TFLiteModel(bytes: bytes + [UInt8](repeating: 0, count: padding)).makeGraph()
    }
    #expect(try graph(1 << 12).values[3].constant?.count == 1 << 24)
    let error = #expect(throws: ModelError.self) { try graph((1 << 12) + 1) }
    #expect(error?.code == .resourceLimit)
    #expect(throws: ModelError.self) { try graph(1 << 13, padding: 1 << 18 - 4096) }
    _ = try graph(1 << 13, padding: 1 << 19)
  }
}
