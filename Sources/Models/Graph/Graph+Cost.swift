import FaceKitTensor

// What tools that look inside a model ask of its graph.

extension Graph {
  /// What one run of a node computes and moves.
  public struct Cost: Sendable, Hashable {
    /// Products that are added up.
    public var multiplyAccumulates = 0
    /// Bytes of the constants it reads.
    public var weightBytes = 0
    /// Bytes of the other values it reads.
    public var inputBytes = 0
    /// Bytes of the values it writes.
    public var outputBytes = 0

    /// No work at all.
    public init() {}

    /// Two for each multiply–accumulate.
    public var operations: Int { 2 * multiplyAccumulates }
    /// Every operand once: what must cross the memory bus if nothing is cached.
    public var bytes: Int { weightBytes + inputBytes + outputBytes }
    /// Operations for each byte moved; 0 for a node that moves none.
    public var arithmeticIntensity: Double {
      bytes == 0 ? 0 : Double(operations) / Double(bytes)
    }
  }

  /// The cost of each node, at the shapes the values have now.
  ///
  /// Values that no node computes and that are not inputs count as weights, so this works too on the
  /// graph of a ``CompiledModel``, whose constants have moved into the kernels.
  public var costs: [Cost] {
    var isActivation = [Bool](repeating: false, count: values.count)
    for input in inputs { isActivation[input] = values[input].constant == nil }
    for node in nodes { for output in node.outputs { isActivation[output] = true } }
    func bytes(_ value: Int) -> Int {
      values[value].shape.checkedCount.flatMap { values[value].type.bytes(for: $0) } ?? 0
    }
    return nodes.map { node in
      var cost = Cost()
      cost.multiplyAccumulates = node.operator.multiplyAccumulates(
        operands(of: node), node.outputs.map { TensorType(values[$0].type, values[$0].shape) })
      for case .some(let input) in node.inputs {
        if isActivation[input] {
          cost.inputBytes += bytes(input)
        } else {
          cost.weightBytes += bytes(input)
        }
      }
      for output in node.outputs { cost.outputBytes += bytes(output) }
      return cost
    }
  }

  /// Multiply–accumulates of one run at the shapes the values have now.
  public var multiplyAccumulates: Int { costs.reduce(0) { $0 + $1.multiplyAccumulates } }

  /// Some nodes as a graph of their own. What they read from other nodes become its inputs, what
  /// other nodes or the caller read of theirs its outputs; values keep their indices.
  public func extracting(_ members: Set<Int>) -> Graph {
    var produced = Set<Int>()
    var readElsewhere = Set(outputs)
    for (index, node) in nodes.enumerated() {
      if members.contains(index) {
        produced.formUnion(node.outputs)
      } else {
        for case .some(let input) in node.inputs { readElsewhere.insert(input) }
      }
    }
    var part = Graph(values: values, nodes: [], inputs: [], outputs: [])
    for (index, node) in nodes.enumerated() where members.contains(index) {
      part.nodes.append(node)
      for case .some(let input) in node.inputs
      where !produced.contains(input) && values[input].constant == nil
        && !part.inputs.contains(input)
      {
        part.inputs.append(input)
      }
      part.outputs += node.outputs.filter { readElsewhere.contains($0) }
    }
    return part
  }
}
