import FaceKitKernels
import FaceKitModels
import TestSupport
import Testing

/// How a model is run in a parity test.
struct Configuration: Sendable, CustomStringConvertible {
  var backend: Backend
  var isa: InstructionSet
  var threads = 1

  var description: String { "\(backend.rawValue), \(isa.rawValue), \(threads) threads" }

  var options: EngineOptions { EngineOptions(backend: backend, isa: isa, threads: threads) }

  /// Every back end, and our own on every tier this machine can run.
  static let all: [Configuration] = {
    var all = [Configuration(backend: .reference, isa: .baseline)]
    for isa in InstructionSet.available {
      all.append(Configuration(backend: .simd, isa: isa))
      all.append(Configuration(backend: .automatic, isa: isa, threads: 2))
    }
    if Backend.blas.isAvailable { all.append(Configuration(backend: .blas, isa: .preferred)) }
    return all
  }()
}

/// What a test holds against a session.
private func compile(
  _ golden: ModelGolden, _ options: EngineOptions = EngineOptions()
) throws -> CompiledModel {
  let model = try TFLiteModel(bytes: ModelFiles.bytes(golden.model))
  return try CompiledModel(model, options: options)
}

extension Session {
  /// Runs with the values of one input.
  fileprivate func outputs(for input: [Float]) throws -> [[Float]] {
    withInput(0) { buffer in
      precondition(buffer.count == input.count, "the golden's input does not fit")
      _ = buffer.update(fromContentsOf: input)
    }
    try run()
    return (0..<outputs.count).map { index in withOutput(index) { Array($0) } }
  }
}

/// Holds every output of a golden's case against a session's answers.
private func expectParity(
  _ golden: ModelGolden, _ item: ModelGolden.Case, _ actual: [[Float]], _ what: String
) throws {
  #expect(actual.count == item.outputs.count)
  for (values, output) in zip(actual, item.outputs) {
    let context = "\(golden.name) \(item.id) (seed \(item.input.seed ?? "none")), \(what)"
    #expect(try golden.departure(of: values, from: output, context) == nil)
  }
}

@Suite("Parity with LiteRT", .enabled(if: ModelFiles.isAvailable, "\(ModelFiles.reason)"))
struct ParityTests {
  @Test(
    "a generated input gives LiteRT's outputs", arguments: ModelGolden.models, Configuration.all)
  func own(name: String, configuration: Configuration) throws {
    let golden = try ModelGolden.load(name, from: .own)
    let session = try compile(golden, configuration.options).makeSession()
    let item = try golden.case("lcg0")
    let input = try golden.inputValues(item)
    let actual = try session.outputs(for: input)
    try expectParity(golden, item, actual, "\(configuration)")
    // Whatever the first run left in the arena must not show in the second.
    #expect(try session.outputs(for: input) == actual, "\(name): a second run differs")
  }

  @Test(
    "generated and real inputs give LiteRT's outputs",
    .enabled(if: Corpus.isAvailable, "\(Corpus.reason)"),
    arguments: ModelGolden.models, Configuration.all)
  func corpus(name: String, configuration: Configuration) throws {
    let golden = try ModelGolden.load(name)
    let session = try compile(golden, configuration.options).makeSession()
    for item in golden.cases {
      let actual = try session.outputs(for: golden.inputValues(item))
      try expectParity(golden, item, actual, "\(configuration)")
    }
  }

  @Test(
    "every intermediate tensor agrees, in the order of execution",
    .enabled(if: Corpus.isAvailable, "\(Corpus.reason)"), arguments: ModelGolden.models)
  func activations(name: String) throws {
    try expectActivations(name, EngineOptions(backend: .reference), all: true)
  }

  @Test(
    "the tensors that survive fusion agree, on every tier",
    .enabled(if: Corpus.isAvailable, "\(Corpus.reason)"),
    arguments: ModelGolden.models, InstructionSet.available)
  func fusedActivations(name: String, isa: InstructionSet) throws {
    try expectActivations(name, EngineOptions(backend: .simd, isa: isa), all: false)
  }

  /// Compares what each node computes with the corpus's figures and reports the first tensor that
  /// departs: its operator is the one at fault.
  private func expectActivations(_ name: String, _ options: EngineOptions, all: Bool) throws {
    let golden = try ModelGolden.load(name)
    let compiled = try compile(golden, options)
    let session = try compiled.makeSession()
    let values = compiled.graph.values
    for item in golden.cases {
      let figures = try golden.activations(item)
      let byTensor = [Int: ActivationGolden](
        figures.map { ($0.tensor, $0) }, uniquingKeysWith: { first, _ in first })
      let input = try golden.inputValues(item)
      session.withInput(0) { _ = $0.update(fromContentsOf: input) }
      var seen = 0
      var first: Departure?
      try session.run { node, outputs in
        for (value, tensor) in zip(compiled.graph.nodes[node].outputs, outputs) {
          guard let source = values[value].sourceTensor, let figures = byTensor[source] else {
            continue
          }
          seen += 1
          if first == nil { first = figures.departure(of: tensor.floats) }
        }
      }
      #expect(first == nil, "\(name) \(item.id), \(options.backend), \(options.isa)")
      if all { #expect(seen == figures.count, "\(name) \(item.id)") } else { #expect(seen > 0) }
    }
  }
}

@Suite("Determinism", .enabled(if: ModelFiles.isAvailable, "\(ModelFiles.reason)"))
struct DeterminismTests {
  @Test("any number of threads gives the same bits", arguments: ModelGolden.models)
  func threads(name: String) throws {
    let golden = try ModelGolden.load(name, from: .own)
    let input = try golden.inputValues(golden.case("lcg0"))
    let one = try compile(golden).makeSession().outputs(for: input)
    for threads in [2, 3] {
      let session = try compile(golden, EngineOptions(threads: threads)).makeSession()
      #expect(try session.outputs(for: input) == one, "\(name), \(threads) threads")
    }
  }

  @Test("sessions of one model on several threads do not disturb one another")
  func sharedModel() async throws {
    let golden = try ModelGolden.load("face_detector", from: .own)
    let input = try golden.inputValues(golden.case("lcg0"))
    let compiled = try compile(golden)
    let expected = try compiled.makeSession().outputs(for: input)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let session = try compiled.makeSession()
          for _ in 0..<10 {
            if try session.outputs(for: input) != expected { return false }
          }
          return true
        }
      }
      for try await same in group { #expect(same) }
    }
  }

  @Test("a fresh session's first answer is its last: no state is left over from other inputs")
  func noLeftovers() throws {
    let golden = try ModelGolden.load("iris_landmark", from: .own)
    let input = try golden.inputValues(golden.case("lcg0"))
    let session = try compile(golden).makeSession()
    let first = try session.outputs(for: input)
    _ = try session.outputs(for: input.map { _ in .infinity })
    _ = try session.outputs(for: input.map { _ in .nan })
    #expect(try session.outputs(for: input) == first)
  }
}
