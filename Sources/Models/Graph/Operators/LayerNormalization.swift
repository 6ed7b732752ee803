import FaceKitKernels
import FaceKitTensor

/// Rows with mean 0 and variance 1, times a scale for each element: `(x − mean) / √(variance + ε) · γ`.
///
/// Made by a pass. Inputs: rows, γ.
struct LayerNormalization: Operator {
  let epsilon: Float

  var name: String { "LAYER_NORM" }
  var attributes: [Attribute] { [Attribute("epsilon", "\(epsilon)")] }
  var kernels: [KernelCandidate] {
    [
      KernelCandidate(
        "layer_normalization", backend: .simd, overwrites: [0],
        note: "mean, variance and scale in one pass over each row",
        make: { (context) throws(ModelError) in try lower(&context) }),
      reference(overwrites: [0]),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    [TensorType(.float32, try inputs[0].shape)]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, scale, output) = (context.input(0), context.input(1), context.output)
    let width = input.shape.last
    let count = input.shape.count / max(width, 1)
    let epsilon = epsilon
    return { (workspace) throws(ModelError) in
      layerNormalization(
        rows: count, width: width, input.floats(workspace), scale: scale.floats(workspace),
        epsilon: epsilon, output.floats(workspace))
    }
  }
}
