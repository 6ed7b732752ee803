import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// An activation after a convolution or an addition happens where the sums are stored.
  static let fuseActivations = GraphPass(
    name: "fuse-activations", summary: "RELU/PRELU → activation of its producer"
  ) { graph, target in
    var dead: Set<Int> = []
    var producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard let (activation, slopes) = graph.freeStandingActivation(node),
        let input = node.inputs[0], uses[input] == 1, let producer = producers[input]
      else { continue }
      var fused = graph.nodes[producer]
      switch fused.operator.pattern.kind {
      case .convolution(var conv) where conv.activation == .none:
        conv.activation = activation
        fused.operator = conv.erased
        if let slopes { fused.setInput(Conv2D.Input.slopes, slopes) }
      case .add(.none):
        fused.operator = Binary(fused.operator.name, .add, activation: activation).erased
        if let slopes { fused.setInput(2, slopes) }
      default: continue
      }
      fused.outputs = node.outputs
      fused.sources += node.sources
      guard graph.hasFastFloatKernel(fused, target) else { continue }
      graph.nodes[producer] = fused
      producers[node.outputs[0]] = producer
      dead.insert(index)
    }
    graph.removeNodes(dead)
  }

  /// An addition of a map to a convolution's only reader happens in the convolution's store.
  static let fuseResiduals = GraphPass(
    name: "fuse-residuals", summary: "ADD → residual of a convolution"
  ) { graph, target in
    var dead: Set<Int> = []
    let producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard case .add(let activation) = node.operator.pattern.kind,
        let (producer, other) = graph.residualConvolution(node, producers, uses),
        case .convolution(var conv) = graph.nodes[producer].operator.pattern.kind
      else { continue }
      conv.activation = activation
      conv.addsResidual = true
      var merged = graph.nodes[producer]
      merged.operator = conv.erased
      merged.setInput(Conv2D.Input.residual, other)
      if activation == .prelu { merged.setInput(Conv2D.Input.slopes, node.inputs[2]) }
      merged.outputs = node.outputs
      merged.sources += node.sources
      guard graph.hasFastFloatKernel(merged, target) else { continue }
      // The residual may be computed after the convolution: the merged node takes the later place.
      graph.nodes[index] = merged
      dead.insert(producer)
    }
    graph.removeNodes(dead)
  }

  /// A channel PAD that only feeds a residual is left out: the kernel adds the channels there are.
  static let narrowResiduals = GraphPass(
    name: "narrow-residuals", summary: "channel PAD of a residual → fewer residual channels"
  ) { graph, target in
    var dead: Set<Int> = []
    let producers = graph.producers()
    var uses = graph.useCounts()
    for index in graph.nodes.indices {
      guard case .convolution(let conv) = graph.nodes[index].operator.pattern.kind,
        conv.addsResidual,
        let residual = graph.nodes[index].inputs[Conv2D.Input.residual],
        let pad = producers[residual], case .pad = graph.nodes[pad].operator.pattern.kind,
        let amounts = graph.paddingAmounts(graph.nodes[pad]), amounts.count == 8,
        amounts[0..<7].allSatisfy({ $0 == 0 })
      else { continue }
      graph.nodes[index].inputs[Conv2D.Input.residual] = graph.nodes[pad].inputs[0]
      graph.nodes[index].sources = graph.nodes[pad].sources + graph.nodes[index].sources
      uses[residual] -= 1
      if uses[residual] == 0 { dead.insert(pad) }
    }
    graph.removeNodes(dead)
  }
}

extension Graph {
  /// A float activation as a node of its own, and its slopes if it is PReLU.
  fileprivate func freeStandingActivation(
    _ node: Node
  ) -> (activation: Activation, slopes: Int?)? {
    guard let input = node.inputs.first, let input, values[input].type == .float32 else {
      return nil
    }
    switch node.operator.pattern.kind {
    case .activation(let activation): return (activation, nil)
    case .prelu: return (.prelu, node.inputs[1])
    default: return nil
    }
  }

  /// The convolution an addition can move into, and the addition's other operand. Of two candidates
  /// the later one, so that the other operand is known when it runs.
  fileprivate func residualConvolution(
    _ node: Node, _ producers: [Int?], _ uses: [Int]
  ) -> (conv: Int, other: Int)? {
    var best: (conv: Int, other: Int)?
    for (own, other) in [(0, 1), (1, 0)] {
      guard let value = node.inputs[own], let residual = node.inputs[other], value != residual,
        // A constant is row-major; the store adds blocked maps.
        values[residual].constant == nil, uses[value] == 1, let producer = producers[value],
        values[value].shape == values[residual].shape,
        case .convolution(let conv) = nodes[producer].operator.pattern.kind, conv.kind == .dense,
        conv.activation == .none, !conv.addsResidual
      else { continue }
      if best == nil || producer > best!.conv { best = (producer, residual) }
    }
    return best
  }
}
