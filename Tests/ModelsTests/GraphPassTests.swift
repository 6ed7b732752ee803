import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// Builds small graphs by hand.
private struct GraphBuilder {
  var graph = Graph(values: [], nodes: [], inputs: [], outputs: [])
  var random = LinearCongruentialGenerator(named: "passes")

  mutating func value(_ shape: Shape, name: String = "value") -> Int {
    graph.values.append(Graph.Value(name: name, type: .float32, shape: shape))
    return graph.values.count - 1
  }

  mutating func input(_ shape: Shape) -> Int {
    let index = value(shape, name: "input")
    graph.inputs.append(index)
    return index
  }

  mutating func constant(_ shape: Shape) -> Int {
    let index = value(shape, name: "constant")
    graph.values[index].constant = Tensor(random.floats(shape.count), shape: shape).data
    return index
  }

  mutating func integers(_ values: [Int32], shape: Shape) -> Int {
    let storage = Storage(copying: littleEndianBytes(values))
    graph.values.append(
      Graph.Value(name: "integers", type: .int32, shape: shape, constant: StorageView(storage)))
    return graph.values.count - 1
  }

  mutating func node(_ operation: AnyOperator, _ inputs: [Int?], output shape: Shape) -> Int {
    let output = value(shape)
    graph.nodes.append(
      Graph.Node(operation, inputs: inputs, outputs: [output], sources: [graph.nodes.count]))
    return output
  }

  mutating func conv(
    _ input: Int, outputs: Int, kernel: Int = 1, stride: Int = 1, padding: Padding = .same,
    activation: Activation = .none
  ) -> Int {
    let shape = graph.values[input].shape
    let weights = constant([outputs, kernel, kernel, shape[3]])
    func extent(_ input: Int) -> Int {
      padding == .valid ? (input - kernel) / stride + 1 : (input + stride - 1) / stride
    }
    return node(
      Conv2D(
        padding: padding, strideHeight: stride, strideWidth: stride, activation: activation
      ).erased, [input, weights, constant([outputs])],
      output: [1, extent(shape[1]), extent(shape[2]), outputs])
  }

  mutating func depthwise(_ input: Int) -> Int {
    let shape = graph.values[input].shape
    return node(
      Conv2D(.depthwise, padding: .same).erased,
      [input, constant([1, 3, 3, shape[3]]), constant([shape[3]])], output: shape)
  }

  mutating func prelu(_ input: Int) -> Int {
    let shape = graph.values[input].shape
    return node(PRelu().erased, [input, constant([1, 1, shape[3]])], output: shape)
  }

  mutating func add(_ a: Int, _ b: Int, _ activation: Activation = .none) -> Int {
    node(Binary("ADD", .add, activation: activation).erased, [a, b], output: graph.values[a].shape)
  }

  mutating func pad(_ input: Int, _ amounts: [Int32]) -> Int {
    var shape = graph.values[input].shape
    for axis in 0..<4 { shape[axis] += Int(amounts[2 * axis] + amounts[2 * axis + 1]) }
    return node(Pad().erased, [input, integers(amounts, shape: [4, 2])], output: shape)
  }

  /// What the nodes' best kernels may overwrite.
  var overwrites: [[Int]] { graph.nodes.map { $0.operator.kernels[0].overwrites } }

  /// The graph after the passes, none of those in `disabled`.
  func optimised(
    disabling disabled: [String] = [],
    target: KernelTarget = KernelTarget(backend: .simd, isa: .preferred)
  ) -> Graph {
    var graph = graph
    for pass in GraphPass.all where !disabled.contains(pass.name) { pass.run(&graph, target) }
    return graph
  }

  /// Runs with every pass, with none, and on the reference, and compares.
  func expectSameResults(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var random = LinearCongruentialGenerator(named: "input")
    let input = random.floats(graph.values[graph.inputs[0]].shape.count)
    func run(_ options: EngineOptions, of other: Graph? = nil) throws -> [Float] {
      let session = try CompiledModel(graph: other ?? graph, options: options).makeSession()
      session.withInput(0) { _ = $0.update(fromContentsOf: input) }
      try session.run()
      return session.output(0).floats
    }
    let expected = try run(EngineOptions(backend: .reference))
    let bound = Tolerance(absolute: 1e-6, ofLargest: 1e-5)
    // What passes join has a reference kernel too.
    let joined = try run(EngineOptions(backend: .reference), of: optimised())
    #expect(
      departure(of: joined, from: expected, within: bound, "joined, on the reference") == nil,
      sourceLocation: sourceLocation)
    for isa in InstructionSet.available {
      for disabled in [[], ["all"], ["stream-rows"], ["fuse-residuals"], ["fuse-activations"]] {
        for threads in [1, 3] {
          let actual = try run(
            EngineOptions(backend: .simd, isa: isa, threads: threads, disabledPasses: disabled))
          #expect(
            departure(
              of: actual, from: expected, within: bound,
              "\(isa.rawValue), without \(disabled), \(threads) threads") == nil,
            sourceLocation: sourceLocation)
        }
      }
    }
  }
}

@Suite("Graph passes")
struct GraphPassTests {
  @Test("names are unique, so that each pass can be switched off by its own")
  func names() {
    #expect(Set(GraphPass.all.map(\.name)).count == GraphPass.all.count)
  }

  @Test("an activation moves into the convolution before it")
  func activationFusion() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 8, 8, 3]), outputs: 16, kernel: 3, stride: 2)
    b.graph.outputs = [b.prelu(x)]
    #expect(b.optimised().nodes.map(\.operator.name) == ["CONV_2D"])
    #expect(
      b.optimised(disabling: ["fuse-activations"]).nodes.map(\.operator.name)
        == ["CONV_2D", "PRELU"])
    try b.expectSameResults()
  }

  @Test("an activation stays where its input has another reader")
  func sharedInputIsNotFused() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 8, 8, 3]), outputs: 16)
    let y = b.prelu(x)
    b.graph.outputs = [b.add(x, y)]
    #expect(b.optimised().nodes.count == 3)
    try b.expectSameResults()
  }

  @Test("zeros around a map become the convolution's own padding")
  func paddingFusion() throws {
    var b = GraphBuilder()
    let x = b.pad(b.input([1, 7, 7, 3]), [0, 0, 1, 1, 1, 1, 0, 0])
    b.graph.outputs = [b.conv(x, outputs: 16, kernel: 3, padding: .valid, activation: .relu6)]
    #expect(b.optimised().nodes.map(\.operator.name) == ["CONV_2D"])
    try b.expectSameResults()
  }

  @Test("a bottleneck block becomes one streamed node that overwrites its input")
  func bottleneck() throws {
    var b = GraphBuilder()
    let x = b.prelu(b.conv(b.input([1, 9, 9, 3]), outputs: 16, kernel: 3, stride: 1))
    let y = b.conv(b.depthwise(b.prelu(b.conv(x, outputs: 8))), outputs: 16)
    b.graph.outputs = [b.prelu(b.add(x, y))]
    let optimised = b.optimised()
    #expect(optimised.nodes.map(\.operator.name) == ["CONV_2D", "ROW_STREAM"])
    #expect(optimised.nodes[1].operator.kernels[0].overwrites == [0])
    #expect(optimised.nodes[1].sources.count == 6)
    try b.expectSameResults()
  }

  @Test("threads would overwrite each other's rows, so with them a block has an output of its own")
  func noOverwritingWithThreads() {
    var b = GraphBuilder()
    let x = b.prelu(b.conv(b.input([1, 9, 9, 3]), outputs: 16, kernel: 3))
    b.graph.outputs = [b.conv(b.depthwise(b.conv(x, outputs: 8)), outputs: 16)]
    let graph = b.optimised(
      target: KernelTarget(backend: .simd, isa: .preferred, threads: 2))
    #expect(graph.nodes.last?.operator.name == "ROW_STREAM")
    #expect(graph.nodes.last?.operator.kernels[0].overwrites == [])
  }

  @Test("channels padded for a residual are not stored but left out")
  func narrowResidual() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 6, 6, 3]), outputs: 20)
    let wide = b.pad(x, [0, 0, 0, 0, 0, 0, 0, 28])
    let y = b.conv(b.depthwise(x), outputs: 48)
    b.graph.outputs = [b.add(wide, y, .relu)]
    #expect(
      b.optimised().nodes.map(\.operator.name) == ["CONV_2D", "ROW_STREAM"])
    try b.expectSameResults()
  }

  @Test("layer normalisation spelled out in ten operators becomes one")
  func layerNormalization() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 1, 13, 24]), outputs: 40)
    let axis = b.integers([-1], shape: [1])
    let mean = Reduce("MEAN", .mean, keepsDimensions: true).erased
    let multiply = Binary("MUL", .multiply).erased
    let m = b.node(mean, [x, axis], output: [1, 1, 13, 1])
    let n = b.node(Unary("NEG", .negate).erased, [m], output: [1, 1, 13, 1])
    let d = b.node(
      Binary("SQUARED_DIFFERENCE", .squaredDifference).erased, [x, m], output: [1, 1, 13, 40])
    let v = b.node(mean, [d, axis], output: [1, 1, 13, 1])
    let e = b.value([])
    b.graph.values[e].constant = Tensor([1e-3], shape: []).data
    let s = b.node(Binary("ADD", .add).erased, [v, e], output: [1, 1, 13, 1])
    let r = b.node(Unary("RSQRT", .rsqrt).erased, [s], output: [1, 1, 13, 1])
    let g = b.node(multiply, [r, b.constant([40])], output: [1, 1, 13, 40])
    let scaled = b.node(multiply, [x, g], output: [1, 1, 13, 40])
    let shift = b.node(multiply, [n, g], output: [1, 1, 13, 40])
    b.graph.outputs = [b.add(scaled, shift)]
    #expect(b.optimised().nodes.map(\.operator.name) == ["CONV_2D", "LAYER_NORM"])
    try b.expectSameResults()
  }

  @Test("integer convolutions have fast kernels of their own, and stay as they are")
  func integersAreNotJoined() throws {
    let depthwise = try integerBottleneck()
    var graph = depthwise
    for pass in GraphPass.all {
      pass.run(&graph, KernelTarget(backend: .simd, isa: .preferred))
    }
    #expect(graph.nodes.map(\.operator.name) == depthwise.nodes.map(\.operator.name))
    let compiled = try CompiledModel(graph: depthwise, options: EngineOptions(backend: .simd))
    #expect(
      compiled.kernels.map(\.kernel.name)
        == ["integer dot products", "integer depthwise", "integer dot products"])
  }

  /// 1×1 → depthwise 3×3 → 1×1 on int8.
  private func integerBottleneck() throws -> Graph {
    let scale = Quantization(scales: [0.05], zeroPoints: [0], axis: 0)
    var graph = Graph(values: [], nodes: [], inputs: [0], outputs: [])
    func add(_ shape: Shape, constant: Bool = false) -> Int {
      let bytes = constant ? StorageView(Storage(count: shape.count)) : nil
      graph.values.append(
        Graph.Value(
          name: "value", type: .int8, shape: shape, quantization: scale, constant: bytes))
      return graph.values.count - 1
    }
    var x = add([1, 6, 6, 16])
    let stages: [(conv: Conv2D, weights: Shape)] = [
      (Conv2D(padding: .same), [16, 1, 1, 16]),
      (Conv2D(.depthwise, padding: .same), [1, 3, 3, 16]),
      (Conv2D(padding: .same), [16, 1, 1, 16]),
    ]
    for (conv, weights) in stages {
      let output = add([1, 6, 6, 16])
      graph.nodes.append(
        Graph.Node(
          conv.erased, inputs: [x, add(weights, constant: true)], outputs: [output],
          sources: [graph.nodes.count]))
      x = output
    }
    graph.outputs = [x]
    return graph
  }

  @Test("slopes along another axis are not taken for one for each channel")
  func slopesOfRows() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 8, 8, 3]), outputs: 8)
    b.graph.outputs = [
      b.node(PRelu().erased, [x, b.constant([8, 1, 1])], output: [1, 8, 8, 8])
    ]
    #expect(b.optimised().nodes.count == 2)
    try b.expectSameResults()
  }

  @Test("each kernel says its name, and what kept better ones away")
  func reasons() throws {
    var b = GraphBuilder()
    let x = b.conv(b.input([1, 8, 8, 4]), outputs: 8)
    let weights = b.constant([8, 1, 1, 4])
    b.graph.outputs = [b.node(Conv2D(padding: .same).erased, [x, weights], output: [1, 8, 8, 8])]
    let simd = try CompiledModel(
      graph: b.graph, options: EngineOptions(backend: .simd, isa: .baseline))
    let names = simd.kernels.map(\.name)
    #expect(names.contains("f32_conv_row, baseline"))
    let grouped = try #require(simd.kernels.last { $0.kernel.name == "reference" })
    #expect(
      grouped.declined.first == .init(kernel: "f32_conv_row", reason: "the channels are grouped"))
    let reference = try CompiledModel(graph: b.graph, options: EngineOptions(backend: .reference))
    #expect(reference.kernels.allSatisfy { $0.name == "reference" && $0.declined.isEmpty })
  }

  @Test("of two convolutions that are added, the later one takes the sum")
  func residualOfTwoConvolutions() throws {
    var b = GraphBuilder()
    let input = b.input([1, 6, 6, 3])
    let x = b.conv(input, outputs: 16)
    let y = b.conv(input, outputs: 16, kernel: 3)
    b.graph.outputs = [b.add(y, x, .relu)]
    let optimised = b.optimised()
    #expect(optimised.nodes.count == 2)
    #expect(optimised.nodes[1].inputs[Conv2D.Input.residual] == x)
    try b.expectSameResults()
  }
}

@Suite("Memory plan")
struct MemoryPlanTests {
  @Test("values alive at the same time never overlap, and dead ones make room")
  func placement() throws {
    var b = GraphBuilder()
    var x = b.input([1, 16, 16, 16])
    for _ in 0..<6 { x = b.node(Unary("TANH", .tanh).erased, [x], output: [1, 16, 16, 16]) }
    b.graph.outputs = [b.add(x, b.graph.inputs[0])]
    let plan = try MemoryPlan(b.graph, overwrites: b.overwrites, limits: .default)
    for a in plan.placements {
      #expect(a.offset % 64 == 0)
      for c in plan.placements where a.value < c.value {
        let together = a.firstNode < c.lastNode && c.firstNode < a.lastNode
        let apart = a.offset + a.bytes <= c.offset || c.offset + c.bytes <= a.offset
        #expect(!together || apart, "values \(a.value) and \(c.value)")
      }
    }
    #expect(plan.bytes < b.graph.values.count * 16 * 16 * 16 * 4 / 2)
  }

  @Test("a plan above the limit is refused before memory is reserved")
  func limit() throws {
    var b = GraphBuilder()
    let x = b.input([1, 64, 64, 16])
    b.graph.outputs = [b.node(Unary("TANH", .tanh).erased, [x], output: [1, 64, 64, 16])]
    var limits = ModelLimits()
    limits.arenaBytes = 1000
    #expect {
      try MemoryPlan(b.graph, overwrites: b.overwrites, limits: limits)
    } throws: {
      ($0 as? ModelError)?.code == .resourceLimit
    }
  }
}

@Suite("Sessions")
struct SessionTests {
  @Test("results are the same bits with any number of threads")
  func threadsDoNotMatter() throws {
    var b = GraphBuilder()
    var x = b.prelu(b.conv(b.input([1, 32, 32, 3]), outputs: 32, kernel: 3, stride: 1))
    for _ in 0..<2 {
      let y = b.conv(b.depthwise(b.prelu(b.conv(x, outputs: 16))), outputs: 32)
      x = b.prelu(b.add(x, y))
    }
    b.graph.outputs = [x]
    var random = LinearCongruentialGenerator(named: "threads")
    let input = random.floats(32 * 32 * 3)
    var results: [[Float]] = []
    for threads in [1, 2, 3, 5] {
      let session = try CompiledModel(
        graph: b.graph, options: EngineOptions(backend: .simd, threads: threads)
      ).makeSession()
      session.withInput(0) { _ = $0.update(fromContentsOf: input) }
      try session.run()
      results.append(session.output(0).floats)
    }
    for result in results.dropFirst() { #expect(result == results[0]) }
  }

  @Test("sessions of one model run on several threads at once")
  func concurrentSessions() async throws {
    var b = GraphBuilder()
    b.graph.outputs = [b.prelu(b.conv(b.input([1, 16, 16, 3]), outputs: 16, kernel: 3))]
    let model = try CompiledModel(graph: b.graph)
    let input = [Float](repeating: 0.5, count: 16 * 16 * 3)
    @Sendable func run() throws -> [Float] {
      let session = try model.makeSession()
      session.withInput(0) { _ = $0.update(fromContentsOf: input) }
      for _ in 0..<20 { try session.run() }
      return session.output(0).floats
    }
    let expected = try run()
    try await withThrowingTaskGroup(of: [Float].self) { group in
      for _ in 0..<4 { group.addTask { try run() } }
      for try await result in group { #expect(result == expected) }
    }
  }

  @Test("a tensor that does not fit an input is an error that names both shapes")
  func wrongInput() throws {
    var b = GraphBuilder()
    b.graph.outputs = [b.conv(b.input([1, 4, 4, 3]), outputs: 8)]
    let session = try CompiledModel(graph: b.graph).makeSession()
    #expect {
      try session.setInput(0, Tensor([1, 2], shape: [2]))
    } throws: { error in
      let text = "\(error)"
      return text.contains("1×4×4×3") && text.contains("2 float32")
    }
    #expect(throws: ModelError.self) { try session.setInput(1, Tensor([1], shape: [1])) }
  }

  @Test("a resized input gives other shapes, and what cannot be resized says so")
  func resizing() throws {
    var b = GraphBuilder()
    b.graph.outputs = [b.conv(b.input([1, 4, 4, 3]), outputs: 8)]
    let session = try CompiledModel(graph: b.graph).makeSession()
    try session.resizeInput(0, to: [2, 6, 5, 3])
    #expect(session.outputs[0].shape == [2, 6, 5, 8])
    try session.run()
    #expect(session.output(0).floats.count == 2 * 6 * 5 * 8)
    #expect(throws: ModelError.self) { try session.resizeInput(0, to: [1, 4, 4, 2]) }
  }

  @Test("an observer sees every value that was not fused away")
  func observer() throws {
    var b = GraphBuilder()
    b.graph.outputs = [b.prelu(b.conv(b.input([1, 4, 4, 3]), outputs: 20))]
    for (disabled, count) in [([], 1), (["all"], 2)] {
      let session = try CompiledModel(
        graph: b.graph, options: EngineOptions(backend: .simd, disabledPasses: disabled)
      ).makeSession()
      var maps: [Tensor] = []
      try session.run { _, outputs in maps += outputs.filter { $0.shape == [1, 4, 4, 20] } }
      #expect(Set(maps.map(\.floats)).count == count)
      #expect(maps.last?.floats == session.output(0).floats)
    }
  }
}
