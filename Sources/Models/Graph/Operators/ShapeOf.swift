import FaceKitKernels
import FaceKitTensor

// Operators that make tensors from shapes and scalars.

/// SHAPE: the extents of the input as a vector.
package struct ShapeOf: Operator, ReadableOperator {
  package var type: ElementType

  package init(type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    switch try source.options().enumeration(0) {
    case 2: type = .int32
    case 4: type = .int64
    default:
      // An absent option reads as FLOAT32, which is no type for extents: trust the tensor.
      type = source.outputTypes.first == .int64 ? .int64 : .int32
    }
  }

  package var name: String { "SHAPE" }
  package var attributes: [Attribute] { [Attribute("out_type", type.name)] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    return [TensorType(type, [try inputs[0].shape.rank])]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel(context.input(0).shape.extents)
  }
}
