import Foundation
import Kernels
import Tensor
import TestSupport
import Testing

@testable import Models

/// Every case of the conformance suite, on every back end and every tier of instructions this machine
/// has: results within the manifest's tolerance, twice the same bytes in one session, and the model
/// at an odd address.
///
/// With `FACEKIT_OPERATOR_TABLE=path` the results are also written as the table `docs/operators.md`.
@Suite(
  "Conformance suite", .serialized,
  .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.reason)))
struct ConformanceTests {
  static let cases: [ConformanceCase] =
    Conformance.isAvailable ? ((try? ConformanceCase.loadAll()) ?? []) : []

  @Test("all cases pass on every back end and tier")
  func allCases() throws {
    var results = ConformanceResults()
    for configuration in EngineConfiguration.all {
      var passed = 0
      for example in Self.cases {
        let outcome = Result { try Self.run(example, configuration.options) }
        if case .success = outcome { passed += 1 }
        if case .failure(let error) = outcome {
          Issue.record("\(example.id) on \(configuration.name): \(error)")
        }
        results.record(example, configuration, outcome)
      }
      print("conformance: \(configuration.name): \(passed) of \(Self.cases.count) cases pass")
      #expect(passed == Self.cases.count)
    }
    if let path = ProcessInfo.processInfo.environment["FACEKIT_OPERATOR_TABLE"] {
      try results.markdown().write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// Runs a case twice.
  ///
  /// - Returns: for each operator of the model, its name and the type of its data input.
  /// - Throws: what went wrong, in words.
  @discardableResult
  static func run(
    _ example: ConformanceCase, _ options: EngineOptions
  ) throws -> Set<OperatorUse> {
    let compiled = try CompiledModel(
      TFLiteModel(atOddAddress(try example.modelBytes())), options: options)
    let session = try compiled.makeSession()
    for (index, input) in example.inputs.enumerated() where input.needsResize {
      try session.resizeInput(index, to: Shape(input.shape))
    }
    for (index, input) in example.inputs.enumerated() {
      let bytes = try input.bytes()
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
      if let departure = try expected.departure(of: bytes, "output \(index)") {
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
struct EngineConfiguration: Sendable {
  let name: String
  let options: EngineOptions

  /// Every one that this machine can run.
  static let all: [EngineConfiguration] = {
    var all = [
      EngineConfiguration(name: "reference", options: EngineOptions(backend: .reference)),
      EngineConfiguration(name: "blas", options: EngineOptions(backend: .blas)),
    ]
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

  /// Every use in a graph. The type is that of the first input that is not a shape, axis or index.
  static func all(in graph: Graph) -> Set<OperatorUse> {
    var uses = Set<OperatorUse>()
    for node in graph.nodes {
      let types = node.inputs.compactMap { $0.map { graph.values[$0] } }
      // TRANSPOSE_CONV and SPLIT have their data last.
      let data =
        ["TRANSPOSE_CONV", "SPLIT"].contains(node.operation.name) ? types.last : types.first
      guard let data else { continue }
      var type = data.type.name
      if let quantization = data.quantization, [.int8, .uint8].contains(data.type) {
        type += quantization.isPerTensor ? " quantised" : " quantised per channel"
      }
      let weights = types.dropFirst().first
      if let scales = weights?.quantization?.scales.count, scales > 1 {
        type += ", per channel"
      }
      uses.insert(OperatorUse(name: node.operation.name, type: type))
    }
    return uses
  }
}
