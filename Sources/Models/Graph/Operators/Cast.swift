import FaceKitKernels
import FaceKitTensor

/// CAST: numbers of one type as another.
package struct Cast: Operator, ReadableOperator {
  package var type: ElementType

  package init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    // The options repeat the types and may be absent: the tensors are what counts.
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  package var name: String { "CAST" }
  package var attributes: [Attribute] { [Attribute("type", type.name)] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    for type in [input.type, type] {
      switch type {
      case .float32, .float64, .float16, .int8, .uint8, .bool, .int16, .uint16, .int32, .uint32,
        .int64:
        break
      default: throw ModelError(.type, "CAST from \(input.type.name) to \(self.type.name)")
      }
    }
    try input.check("the input")
    return [TensorType(type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    return { (workspace) throws(ModelError) in
      guard
        Reference.cast(
          from: input.type, input.pointer(workspace), to: output.type, output.pointer(workspace),
          count: count)
      else { throw .noKernel(for: input.type) }
    }
  }
}
