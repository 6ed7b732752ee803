import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// What `tools/fuzz` found, each as small as it could be made.
@Suite("Findings of the fuzzer")
struct FuzzFindingTests {
  static func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
    }
  }

  /// The first output of a model on inputs 1, 2, 3 ….
  static func run(_ bytes: [UInt8], _ backend: Backend) throws -> [Float] {
    let options = EngineOptions(backend: backend)
    let session = try CompiledModel(TFLiteModel(bytes: bytes), options: options).makeSession()
    session.withInput(0) { input in
      for index in input.indices { input[index] = Float(index + 1) }
    }
    try session.run()
    return session.output(0).data.array(of: Float.self)
  }

  @Test("an empty tensor with huge other extents is refused, not walked")
  func emptyButHuge() throws {
    var model = ModelBuilder()
    model.inputs = [model.tensor([.max, .max, 1, 0])]
    model.outputs = [model.tensor([.max, .max, 1, 0])]
    model.operation(0, inputs: [0, 0], outputs: [1])
    let declared = #expect(throws: ModelError.self) { try TFLiteModel(bytes: model.bytes) }
    #expect(declared?.code == .resourceLimit)

    // The same by an operator, and by the caller.
    var tiled = ModelBuilder()
    tiled.inputs = [tiled.tensor([1, 1, 1, 0])]
    let multiples = [Int32.max, .max, 1, 1].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> Int32(8 * $0)) }
    }
    let table = tiled.tensor([4], type: 2, data: multiples)
    tiled.outputs = [tiled.tensor([1, 1, 1, 0])]
    tiled.operation(69, inputs: [0, table], outputs: tiled.outputs)
    let inferred = #expect(throws: ModelError.self) {
      try CompiledModel(TFLiteModel(bytes: tiled.bytes))
    }
    #expect(inferred?.code == .resourceLimit)
    let session = try CompiledModel(TFLiteModel(bytes: ModelBuilder.addition().bytes)).makeSession()
    let resized = #expect(throws: ModelError.self) {
      try session.resizeInput(0, to: [1 << 40, 0, 4])
    }
    #expect(resized?.code == .resourceLimit)
  }

  @Test("a convolution that is added to its own input does not overwrite what it still reads")
  func residualOfOwnInput() throws {
    // More channels than any tier computes at once.
    let channels = 80
    let ramp = (0..<(channels * channels)).map { Float($0 % 7) - 3 }
    var model = ModelBuilder()
    model.inputs = [model.tensor([1, 1, 1, 1])]
    let spread = model.tensor(
      [Int32(channels), 1, 1, 1], data: Self.floats([Float](ramp[..<channels])))
    let square = model.tensor([Int32(channels), 1, 1, Int32(channels)], data: Self.floats(ramp))
    let zeros = model.tensor(
      [Int32(channels)], data: Self.floats(.init(repeating: 0, count: channels)))
    let maps = (0..<3).map { _ in model.tensor([1, 1, 1, Int32(channels)]) }
    let options: (UInt8, ModelBuilder.Fields) = (1, [1: .int32(1), 2: .int32(1)])
    model.operation(3, inputs: [0, spread, zeros], outputs: [maps[0]], options: options)
    model.operation(3, inputs: [maps[0], square, zeros], outputs: [maps[1]], options: options)
    model.operation(0, inputs: [maps[1], maps[0]], outputs: [maps[2]], options: (11, [:]))
    model.outputs = [maps[2]]
    let expected = try Self.run(model.bytes, .reference)
    // Small integers: every sum is exact in any order.
    #expect(try Self.run(model.bytes, .simd) == expected)
  }

  @Test("CONCATENATION refuses scales so far apart that their ratio is infinite")
  func infiniteRescaling() throws {
    func quantized(_ scale: Float) -> ModelBuilder.Fields {
      [4: .table([2: .floats([scale]), 3: .int64s([0])])]
    }
    var model = ModelBuilder()
    model.inputs = [model.tensor([1, 2], type: 9, quantized(1e20))]
    model.outputs = [model.tensor([1, 4], type: 9, quantized(1e-30))]
    model.operation(2, inputs: [0, 0], outputs: [1], options: (10, [0: .int32(1)]))
    for backend in [Backend.reference, .simd] {
      let error = #expect(throws: ModelError.self) {
        try CompiledModel(
          TFLiteModel(bytes: model.bytes), options: EngineOptions(backend: backend))
      }
      #expect(error?.code == .quantization)
    }
  }

  @Test("a constant of a convolution's whole shape is added to it, not taken for a blocked map")
  func constantResidual() throws {
    var model = ModelBuilder()
    model.inputs = [model.tensor([1, 2, 2, 2])]
    let filter = model.tensor([3, 1, 1, 2], data: Self.floats([1, 2, 3, 4, 5, 6]))
    let bias = model.tensor([3], data: Self.floats([0, 0, 0]))
    let product = model.tensor([1, 2, 2, 3])
    model.operation(
      3, inputs: [0, filter, bias], outputs: [product],
      options: (1, [1: .int32(1), 2: .int32(1)]))
    let constant = model.tensor([1, 2, 2, 3], data: Self.floats((0..<12).map { Float(100 * $0) }))
    let sum = model.tensor([1, 2, 2, 3])
    model.operation(0, inputs: [product, constant], outputs: [sum], options: (11, [:]))
    model.outputs = [sum]
    let expected = try Self.run(model.bytes, .reference)
    #expect(expected[3] == 300 + 3 + 8)
    #expect(try Self.run(model.bytes, .simd) == expected)
  }
}
