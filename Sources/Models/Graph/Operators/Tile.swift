import FaceKitKernels
import FaceKitTensor

/// TILE: the tensor repeated along each axis as often as the second input says.
package struct Tile: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "TILE" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let multiples = try inputs.integers(1)
    guard multiples.count == input.shape.rank else {
      throw ModelError(.shape, "\(multiples.count) multiples for rank \(input.shape.rank)")
    }
    var extents: [Int] = []
    for (axis, multiple) in multiples.enumerated() {
      guard multiple >= 0 else { throw ModelError(.option, "the multiple \(multiple)") }
      extents.append(try input.shape[axis].times(multiple))
    }
    return [TensorType(input.type, Shape(extents))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let (extents, strides) = (Dimensions(input.shape.extents), Dimensions(input.shape.strides))
    let (outputExtents, width) = (Dimensions(output.shape.extents), output.type.byteWidth)
    return { (workspace) throws(ModelError) in
      Reference.tile(
        input.pointer(workspace), extents: extents, strides: strides,
        output: output.pointer(workspace), outputExtents: outputExtents, width: width)
    }
  }
}
