// The code of docs/custom-operators.md. `CustomOperatorTests` compares the two; change both together. // not in the guide
import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// `x · tanh(ln(1 + eˣ))`, scaled by a number from the operator's options.
struct Mish: Operator {
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

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, scale) = (context.input(0), context.output, scale)
    let count = output.count
    return { (workspace) throws(ModelError) in
      let (x, y) = (input.floats(workspace), output.floats(workspace))
      for i in 0..<count {
        y[i] = scale * x[i] * Elementary.tanh(Elementary.log1p(Elementary.exp(x[i])))
      }
    }
  }
}

func guideRegistration(_ bytes: [UInt8])  // not in the guide
  throws -> (registry: OperatorRegistry, model: CompiledModel)  // not in the guide
{  // not in the guide
  var registry = OperatorRegistry.standard
  registry.custom.append(
    CustomOperatorEntry(
      name: "Mish", versions: 1...1,
      read: { (source) throws(ModelError) in try Mish(source).erased }))
  let model = try CompiledModel(TFLiteModel(bytes: bytes), registry: registry)
  return (registry, model)  // not in the guide
}  // not in the guide
