import FaceKitKernels
import FaceKitTensor

/// BITCAST: the same bytes read as another type.
package struct Bitcast: Operator, ReadableOperator {
  package var type: ElementType

  package init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  package var name: String { "BITCAST" }
  package var attributes: [Attribute] { [Attribute("type", type.name)] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let (from, to) = (input.type.byteWidth, type.byteWidth)
    guard to > 0 else { throw ModelError(.type, "a bitcast to \(type.name)") }
    // A narrower type adds an innermost extent, a wider one consumes it.
    var extents = input.shape.extents
    if to < from {
      extents.append(from / to)
    } else if to > from {
      guard extents.last == to / from else {
        throw ModelError(.shape, "a bitcast of \(input.shape) to the wider type \(type.name)")
      }
      extents.removeLast()
    }
    return [TensorType(type, Shape(extents))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}
