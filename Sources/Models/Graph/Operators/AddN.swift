import FaceKitKernels
import FaceKitTensor

/// ADD_N: the sum of any number of inputs of one shape.
package struct AddN: Operator, ReadableOperator {
  package init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  package var name: String { "ADD_N" }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    let first = try inputs[0]
    try first.check("the first input", type: .float32, .int32, .int64)
    for index in 0..<inputs.count {
      let other = try inputs[index]
      guard other.type == first.type, other.shape == first.shape else {
        throw ModelError(.shape, "input \(index) is not like the first")
      }
    }
    return [TensorType(first.type, first.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    var tensors: [TensorBinding] = []
    for index in context.inputs.indices { tensors.append(context.input(index)) }
    let (inputs, output, type) = (tensors, context.output, context.output.type)
    let bytes = output.byteCount
    let loop = StridedLoop(
      broadcasting: [output.shape, output.shape, output.shape], to: output.shape)
    return { (workspace) throws(ModelError) in
      let sum = output.pointer(workspace)
      Reference.copy(from: inputs[0].pointer(workspace), to: sum, bytes: bytes)
      for input in inputs.dropFirst() {
        if type == .float32 {
          Reference.binary(
            .add, output.floats(workspace), input.floats(workspace),
            output: output.floats(workspace), loop: loop,
            activation: Activation.none.bounds)
        } else {
          guard
            Reference.binary(
              .add, integers: type, sum, input.pointer(workspace), output: sum, loop: loop,
              activation: Int.min...Int.max)
          else { throw .noKernel(for: type) }
        }
      }
    }
  }
}
