import FaceKitTensor

/// A rewriting of the graph that leaves its results as they are, up to rounding.
///
/// A pass joins nodes only where a kernel faster than the reference takes the joined one.
public struct GraphPass: Sendable {
  /// What `EngineOptions.disabledPasses` and `facekit inspect --optimised` call it.
  public let name: String
  /// What it does, in a line.
  public let summary: String
  let run: @Sendable (inout Graph, KernelTarget) -> Void

  /// All passes, in the order they run. Each can be left out: those after it do without.
  public static let all: [GraphPass] = [
    .fuseLayerNorm, .foldPadding, .fuseActivations, .fuseResiduals, .narrowResiduals, .streamRows,
  ]
}

extension Graph {
  /// For each value, the node that computes it.
  func producers() -> [Int?] {
    var producers = [Int?](repeating: nil, count: values.count)
    for (index, node) in nodes.enumerated() {
      for output in node.outputs { producers[output] = index }
    }
    return producers
  }

  /// For each value, how often it is read, by nodes or as a graph output.
  func useCounts() -> [Int] {
    var counts = [Int](repeating: 0, count: values.count)
    for node in nodes {
      for input in node.inputs { if let input { counts[input] += 1 } }
    }
    for output in outputs { counts[output] += 1 }
    return counts
  }

  /// Removes the nodes whose index is in `dead`, keeping the order of the others.
  mutating func removeNodes(_ dead: Set<Int>) {
    if dead.isEmpty { return }
    var kept: [Node] = []
    for (index, node) in nodes.enumerated() where !dead.contains(index) { kept.append(node) }
    nodes = kept
  }

  /// Whether a node on floats, as it is or as a pass would have it, gets a kernel that is not the
  /// reference.
  func hasFastFloatKernel(_ node: Node, _ target: KernelTarget) -> Bool {
    guard let input = node.inputs.first, let input, values[input].type == .float32,
      (try? node.operator.infer(operands(of: node))) != nil,
      let choice = try? chooseKernel(for: node, target)
    else { return false }
    return choice.kernel.backend != .reference
  }

  /// Whether a value is a float constant of `count` elements.
  func isFloatConstant(_ value: Int?, count: Int) -> Bool {
    guard let value else { return false }
    return values[value].type == .float32 && values[value].constant != nil
      && values[value].shape.count == count
  }

  func isFloatMap(_ value: Int) -> Bool {
    values[value].type == .float32 && values[value].shape.rank == 4
  }
}
