import FaceKitKernels
import FaceKitTensor

/// EXPAND_DIMS: a new extent of 1 at an axis given as second input.
package struct ExpandDims: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "EXPAND_DIMS" }
  package var kernels: [KernelCandidate] { [reference(overwrites: [0])] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkMovable("the input")
    let axes = try inputs.integers(1)
    guard axes.count == 1, input.shape.rank < Dimensions.maximumRank else {
      throw ModelError(.shape, "\(axes.count) axes to expand a tensor of rank \(input.shape.rank)")
    }
    // The axis counts in the result.
    var shape = Shape([1] + input.shape.extents)
    let axis = try shape.axis(axes[0])
    shape.extents = input.shape.extents
    shape.extents.insert(1, at: axis)
    return [TensorType(input.type, shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}
