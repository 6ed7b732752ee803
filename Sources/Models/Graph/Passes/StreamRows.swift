import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// Joins (1×1 →) depthwise → 1×1 into one node that streams rows, wherever the maps between have no
  /// other reader. The rule looks at the pattern and the map's size, never at a model's name.
  static let streamRows = GraphPass(
    name: "stream-rows", summary: "1×1 → depthwise → 1×1 → one row-streamed node"
  ) { graph, target in
    var dead: Set<Int> = []
    let producers = graph.producers()
    let uses = graph.useCounts()
    for index in graph.nodes.indices {
      guard let project = graph.pointwise(graph.nodes[index], target) else { continue }
      func soleProducer(_ node: Int) -> Int? {
        guard let input = graph.nodes[node].inputs[0], uses[input] == 1 else { return nil }
        return producers[input]
      }
      guard let depthwiseIndex = soleProducer(index), !dead.contains(depthwiseIndex),
        case .convolution(let depthwise) = graph.nodes[depthwiseIndex].operator.pattern.kind,
        depthwise.kind == .depthwise, graph.hasFastFloatKernel(graph.nodes[depthwiseIndex], target)
      else { continue }
      var stages = [depthwise, project]
      var members = [depthwiseIndex, index]
      if let expandIndex = soleProducer(depthwiseIndex), !dead.contains(expandIndex),
        let expand = graph.pointwise(graph.nodes[expandIndex], target), !expand.addsResidual
      {
        stages.insert(expand, at: 0)
        members.insert(expandIndex, at: 0)
      }
      graph.nodes[index] = graph.rowStream(
        stages: stages, members: members, mayOverwrite: target.threads == 1)
      dead.formUnion(members.dropLast())
    }
    graph.removeNodes(dead)
  }
}

extension Graph {
  /// The 1×1, stride 1 convolution a node is, if it is one on a map.
  fileprivate func pointwise(_ node: Node, _ target: KernelTarget) -> Conv2D? {
    guard case .convolution(let conv) = node.operator.pattern.kind, conv.kind == .dense,
      conv.strideHeight == 1, conv.strideWidth == 1,
      let weights = node.inputs[Conv2D.Input.weights], let input = node.inputs[0],
      values[weights].shape[1] == 1, values[weights].shape[2] == 1,
      // A row-major input would have to be packed first.
      !inputs.contains(input),
      values[node.outputs[0]].shape.extents.dropLast() == values[input].shape.extents.dropLast(),
      hasFastFloatKernel(node, target)
    else { return nil }
    return conv
  }

  fileprivate func rowStream(
    stages: [Conv2D], members: [Int], mayOverwrite: Bool
  ) -> Node {
    let first = nodes[members[0]]
    let last = nodes[members.last!]
    let input = first.inputs[Conv2D.Input.activation]!
    let residual = last.input(Conv2D.Input.residual)
    var inputs: [Int?] = [input, residual]
    for member in members {
      inputs += [Conv2D.Input.weights, Conv2D.Input.bias, Conv2D.Input.slopes].map {
        nodes[member].input($0)
      }
    }
    // In place when the ring decouples reading from writing, and the only other reader of the input
    // is the residual, which is read where it is overwritten. Threads would overwrite each other's
    // rows.
    let overwrites =
      mayOverwrite && stages.count == 3 && values[input].shape == values[last.outputs[0]].shape
      && (residual == nil || residual == input)
    return Node(
      RowStreamBlock(stages: stages, overwritesInput: overwrites).erased, inputs: inputs,
      outputs: last.outputs, sources: members.flatMap { nodes[$0].sources }.sorted())
  }
}
