import FaceKitKernels
import FaceKitTensor

extension Graph {
  /// What is known of a value now.
  func operand(_ value: Int) -> Operand {
    let value = values[value]
    return Operand(
      type: value.type, shape: value.shape, quantization: value.quantization,
      constant: value.constant)
  }

  func operands(of node: Node) -> Operands {
    Operands(node.inputs.map { $0.map(operand) })
  }

  /// Where an error of a node happened.
  func place(of index: Int) -> ModelError.Location {
    .op(index: nodes[index].sources.first ?? index, name: nodes[index].operator.name)
  }

  /// The kernel of a node at the shapes its operands have now.
  func chooseKernel(for node: Node, _ target: KernelTarget) throws(ModelError) -> KernelChoice {
    try node.operator.chooseKernel(
      for: KernelRequest(
        inputs: operands(of: node),
        outputs: node.outputs.map { TensorType(values[$0].type, values[$0].shape) },
        target: target))
  }
}
