import FaceKitKernels
import FaceKitTensor

/// DENSIFY: the reader has unpacked sparse constants already, so this is a copy.
package struct Densify: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "DENSIFY" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkMovable("the input")
    guard input.constant != nil else {
      throw ModelError(.sparsity, "the input of DENSIFY is not constant")
    }
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}
