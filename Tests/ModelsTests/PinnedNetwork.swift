import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// A small network written as a model file, so that what the passes decide is held by bytes in and
/// numbers out, and by which of the file's operators end up in one node, whatever the types between
/// are called.
struct PinnedNetwork {
  var model = ModelBuilder()
  private(set) var shapes: [[Int32]] = []
  private var random: LinearCongruentialGenerator

  init(_ name: String) { random = LinearCongruentialGenerator(named: name) }

  // MARK: Tensors

  mutating func value(_ shape: [Int32], type: Int8 = 0) -> Int32 {
    shapes.append(shape)
    return model.tensor(shape, type: type)
  }

  mutating func input(_ shape: [Int32], type: Int8 = 0) -> Int32 {
    let index = value(shape, type: type)
    model.inputs.append(index)
    return index
  }

  mutating func constant(_ shape: [Int32], _ lo: Double = -1, _ hi: Double = 1) -> Int32 {
    constant(random.floats(shape.reduce(1) { $0 * Int($1) }, lo, hi), shape)
  }

  mutating func constant(_ values: [Float], _ shape: [Int32]) -> Int32 {
    shapes.append(shape)
    return model.tensor(shape, data: littleEndianBytes(values))
  }

  mutating func integers(_ values: [Int32], _ shape: [Int32]) -> Int32 {
    shapes.append(shape)
    return model.tensor(shape, type: 2, data: littleEndianBytes(values))
  }

  // MARK: Operators

  /// Any operator with one output.
  mutating func node(
    _ code: Int32, _ inputs: [Int32], _ shape: [Int32],
    options: (type: UInt8, ModelBuilder.Fields)? = nil
  ) -> Int32 {
    let output = value(shape)
    model.operation(code, inputs: inputs, outputs: [output], options: options)
    return output
  }

  struct Window {
    var kernel: (Int32, Int32) = (1, 1)
    var stride: (Int32, Int32) = (1, 1)
    var dilation: (Int32, Int32) = (1, 1)
    var isSame = true
    /// 0 none, 1 RELU, 3 RELU6.
    var activation: Int8 = 0

    func output(_ shape: [Int32]) -> (Int32, Int32) {
      func extent(_ input: Int32, _ k: Int32, _ s: Int32, _ d: Int32) -> Int32 {
        isSame ? (input + s - 1) / s : (input - (k - 1) * d - 1) / s + 1
      }
      return (
        extent(shape[1], kernel.0, stride.0, dilation.0),
        extent(shape[2], kernel.1, stride.1, dilation.1)
      )
    }
  }

  /// CONV_2D; `groups` splits the input's channels, `weights` and `bias` are constants unless given.
  mutating func conv(
    _ input: Int32, _ outputs: Int32, _ window: Window = Window(), groups: Int32 = 1,
    weights: Int32? = nil, bias: Int32? = nil, hasBias: Bool = true
  ) -> Int32 {
    let shape = shapes[Int(input)]
    let (height, width) = window.output(shape)
    let filter =
      weights ?? constant([outputs, window.kernel.0, window.kernel.1, shape[3] / groups])
    var inputs = [input, filter]
    if hasBias { inputs.append(bias ?? constant([outputs])) }
    return node(
      3, inputs, [shape[0], height, width, outputs],
      options: (
        1,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(window.stride.1), 2: .int32(window.stride.0),
          3: .int8(window.activation), 4: .int32(window.dilation.1), 5: .int32(window.dilation.0),
        ]
      ))
  }

  mutating func depthwise(
    _ input: Int32, _ window: Window = Window(kernel: (3, 3)), multiplier: Int32 = 1
  ) -> Int32 {
    let shape = shapes[Int(input)]
    let (height, width) = window.output(shape)
    let channels = shape[3] * multiplier
    let filter = constant([1, window.kernel.0, window.kernel.1, channels])
    let bias = constant([channels])
    return node(
      4, [input, filter, bias], [shape[0], height, width, channels],
      options: (
        2,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(window.stride.1), 2: .int32(window.stride.0),
          3: .int32(multiplier), 4: .int8(window.activation), 5: .int32(window.dilation.1),
          6: .int32(window.dilation.0),
        ]
      ))
  }

  mutating func pool(_ input: Int32, _ code: Int32, _ window: Window) -> Int32 {
    let shape = shapes[Int(input)]
    let (height, width) = window.output(shape)
    return node(
      code, [input], [shape[0], height, width, shape[3]],
      options: (
        5,
        [
          0: .int8(window.isSame ? 0 : 1), 1: .int32(window.stride.1), 2: .int32(window.stride.0),
          3: .int32(window.kernel.1), 4: .int32(window.kernel.0), 5: .int8(window.activation),
        ]
      ))
  }

  /// PAD; `amounts` are before and after of each of four axes.
  mutating func pad(_ input: Int32, _ amounts: [Int32]) -> Int32 {
    node(34, [input, integers(amounts, [4, 2])], padded(input, amounts))
  }

  /// PADV2: PAD with a value.
  mutating func pad(_ input: Int32, _ amounts: [Int32], value: Float) -> Int32 {
    node(60, [input, integers(amounts, [4, 2]), constant([value], [])], padded(input, amounts))
  }

  private func padded(_ input: Int32, _ amounts: [Int32]) -> [Int32] {
    (0..<4).map { shapes[Int(input)][$0] + amounts[2 * $0] + amounts[2 * $0 + 1] }
  }

  mutating func add(_ a: Int32, _ b: Int32, activation: Int8 = 0) -> Int32 {
    node(0, [a, b], shapes[Int(a)], options: (11, [0: .int8(activation)]))
  }

  mutating func multiply(_ a: Int32, _ b: Int32, _ shape: [Int32]) -> Int32 {
    node(18, [a, b], shape, options: (21, [:]))
  }

  mutating func relu(_ input: Int32) -> Int32 { node(19, [input], shapes[Int(input)]) }
  mutating func relu6(_ input: Int32) -> Int32 { node(21, [input], shapes[Int(input)]) }

  mutating func prelu(_ input: Int32, slopes: [Int32]? = nil) -> Int32 {
    node(54, [input, constant(slopes ?? [1, 1, shapes[Int(input)][3]])], shapes[Int(input)])
  }

  /// TANH: no pass looks at it.
  mutating func tanh(_ input: Int32) -> Int32 { node(28, [input], shapes[Int(input)]) }

  // MARK: Results

  func compiled(_ options: EngineOptions) throws -> CompiledModel {
    try CompiledModel(TFLiteModel(bytes: model.bytes), options: options)
  }

  /// Which of the file's operators each node of the compiled graph stands for.
  func groups(_ options: EngineOptions = EngineOptions(backend: .simd)) throws -> [[Int]] {
    try compiled(options).graph.nodes.map(\.sources).filter { !$0.isEmpty }
  }

  /// The outputs after a second run on the same inputs, which are filled once.
  func run(_ options: EngineOptions) throws -> [[Float]] {
    let session = try compiled(options).makeSession()
    var random = LinearCongruentialGenerator(named: "input")
    for index in session.inputs.indices {
      let values = random.floats(session.inputs[index].shape.count)
      session.withInput(index) { _ = $0.update(fromContentsOf: values) }
    }
    try session.run()
    try session.run()
    return session.outputs.indices.map { session.output($0).floats }
  }

  /// Runs on every tier with all passes, with none, and without each of them, with one thread and with
  /// several, and compares with the reference.
  func expectSameResults(
    _ groups: [[Int]]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if let groups {
      let actual = try self.groups()
      #expect(actual == groups, sourceLocation: sourceLocation)
    }
    let expected = try run(EngineOptions(backend: .reference))
    let bound = Tolerance(absolute: 1e-6, ofLargest: 1e-5)
    let optional = GraphPass.all.map { [$0.name] }
    for isa in InstructionSet.available {
      for disabled in [[], ["all"]] + optional {
        for threads in [1, 3] {
          let actual = try run(
            EngineOptions(backend: .simd, isa: isa, threads: threads, disabledPasses: disabled))
          #expect(actual.count == expected.count, sourceLocation: sourceLocation)
          for index in actual.indices {
            #expect(
              departure(
                of: actual[index], from: expected[index], within: bound,
                "output \(index), \(isa.rawValue), without \(disabled), \(threads) threads") == nil,
              sourceLocation: sourceLocation)
          }
        }
      }
    }
  }
}
