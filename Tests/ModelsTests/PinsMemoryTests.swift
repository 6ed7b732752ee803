import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// The memory plan, seen from outside: numbers that come out, and bytes that are asked for.
@Suite("Memory plan, by its results")
struct PinsMemoryTests {
  /// A random network of exact operators on small whole numbers, and what it must give.
  private struct Exact {
    var net: PinnedNetwork
    var random: LinearCongruentialGenerator
    var values: [Int32: [Float]] = [:]

    init(seed: Int) {
      net = PinnedNetwork("exact \(seed)")
      random = LinearCongruentialGenerator(seed: UInt64(seed))
      for _ in 0..<2 {
        let count = random.int(1, 40)
        let index = net.input([Int32(count)])
        values[index] = (0..<count).map { _ in Float(random.int(-50, 50)) }
      }
      for _ in 0..<24 { addOperator() }
      addUnreadSplit()
      var outputs = Set<Int32>()
      for _ in 0..<4 { outputs.insert(random.pick(computed)) }
      net.model.outputs = outputs.sorted()
    }

    private var known: [Int32] { values.keys.sorted() }
    private var computed: [Int32] { known.filter { !net.model.inputs.contains($0) } }

    /// Recent values twice as often, so that lives are short and long.
    private mutating func any() -> Int32 {
      random.bool() ? random.pick(known) : random.pick(Array(known.suffix(4)))
    }

    private mutating func add(
      _ code: Int32, _ inputs: [Int32], _ result: [Float],
      _ options: (type: UInt8, ModelBuilder.Fields)? = nil
    ) {
      let index = net.node(code, inputs, [Int32(result.count)], options: options)
      values[index] = result
    }

    private mutating func addOperator() {
      let a = any()
      let x = values[a]!
      switch random.int(0, 5) {
      case 0: add(59, [a], x.map { -$0 }, (42, [:]))
      case 1: add(19, [a], x.map { max($0, 0) })
      case 2:
        let b = random.pick(known.filter { values[$0]!.count == x.count })
        let sum = zip(x, values[b]!).map { $0 + $1 }
        // Whole numbers, small enough that a float holds them.
        guard sum.allSatisfy({ abs($0) < 1e6 }) else { return }
        add(0, [a, b], sum, (11, [:]))
      case 3:
        // A single number, repeated, from either side.
        guard let one = known.last(where: { values[$0]!.count == 1 }) else { return }
        let difference = x.map { values[one]![0] - $0 }
        guard difference.allSatisfy({ abs($0) < 1e6 }) else { return }
        add(41, [one, a], difference, (28, [:]))
      case 4:
        let b = any()
        guard x.count + values[b]!.count <= 200 else { return }
        add(2, [a, b], x + values[b]!, (10, [:]))
      default:
        let begin = random.int(0, x.count - 1)
        let size = random.int(1, x.count - begin)
        let from = net.integers([Int32(begin)], [1])
        let count = net.integers([Int32(size)], [1])
        add(65, [a, from, count], Array(x[begin..<begin + size]), (48, [:]))
      }
    }

    /// Two halves, of which the first is read by nobody: it must not lie on anything alive.
    private mutating func addUnreadSplit() {
      guard let a = computed.last(where: { values[$0]!.count > 1 && values[$0]!.count % 2 == 0 })
      else { return }
      let x = values[a]!
      let half = x.count / 2
      let axis = net.integers([0], [])
      let (low, high) = (net.value([Int32(half)]), net.value([Int32(half)]))
      net.model.operation(
        49, inputs: [axis, a], outputs: [low, high], options: (35, [0: .int32(2)]))
      values[high] = Array(x[half...])
      add(59, [high], x[half...].map { -$0 }, (42, [:]))
    }

    func check(_ options: EngineOptions, _ context: String) throws {
      let session = try net.compiled(options).makeSession()
      for (index, input) in net.model.inputs.enumerated() {
        session.withInput(index) { _ = $0.update(fromContentsOf: values[input]!) }
      }
      // Inputs keep their values from run to run.
      for run in 1...2 {
        try session.run()
        for (index, output) in net.model.outputs.enumerated() {
          #expect(session.output(index).floats == values[output]!, "\(context), run \(run)")
        }
      }
    }
  }

  @Test("random networks of exact operators give what they must, run after run")
  func randomNetworks() throws {
    for seed in 1...60 {
      let exact = Exact(seed: seed)
      try exact.check(EngineOptions(backend: .reference), "seed \(seed), reference")
      try exact.check(EngineOptions(backend: .simd), "seed \(seed), simd")
    }
  }

  /// A chain of operators none of which writes over its input.
  private static func chain(_ length: Int, count: Int32) -> PinnedNetwork {
    var net = PinnedNetwork("chain")
    var x = net.input([count])
    for _ in 0..<length { x = net.node(2, [x], [count], options: (10, [:])) }
    net.model.outputs = [x]
    return net
  }

  private static let options = EngineOptions(backend: .reference)

  @Test("a chain needs its input and two places, each used again as soon as it is free")
  func chainSize() throws {
    for length in [2, 3, 6, 9] {
      let bytes = try Self.chain(length, count: 160).compiled(Self.options).arenaBytes
      #expect(bytes == 3 * 640)
    }
  }

  @Test("an operator that may write over its input adds no place")
  func overwriting() throws {
    var net = PinnedNetwork("overwriting")
    var x = net.node(2, [net.input([160])], [160], options: (10, [:]))
    for _ in 0..<5 { x = net.relu(x) }
    net.model.outputs = [x]
    #expect(try net.compiled(Self.options).arenaBytes == 2 * 640)
  }

  @Test("places are whole cache lines")
  func cacheLines() throws {
    #expect(try Self.chain(3, count: 1).compiled(Self.options).arenaBytes == 3 * 64)
    #expect(try Self.chain(3, count: 17).compiled(Self.options).arenaBytes == 3 * 128)
  }

  @Test("the limit is the last size allowed, and one byte less is refused")
  func exactLimit() throws {
    var block = PinsStreamRowsTests.block().net
    block.model.outputs = [block.relu(block.model.outputs[0])]
    for (net, backend) in [(Self.chain(3, count: 160), Backend.reference), (block, .simd)] {
      var options = EngineOptions(backend: backend)
      let bytes = try net.compiled(options).arenaBytes
      options.limits.arenaBytes = bytes
      #expect(try net.compiled(options).arenaBytes == bytes)
      options.limits.arenaBytes = bytes - 1
      let error = #expect(throws: ModelError.self) { try net.compiled(options) }
      #expect(error?.code == .resourceLimit)
    }
  }

  @Test("working memory lies behind all values, as large as the largest operator's")
  func workingMemory() throws {
    // The first operator needs most of it, the last little or none.
    var net = PinnedNetwork("working memory")
    let input = net.input([1, 12, 12, 16])
    let x = net.conv(input, 64, .init(kernel: (5, 5)))
    let y = net.conv(x, 8, .init(kernel: (3, 3)))
    net.model.outputs = [net.relu(y), input, x]
    try net.expectSameResults()
  }

  @Test("an input too large for the limits is refused before anything is reserved")
  func largeInput() throws {
    var net = PinnedNetwork("large input")
    let x = net.input([1, 4])
    net.model.outputs = [net.relu(x)]
    var options = EngineOptions(backend: .reference)
    let session = try net.compiled(options).makeSession()
    #expect(throws: ModelError.self) { try session.resizeInput(0, to: [1 << 20, 1 << 10]) }
    options.limits.tensorBytes = 15
    let error = #expect(throws: ModelError.self) { try net.compiled(options) }
    #expect(error?.what == "input 'tensor0' is too large")
    options.limits.tensorBytes = 16
    _ = try net.compiled(options)
  }
}

extension LinearCongruentialGenerator {
  fileprivate mutating func pick<Element>(_ from: [Element]) -> Element {
    from[int(0, from.count - 1)]
  }
}
