import FaceKitKernels
import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing

/// The ten operators that a converter writes for a layer normalisation, with one thing changed.
private enum Variation: CaseIterable {
  case none
  /// The operands of every commutative operator the other way round.
  case swapped
  /// The mean is also an output, so its node has to stay.
  case meanIsUsed
  /// The variance is of another value.
  case otherVariance
  /// Folds the first axis instead of the last.
  case otherAxis
  /// An activation on the last addition.
  case activation
  /// A factor for each row: as many as channels, because the rows are as many.
  case rowScale

  var isFused: Bool { self == .none }
}

private let shape: Shape = [1, 5, 5]

private func graph(_ variation: Variation) -> Graph {
  var values: [Graph.Value] = []
  var nodes: [Graph.Node] = []
  func add(
    _ name: String, _ shape: Shape, _ constant: StorageView? = nil, _ type: ElementType = .float32
  ) -> Int {
    values.append(Graph.Value(name: name, type: type, shape: shape, constant: constant))
    return values.count - 1
  }
  func node(_ operation: AnyOperator, _ inputs: [Int], _ shape: Shape) -> Int {
    let inputs = variation == .swapped && operation.name != "MEAN" ? inputs.reversed() : inputs
    let output = add(operation.name, shape)
    nodes.append(Graph.Node(operation, inputs: inputs, outputs: [output], sources: [nodes.count]))
    return output
  }
  func binary(
    _ function: BinaryFunction, _ a: Int, _ b: Int, _ shape: Shape, _ activation: Activation = .none
  ) -> Int {
    node(Binary("\(function)", function, activation: activation).erased, [a, b], shape)
  }

  let channels = shape.last
  let axis = variation == .otherAxis ? 1 : 2
  let folded: Shape = variation == .otherAxis ? [1, 1, 5] : [1, 5, 1]
  let x = add("x", shape)
  let other = add("other", shape)
  let axes = add(
    "axes", [1], StorageView(Storage(copying: littleEndianBytes([Int32(axis)]))), .int32)
  let epsilon = add("epsilon", .scalar, Tensor([1e-3], shape: .scalar).data)
  let scaleShape: Shape = variation == .rowScale ? [channels, 1] : [channels]
  let scale = add(
    "scale", scaleShape, Tensor((1...channels).map { Float($0) / 3 }, shape: scaleShape).data)
  let mean = Reduce("MEAN", .mean, keepsDimensions: true).erased

  let m = node(mean, [x, axes], folded)
  let n = node(Unary("NEG", .negate).erased, [m], folded)
  let squares = binary(.squaredDifference, variation == .otherVariance ? other : x, m, shape)
  let variance = node(mean, [squares, axes], folded)
  let sum = binary(.add, variance, epsilon, folded)
  let root = node(Unary("RSQRT", .rsqrt).erased, [sum], folded)
  let gain = binary(.multiply, root, scale, variation == .rowScale ? folded : shape)
  let scaled = binary(.multiply, x, gain, shape)
  let shift = binary(.multiply, n, gain, shape)
  let y = binary(.add, scaled, shift, shape, variation == .activation ? .relu : .none)
  return Graph(
    values: values, nodes: nodes, inputs: [x, other],
    outputs: variation == .meanIsUsed ? [y, m] : [y])
}

@Suite("Fusing layer normalisation")
struct LayerNormalizationTests {
  private func run(_ graph: Graph, _ options: EngineOptions) throws -> (names: [String], [Float]) {
    let compiled = try CompiledModel(graph: graph, options: options)
    let session = try compiled.makeSession()
    var generator = LinearCongruentialGenerator(named: "layer normalisation")
    for index in 0..<2 {
      // Far from zero, so that a variance from a difference of large sums would be seen.
      let values = generator.floats(shape.count, 100, 101)
      session.withInput(index) { _ = $0.update(fromContentsOf: values) }
    }
    try session.run()
    return (compiled.graph.nodes.map(\.operator.name), session.output(0).floats)
  }

  @Test("exactly the pattern is fused, and the values stay", arguments: Variation.allCases)
  fileprivate func pattern(variation: Variation) throws {
    let graph = graph(variation)
    let fused = try run(graph, EngineOptions(backend: .simd))
    let apart = try run(
      graph, EngineOptions(backend: .simd, disabledPasses: ["fuse-layer-norm"]))
    let reference = try run(graph, EngineOptions(backend: .reference))
    #expect(fused.names.contains("LAYER_NORM") == variation.isFused, "\(fused.names)")
    #expect(!apart.names.contains("LAYER_NORM"))
    if variation.isFused { #expect(fused.names.count == 1) }
    // Values of about 100 lose seven bits when the mean is taken off.
    let bound = Tolerance.absolute(2e-3)
    #expect(departure(of: fused.1, from: reference.1, within: bound, "\(variation), fused") == nil)
    #expect(departure(of: apart.1, from: reference.1, within: bound, "\(variation), apart") == nil)
  }

  @Test(
    "rows of any width match the definition in double precision",
    arguments: [1, 2, 15, 16, 17, 31, 64])
  func kernel(channels: Int) {
    let rows = 3
    var generator = LinearCongruentialGenerator(named: "layer normalisation \(channels)")
    let x = generator.floats(rows * channels, -2, 5)
    let scale = generator.floats(channels)
    // Guards around the output show a write beyond it.
    var y = [Float](repeating: 7, count: rows * channels + 16)
    y.withUnsafeMutableBufferPointer {
      layerNormalization(
        rows: rows, width: channels, x, scale: scale, epsilon: 1e-5, $0.baseAddress! + 8)
    }
    var expected: [Float] = []
    for row in 0..<rows {
      let values = x[row * channels..<(row + 1) * channels].map(Double.init)
      let mean = values.reduce(0, +) / Double(channels)
      let variance =
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(channels)
      let factor = 1 / (variance + Double(Float(1e-5))).squareRoot()
      for (value, scale) in zip(values, scale) {
        expected.append(Float((value - mean) * factor * Double(scale)))
      }
    }
    // A single channel is its own mean: whatever the rounding, the result must be zero.
    let bound = Tolerance(absolute: channels == 1 ? 0 : 2e-6, relative: 2e-6)
    #expect(
      departure(of: Array(y[8..<y.count - 8]), from: expected, within: bound, "\(channels)") == nil)
    #expect(y.prefix(8).allSatisfy { $0 == 7 } && y.suffix(8).allSatisfy { $0 == 7 })
  }
}
