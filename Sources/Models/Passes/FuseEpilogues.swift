import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// A RELU, RELU6 or PRELU that is the only reader of a convolution or addition moves into its store.
  static let fuseActivations = GraphPass(
    name: "fuse-activations", summary: "RELU/PRELU → epilogue of its producer", isOptional: true
  ) { graph, _ in
    var dead: Set<Int> = []
    var producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard let activation = graph.freeStandingActivation(node), let input = node.inputs[0],
        uses[input] == 1, let producer = producers[input]
      else { continue }
      switch graph.nodes[producer].operator.pattern {
      case .fusedConvolution(var conv) where conv.epilogue == .none:
        conv.epilogue = activation.epilogue
        graph.nodes[producer].operator = conv.erased
        graph.nodes[producer].inputs[FusedConvolution.Input.slopes] = activation.slopes
      case .blockedAdd(var add) where add.epilogue == .none:
        add.epilogue = activation.epilogue
        graph.nodes[producer].operator = add.erased
        if let slopes = activation.slopes { graph.nodes[producer].inputs.append(slopes) }
      default: continue
      }
      graph.nodes[producer].outputs = node.outputs
      graph.nodes[producer].sources += node.sources
      producers[node.outputs[0]] = producer
      dead.insert(index)
    }
    graph.removeNodes(dead)
  }

  /// An addition of a map to a convolution's only reader happens in the convolution's store.
  static let fuseResiduals = GraphPass(
    name: "fuse-residuals", summary: "ADD → residual of a convolution", isOptional: true
  ) { graph, _ in
    var dead: Set<Int> = []
    let producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard case .blockedAdd(let add) = node.operator.pattern,
        let (conv, other) = graph.residualConvolution(node, producers, uses)
      else { continue }
      guard case .fusedConvolution(var fused) = graph.nodes[conv].operator.pattern else { continue }
      fused.epilogue = add.epilogue
      var merged = graph.nodes[conv]
      merged.operator = fused.erased
      merged.inputs[FusedConvolution.Input.residual] = other
      if node.inputs.count > 2 { merged.inputs[FusedConvolution.Input.slopes] = node.inputs[2] }
      merged.outputs = node.outputs
      merged.sources += node.sources
      // The residual may be computed after the convolution: the merged node takes the later place.
      graph.nodes[index] = merged
      dead.insert(conv)
    }
    graph.removeNodes(dead)
  }

  /// A channel PAD that only feeds a residual is left out: the kernel adds the channels there are.
  static let narrowResiduals = GraphPass(
    name: "narrow-residuals", summary: "channel PAD of a residual → fewer residual channels",
    isOptional: true
  ) { graph, _ in
    var dead: Set<Int> = []
    let producers = graph.producers()
    var uses = graph.useCounts()
    for index in graph.nodes.indices {
      guard case .fusedConvolution = graph.nodes[index].operator.pattern,
        let residual = graph.nodes[index].inputs[FusedConvolution.Input.residual],
        let pad = producers[residual], case .pad = graph.nodes[pad].operator.pattern,
        let amounts = graph.paddingAmounts(graph.nodes[pad]), amounts.count == 8,
        amounts[0..<7].allSatisfy({ $0 == 0 })
      else { continue }
      graph.nodes[index].inputs[FusedConvolution.Input.residual] = graph.nodes[pad].inputs[0]
      graph.nodes[index].sources = graph.nodes[pad].sources + graph.nodes[index].sources
      uses[residual] -= 1
      if uses[residual] == 0 { dead.insert(pad) }
    }
    graph.removeNodes(dead)
  }
}

extension Graph {
  fileprivate func freeStandingActivation(
    _ node: Node
  ) -> (epilogue: PostActivation, slopes: Int?)? {
    guard case .blockedActivation(let activation) = node.operator.pattern else { return nil }
    return (activation.epilogue, activation.epilogue == .prelu ? node.inputs[1] : nil)
  }

  /// The convolution an addition can move into, and the addition's other operand. Of two candidates
  /// the later one, so that the other operand is known when it runs.
  fileprivate func residualConvolution(
    _ node: Node, _ producers: [Int?], _ uses: [Int]
  ) -> (conv: Int, other: Int)? {
    var best: (conv: Int, other: Int)?
    for (own, other) in [(0, 1), (1, 0)] {
      // A constant is row-major; the store adds blocked maps.
      guard let value = node.inputs[own], let residual = node.inputs[other], value != residual,
        values[residual].constant == nil, uses[value] == 1, let producer = producers[value],
        case .fusedConvolution(let conv) = nodes[producer].operator.pattern, conv.isDense,
        conv.epilogue == .none,
        nodes[producer].inputs[FusedConvolution.Input.residual] == nil
      else { continue }
      if best == nil || producer > best!.conv { best = (producer, residual) }
    }
    return best
  }
}
