import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// Turns float convolutions with constant weights, pools and element-wise operators into those
  /// whose kernels work on blocked maps.
  static let blockedKernels = GraphPass(
    name: "blocked-kernels", summary: "choose SIMD kernels on blocked maps", isOptional: false
  ) { graph, _ in
    for index in graph.nodes.indices {
      if let blocked = graph.blockedOperator(for: graph.nodes[index]) {
        graph.nodes[index].operator = blocked
        if case .fusedConvolution = blocked.pattern {
          let missing = FusedConvolution.Input.count - graph.nodes[index].inputs.count
          graph.nodes[index].inputs += [Int?](repeating: nil, count: missing)
        }
      }
    }
  }
}

extension Graph {
  /// The blocked counterpart of a node's operator; `nil` if there is none for its operands.
  fileprivate func blockedOperator(for node: Node) -> AnyOperator? {
    guard let output = node.outputs.first, values[output].type == .float32,
      let first = node.inputs.first, let input = first, values[input].type == .float32
    else { return nil }
    switch node.operator.pattern {
    case .conv2D(let conv):
      guard hasConstantParameters(node), values[node.inputs[1]!].shape[3] == values[input].shape[3]
      else { return nil }
      return FusedConvolution(kind: .dense(conv), epilogue: PostActivation(conv.activation)).erased
    case .depthwiseConv2D(let conv):
      guard hasConstantParameters(node), values[node.inputs[1]!].shape[3] == values[input].shape[3],
        conv.strideHeight == conv.strideWidth, conv.dilationHeight == conv.dilationWidth
      else { return nil }
      return FusedConvolution(kind: .depthwise(conv), epilogue: PostActivation(conv.activation))
        .erased
    case .pool(let pool) where pool.kind == .maximum: return BlockedMaxPool(pool: pool).erased
    case .add(let activation):
      guard node.inputs.count == 2, let other = node.inputs[1], isFloatMap(input),
        values[other].shape == values[input].shape
      else { return nil }
      return BlockedElementwise(function: .add, epilogue: PostActivation(activation)).erased
    case .activation(let activation):
      return BlockedElementwise(function: .copy, epilogue: PostActivation(activation)).erased
    case .prelu:
      guard isFloatMap(input), let slopes = node.inputs[1],
        isFloatConstant(slopes, count: values[input].shape[3]),
        // One for each channel: with as many rows or columns, they could also be one for each of those.
        values[slopes].shape.last == values[input].shape[3]
      else { return nil }
      return BlockedElementwise(function: .copy, epilogue: .prelu).erased
    default: return nil
    }
  }

  private func hasConstantParameters(_ node: Node) -> Bool {
    guard node.inputs.count >= 2, let weights = node.inputs[1],
      values[weights].type == .float32, values[weights].constant != nil,
      values[weights].shape.rank == 4
    else { return false }
    guard node.inputs.count > 2, let bias = node.inputs[2] else { return true }
    return values[bias].type == .float32 && values[bias].constant != nil
  }
}
