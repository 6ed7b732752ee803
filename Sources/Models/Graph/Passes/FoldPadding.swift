import FaceKitKernels
import FaceKitTensor

extension GraphPass {
  /// A spatial PAD before a convolution without padding of its own becomes the convolution's padding:
  /// taps outside the map are skipped instead of reading zeros.
  static let foldPadding = GraphPass(
    name: "fold-padding", summary: "spatial PAD → explicit padding of a convolution"
  ) { graph, target in
    var dead: Set<Int> = []
    let producers = graph.producers()
    var uses = graph.useCounts()
    for index in graph.nodes.indices {
      guard case .convolution(var conv) = graph.nodes[index].operator.pattern.kind,
        conv.padding == .valid, let input = graph.nodes[index].inputs[0],
        let padIndex = producers[input], case .pad = graph.nodes[padIndex].operator.pattern.kind,
        let padding = graph.spatialPadding(graph.nodes[padIndex])
      else { continue }
      conv.padding = .explicit(
        top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right)
      var folded = graph.nodes[index]
      folded.operator = conv.erased
      folded.inputs[0] = graph.nodes[padIndex].inputs[0]
      folded.sources = graph.nodes[padIndex].sources + folded.sources
      guard graph.hasFastFloatKernel(folded, target) else { continue }
      graph.nodes[index] = folded
      uses[input] -= 1
      if uses[input] == 0 { dead.insert(padIndex) }
    }
    graph.removeNodes(dead)
  }
}

extension Graph {
  /// The zeros a PAD adds to height and width; `nil` if it pads other axes, or not with constants.
  fileprivate func spatialPadding(
    _ node: Node
  ) -> (top: Int, bottom: Int, left: Int, right: Int)? {
    guard let amounts = paddingAmounts(node), amounts.count == 8,
      amounts[0] == 0, amounts[1] == 0, amounts[6] == 0, amounts[7] == 0
    else { return nil }
    return (amounts[2], amounts[3], amounts[4], amounts[5])
  }

  /// Before and after of each axis of a float PAD with constant amounts.
  func paddingAmounts(_ node: Node) -> [Int]? {
    guard node.inputs.count == 2, let input = node.inputs[0], isFloatMap(input),
      let amounts = try? operands(of: node).integers(1)
    else { return nil }
    return amounts
  }
}
