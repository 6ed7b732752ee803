import FaceKitKernels
import FaceKitTensor

// Operators that make tensors from shapes and scalars.

/// SHAPE: the extents of the input as a vector.
public struct ShapeOf: Operator, ReadableOperator {
  public var type: ElementType

  public init(type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    switch try source.options().enumeration(0) {
    case 2: type = .int32
    case 4: type = .int64
    default:
      // An absent option reads as FLOAT32, which is no type for extents: trust the tensor.
      type = source.outputTypes.first == .int64 ? .int64 : .int32
    }
  }

  public var name: String { "SHAPE" }
  public var attributes: [Attribute] { [Attribute("out_type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    return [TensorType(type, [try inputs[0].shape.rank])]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel(context.input(0).shape.extents)
  }
}
