import Foundation
import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// A folder of cases in the conformance suite's format.
struct CaseFolder: Sendable {
  let name: String
  let url: URL
  let cases: [ConformanceCase]

  /// The suite beside the package.
  static let suite = CaseFolder("conformance", Conformance.folder)
  /// Operators and types the suite has no case of: Tests/Goldens/operators.
  static let own = CaseFolder("own goldens", Goldens.url("operators"))

  private struct Manifest: Decodable {
    var cases: [ConformanceCase]
  }

  private init(_ name: String, _ url: URL) {
    self.name = name
    self.url = url
    let data = try? Data(contentsOf: url.appendingPathComponent("manifest.json"))
    cases = data.flatMap { try? JSONDecoder().decode(Manifest.self, from: $0).cases } ?? []
  }

  /// Runs every case on every configuration, prints how many passed, and reports those that did not.
  func runAll(_ results: inout ConformanceResults) {
    for configuration in EngineConfiguration.all {
      var passed = 0
      for example in cases {
        let outcome = Result { try ConformanceTests.run(example, in: url, configuration.options) }
        if case .success = outcome { passed += 1 }
        if case .failure(let error) = outcome {
          Issue.record("\(example.id) on \(configuration.name): \(error)")
        }
        results.record(example, of: name, configuration, outcome)
      }
      print("\(name): \(configuration.name): \(passed) of \(cases.count) cases pass")
    }
    #expect(!cases.isEmpty)
  }
}

/// Every case of the conformance suite and of our own goldens, on every back end and every tier of
/// instructions this machine has: results within the manifest's tolerance, twice the same bytes in
/// one session, and the model at an odd address.
///
/// With `FACEKIT_OPERATOR_TABLE=path` the results are also written as the table `docs/operators.md`.
@Suite("Conformance suite", .serialized)
struct ConformanceTests {
  @Test(
    "all cases pass on every back end and tier",
    .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.reason)))
  func suite() throws {
    var results = ConformanceResults()
    CaseFolder.suite.runAll(&results)
    if let path = ProcessInfo.processInfo.environment["FACEKIT_OPERATOR_TABLE"] {
      CaseFolder.own.runAll(&results)
      try results.markdown().write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  @Test("operators and types beyond the suite agree with LiteRT")
  func own() {
    var results = ConformanceResults()
    CaseFolder.own.runAll(&results)
  }

  /// Operators whose quantised arithmetic is integers alone, so that there is one right answer.
  static let bitExact: Set<String> = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED", "ADD", "SUB", "MUL",
    "SQUARED_DIFFERENCE", "AVERAGE_POOL_2D", "MAX_POOL_2D", "CONCATENATION", "MEAN", "PRELU",
    "LEAKY_RELU", "RELU", "RELU6", "RELU_N1_TO_1", "RESIZE_BILINEAR", "QUANTIZE",
  ]

  @Test(
    "quantised arithmetic in integers is LiteRT's bit for bit", arguments: EngineConfiguration.all)
  func integersAreExact(configuration: EngineConfiguration) throws {
    var compared = 0
    for folder in [CaseFolder.suite, .own] {
      for example in folder.cases
      where example.ops.count == 1 && Self.bitExact.contains(example.ops[0])
        && ["int8", "uint8", "int16"].contains(example.outputs[0].dtype)
        // Quantising floats is float arithmetic: near ties may go either way.
        && ["int8", "uint8", "int16"].contains(example.inputs[0].dtype)
      {
        let exact = Self.exact(example)
        #expect(throws: Never.self, "\(example.id)") {
          try Self.run(exact, in: folder.url, configuration.options)
        }
        compared += 1
      }
    }
    #expect(compared >= (Conformance.isAvailable ? 40 : 14))
  }

  /// The same case with no tolerance.
  private static func exact(_ example: ConformanceCase) -> ConformanceCase {
    var exact = example
    for index in exact.outputs.indices {
      exact.outputs[index].tolerance.abs = 0
      exact.outputs[index].tolerance.rel = 0
    }
    return exact
  }

  /// Runs a case twice.
  ///
  /// - Returns: for each operator of the model, its name and the type of its data input.
  /// - Throws: what went wrong, in words.
  @discardableResult
  static func run(
    _ example: ConformanceCase, in folder: URL, _ options: EngineOptions
  ) throws -> Set<OperatorUse> {
    let compiled = try CompiledModel(
      TFLiteModel(
        atOddAddress([UInt8](try Data(contentsOf: folder.appendingPathComponent(example.model))))),
      options: options)
    let session = try compiled.makeSession()
    for (index, input) in example.inputs.enumerated() where input.needsResize {
      try session.resizeInput(index, to: Shape(input.shape))
    }
    for (index, input) in example.inputs.enumerated() {
      let bytes = try input.bytes(relativeTo: folder)
      let type = try elementType(input.dtype)
      guard type.bytes(for: Shape(input.shape).count) == bytes.count else {
        throw GoldenError("input \(index) has \(bytes.count) bytes")
      }
      try session.setInput(
        index,
        Tensor(
          type: type, shape: Shape(input.shape), data: StorageView(Storage(copying: bytes))))
    }
    try session.run()
    let first = example.outputs.indices.map { session.output($0) }
    try session.run()
    for (index, expected) in example.outputs.enumerated() {
      let (actual, again) = (first[index], session.output(index))
      guard actual.shape == Shape(expected.shape) else {
        throw GoldenError("output \(index) is \(actual.shape), not \(Shape(expected.shape))")
      }
      guard actual.type == (try elementType(expected.dtype)) else {
        throw GoldenError("output \(index) is \(actual.type.name), not \(expected.dtype)")
      }
      let bytes = actual.data.array(of: UInt8.self)
      guard bytes == again.data.array(of: UInt8.self) else {
        throw GoldenError("output \(index) differs from one run to the next")
      }
      if let departure = try expected.departure(
        of: bytes, relativeTo: folder, "output \(index)")
      {
        throw GoldenError("\(departure)")
      }
    }
    return OperatorUse.all(in: compiled.source)
  }

  /// A copy whose first byte lies at an odd address.
  static func atOddAddress(_ bytes: [UInt8]) -> StorageView {
    let storage = Storage(count: bytes.count + 1)
    bytes.withUnsafeBytes {
      if let from = $0.baseAddress {
        (storage.base + 1).copyMemory(from: from, byteCount: bytes.count)
      }
    }
    return StorageView(storage, offset: 1, count: bytes.count)
  }

  static func elementType(_ dtype: String) throws -> ElementType {
    guard let type = ElementType.allCases.first(where: { $0.name == dtype }) else {
      throw GoldenError("no element type '\(dtype)'")
    }
    return type
  }
}

/// A back end and a tier, where it has tiers.
struct EngineConfiguration: Sendable, CustomTestStringConvertible {
  let name: String
  var testDescription: String { name }
  let options: EngineOptions

  /// Every one that this machine can run.
  static let all: [EngineConfiguration] = {
    var all = [
      EngineConfiguration(name: "reference", options: EngineOptions(backend: .reference))
    ]
    if Backend.blas.isAvailable {
      all.append(EngineConfiguration(name: "blas", options: EngineOptions(backend: .blas)))
    }
    for isa in InstructionSet.allCases where isa.isAvailable {
      all.append(
        EngineConfiguration(
          name: "simd \(isa.rawValue)", options: EngineOptions(backend: .simd, isa: isa)))
    }
    all.append(EngineConfiguration(name: "automatic", options: EngineOptions()))
    return all
  }()
}

/// An operator with the type it works on.
struct OperatorUse: Hashable {
  let name: String
  let type: String
  /// Its kernels, best first: what the choice walks.
  let kernels: [String]

  /// Every use in a graph. The type is that of the first input that is not a shape, axis or index.
  static func all(in graph: Graph) -> Set<OperatorUse> {
    var uses = Set<OperatorUse>()
    for node in graph.nodes {
      let types = node.inputs.compactMap { $0.map { graph.values[$0] } }
      // TRANSPOSE_CONV and SPLIT have their data last.
      let data =
        ["TRANSPOSE_CONV", "SPLIT"].contains(node.operator.name) ? types.last : types.first
      guard let data else { continue }
      var type = data.type.name
      if let quantization = data.quantization, [.int8, .uint8].contains(data.type) {
        type += quantization.isPerTensor ? " quantised" : " quantised per channel"
      }
      let weights = types.dropFirst().first
      if let scales = weights?.quantization?.scales.count, scales > 1 {
        type += ", per channel"
      }
      let kernels = node.operator.kernels.map {
        $0.backend == .reference ? $0.name : "\($0.name) (\($0.backend.rawValue))"
      }
      uses.insert(OperatorUse(name: node.operator.name, type: type, kernels: kernels))
    }
    return uses
  }
}
