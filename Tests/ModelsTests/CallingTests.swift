import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing

/// What a caller may rely on beyond plain graphs: names, inputs left out, open shapes, other graphs.
@Suite("Calling a model")
struct CallingTests {
  static func floats(_ values: [Float]) -> [UInt8] { littleEndianBytes(values) }

  @Test("a signature's names lead to inputs and outputs, whatever their order in the file")
  func signatures() throws {
    func arguments(_ pairs: [(String, Int32)]) -> FlatBuilder.Value {
      .tables(pairs.map { [0: .string($0.0), 1: .uint32(UInt32($0.1))] })
    }
    var builder = ModelBuilder()
    let (a, b) = (builder.tensor([2]), builder.tensor([2]))
    let (difference, product) = (builder.tensor([2]), builder.tensor([2]))
    builder.inputs = [a, b]
    builder.outputs = [product, difference]
    builder.operation(41, inputs: [a, b], outputs: [difference], options: (28, [:]))
    builder.operation(18, inputs: [a, b], outputs: [product], options: (21, [:]))
    builder.extra[7] = .tables([
      [
        0: arguments([("right", b), ("left", a)]),
        1: arguments([("minus", difference), ("times", product)]),
        2: .string("serving_default"),
      ]
    ])
    let model = try TFLiteModel(bytes: builder.bytes)
    let signature = try #require(model.signature(named: "serving_default"))
    #expect(model.signature(named: "other") == nil)
    let session = try CompiledModel(model).makeSession()
    let right = try #require(session.inputIndex(named: "right", in: signature))
    let left = try #require(session.inputIndex(named: "left", in: signature))
    try session.setInput(right, Tensor([1, 2], shape: [2]))
    try session.setInput(left, Tensor([10, 20], shape: [2]))
    try session.run()
    let minus = try #require(session.outputIndex(named: "minus", in: signature))
    let times = try #require(session.outputIndex(named: "times", in: signature))
    #expect(session.output(minus).floats == [9, 18] && session.output(times).floats == [10, 40])
    #expect(session.inputIndex(named: "minus", in: signature) == nil)
    #expect(session.outputIndex(named: "left", in: signature) == nil)
  }

  @Test(
    "a bias may be left out, by index −1 or by a shorter list",
    arguments: Backend.allCases.filter(\.isAvailable))
  func optionalInput(backend: Backend) throws {
    for tail in [[-1], []] as [[Int32]] {
      var builder = ModelBuilder()
      builder.inputs = [builder.tensor([1, 3])]
      let weights = builder.tensor([2, 3], data: Self.floats([1, 2, 3, 4, 5, 6]))
      builder.outputs = [builder.tensor([1, 2])]
      builder.operation(
        9, inputs: [0, weights] + tail, outputs: builder.outputs, options: (8, [:]))
      let session = try CompiledModel(
        TFLiteModel(bytes: builder.bytes), options: EngineOptions(backend: backend)
      ).makeSession()
      try session.setInput(0, Tensor([1, 10, 100], shape: [1, 3]))
      try session.run()
      #expect(session.output(0).floats == [321, 654])
    }
  }

  @Test("an input that must be there cannot be left out")
  func missingInput() throws {
    var builder = ModelBuilder.addition()
    builder.operators[0][1] = .int32s([0, -1])
    let error = #expect(throws: ModelError.self) {
      try CompiledModel(TFLiteModel(bytes: builder.bytes))
    }
    #expect(error?.location == .op(index: 0, name: "ADD"), "\(String(describing: error))")
  }

  @Test("an open batch is planned anew, and the answers of each row stay the same")
  func dynamicBatch() throws {
    var builder = ModelBuilder()
    builder.inputs = [builder.tensor([1, 3], [7: .int32s([-1, 3])])]
    let weights = builder.tensor([2, 3], data: Self.floats([1, 2, 3, 4, 5, 6]))
    builder.outputs = [builder.tensor([1, 2], [7: .int32s([-1, 2])])]
    builder.operation(9, inputs: [0, weights, -1], outputs: builder.outputs, options: (8, [:]))
    let session = try CompiledModel(TFLiteModel(bytes: builder.bytes)).makeSession()
    #expect(session.inputs[0].shapeSignature == [-1, 3])
    for batch in [5, 1, 17] {
      try session.resizeInput(0, to: [batch, 3])
      #expect(session.outputs[0].shape == [batch, 2])
      let rows = (0..<batch).map { Float($0) }
      try session.setInput(0, Tensor(rows.flatMap { [$0, 10, 100] }, shape: [batch, 3]))
      try session.run()
      #expect(session.output(0).floats == rows.flatMap { [320 + $0, 650 + 4 * $0] })
    }
  }

  @Test(
    "operators that call other graphs are refused by name",
    arguments: [(118, "IF"), (119, "WHILE"), (129, "CALL_ONCE")] as [(Int32, String)])
  func otherGraphs(code: Int32, name: String) throws {
    var builder = ModelBuilder()
    builder.inputs = [builder.tensor([1], type: 6), builder.tensor([1])]
    builder.outputs = [builder.tensor([1])]
    builder.operation(code, inputs: builder.inputs, outputs: builder.outputs)
    let error = #expect(throws: ModelError.self) {
      try CompiledModel(TFLiteModel(bytes: builder.bytes))
    }
    #expect(error?.code == .unsupportedOperator)
    #expect(error?.what.contains(name) == true)
    #expect(error?.location == .op(index: 0, name: name))
  }
}
