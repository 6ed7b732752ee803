// Deliberately not `@testable`: what a caller can do, and the code that docs/custom-operators.md shows.
import Kernels
import Models
import Tensor
import TestSupport
import Testing

/// `x · tanh(ln(1 + eˣ))` (Misra 2019), scaled by a number from the operator's options.
private struct Mish: Operator {
  let scale: Float

  init(_ source: OperatorSource) throws(ModelError) {
    guard let bytes = source.customOptions, bytes.count == 4 else {
      throw ModelError(.option, "Mish needs a scale of four bytes")
    }
    scale = bytes.array(of: Float.self)[0]
  }

  var name: String { "Mish" }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    let input = try inputs[0]
    guard input.type == .float32 else {
      throw ModelError(.type, "Mish takes float32, not \(input.type.name)")
    }
    return [TensorType(.float32, input.shape)]
  }

  func lower(_ site: inout Site) throws(ModelError) -> Step {
    let (input, output, scale) = (site.input(0), site.output, scale)
    let count = output.count
    return { (workspace) throws(ModelError) in
      let (x, y) = (input.floats(workspace), output.floats(workspace))
      for i in 0..<count {
        y[i] = scale * x[i] * Elementary.tanh(Elementary.log1p(Elementary.exp(x[i])))
      }
    }
  }
}

@Suite("Custom operators of a caller")
struct CustomOperatorTests {
  static func model(version: Int32 = 1, options: [UInt8]?) throws -> TFLiteModel {
    var builder = ModelBuilder()
    let (input, output) = (builder.tensor([3]), builder.tensor([3]))
    builder.custom(
      "Mish", version: version, inputs: [input], outputs: [output], options: options)
    builder.inputs = [input]
    builder.outputs = [output]
    return try TFLiteModel(bytes: builder.bytes)
  }

  static var registry: OperatorRegistry {
    var registry = OperatorRegistry.standard
    registry.custom.append(
      CustomOperatorEntry(
        name: "Mish", versions: 1...1,
        read: { (source) throws(ModelError) in try Mish(source).erased }))
    return registry
  }

  /// 2 as a little-endian float.
  static let two: [UInt8] = [0, 0, 0, 0x40]

  @Test(
    "a registered operator runs, on every back end",
    arguments: Backend.allCases.filter(\.isAvailable))
  func runs(backend: Backend) throws {
    let compiled = try CompiledModel(
      Self.model(options: Self.two), options: EngineOptions(backend: backend),
      registry: Self.registry)
    let session = try compiled.makeSession()
    try session.setInput(0, Tensor([-1, 0, 1], shape: [3]))
    try session.run()
    let expected: [Float] = [-0.60680294, 0, 1.7301969]
    #expect(zip(session.output(0).floats, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("an unknown operator, another version and bad options are typed errors")
  func errors() throws {
    func code(_ model: TFLiteModel, _ registry: OperatorRegistry) -> ModelError.Code? {
      do throws(ModelError) {
        _ = try CompiledModel(model, registry: registry)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(try Self.model(options: Self.two), .standard) == .unsupportedOperator)
    #expect(
      code(try Self.model(version: 2, options: Self.two), Self.registry) == .unsupportedOperator)
    #expect(code(try Self.model(options: nil), Self.registry) == .option)
  }
}
