import FaceKitKernels
import FaceKitTensor

/// TRANSPOSE: `y.shape[i] = x.shape[perm[i]]`, the permutation a second input.
package struct Transpose: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "TRANSPOSE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let permutation = try permutation(inputs)
    return [TensorType(input.type, Shape(permutation.map { input.shape[$0] }))]
  }

  private func permutation(_ inputs: Operands) throws(ModelError) -> [Int] {
    let (shape, axes) = (try inputs[0].shape, try inputs.integers(1))
    var permutation: [Int] = []
    for axis in axes { permutation.append(try shape.axis(axis)) }
    guard permutation.count == shape.rank, Set(permutation).count == shape.rank else {
      throw ModelError(.option, "\(axes.count) axes permute a tensor of rank \(shape.rank)")
    }
    return permutation
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0).shape, context.output)
    let strides = input.strides
    let permutation = try permutation(context.operands)
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: permutation.map { strides[$0] },
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}
