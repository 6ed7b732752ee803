// Deliberately not `@testable`: what a caller can do.
import Foundation
import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing

@Suite("Custom operators of a caller")
struct CustomOperatorTests {
  static func bytes(version: Int32 = 1, options: [UInt8]?) -> [UInt8] {
    var builder = ModelBuilder()
    let (input, output) = (builder.tensor([3]), builder.tensor([3]))
    builder.custom(
      "Mish", version: version, inputs: [input], outputs: [output], options: options)
    builder.inputs = [input]
    builder.outputs = [output]
    return builder.bytes
  }

  /// 2 as a little-endian float.
  static let two: [UInt8] = [0, 0, 0, 0x40]

  @Test(
    "a registered operator runs, on every back end",
    arguments: Backend.allCases.filter(\.isAvailable))
  func runs(backend: Backend) throws {
    let bytes = Self.bytes(options: Self.two)
    let guide = try guideRegistration(bytes)
    let compiled = try CompiledModel(
      TFLiteModel(bytes: bytes), options: EngineOptions(backend: backend), registry: guide.registry)
    for model in [guide.model, compiled] {
      let session = try model.makeSession()
      try session.setInput(0, Tensor([-1, 0, 1], shape: [3]))
      try session.run()
      let expected: [Float] = [-0.60680294, 0, 1.7301969]
      #expect(zip(session.output(0).floats, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("an unknown operator, another version and bad options are typed errors")
  func errors() throws {
    let registry = try guideRegistration(Self.bytes(options: Self.two)).registry
    func code(_ bytes: [UInt8], _ registry: OperatorRegistry) -> ModelError.Code? {
      do throws(ModelError) {
        _ = try CompiledModel(TFLiteModel(bytes: bytes), registry: registry)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(Self.bytes(options: Self.two), .standard) == .unsupportedOperator)
    #expect(code(Self.bytes(version: 2, options: Self.two), registry) == .unsupportedOperator)
    #expect(code(Self.bytes(options: nil), registry) == .option)
  }

  @Test("the guide shows the code that is tested here, line by line")
  func guide() throws {
    let package = Goldens.folder.appendingPathComponent("../..")
    func lines(_ text: String) -> [String] {
      text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasSuffix("// not in the guide") }
    }
    func text(_ path: String) throws -> String {
      try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
    }
    let guide = try text("docs/custom-operators.md").components(separatedBy: "```")
    let shown = try #require(guide.first { $0.hasPrefix("swift\n") }).dropFirst("swift\n".count)
    let tested = try text("Tests/ModelsTests/CustomOperatorGuide.swift")
    #expect(lines(String(shown)) == lines(tested))
  }
}
