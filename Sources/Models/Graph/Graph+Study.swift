import FaceKitTensor

// What tools that look inside a model ask of its graph: `facekit inspect`, `profile` and `bench` are
// written against this and nothing else.

extension Graph {
  /// What one run of a node computes and moves.
  public struct Cost: Sendable, Hashable {
    public var multiplyAccumulates = 0
    /// Bytes of the constants it reads.
    public var weightBytes = 0
    /// Bytes of the other values it reads.
    public var inputBytes = 0
    public var outputBytes = 0

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

  /// One step of compilation: a pass, and the graph it left.
  public struct CompilationStage: Sendable {
    public let name: String
    public let summary: String
    public let graph: Graph
  }

  /// The graph after each step of its compilation, with its constants: what each pass did is the
  /// difference to the stage before.
  ///
  /// The first stage is the folding of constants, the last the choice of layouts; only these are
  /// there if shapes depend on data or the back end takes no passes.
  public func compilationStages(
    options: EngineOptions = EngineOptions()
  ) throws(ModelError) -> [CompilationStage] {
    var graph = self
    var stages: [CompilationStage] = []
    _ = try graph.optimise(options.resolved) { name, summary, graph in
      stages.append(CompilationStage(name: name, summary: summary, graph: graph))
    }
    return stages
  }

  /// Folds, rewrites and lays out; shows the graph after each step.
  ///
  /// - Returns: whether all shapes are known without running; if not, nothing was rewritten.
  mutating func optimise(
    _ options: EngineOptions, _ show: (_ name: String, _ summary: String, Graph) -> Void
  ) throws(ModelError) -> Bool {
    let isStatic = try foldConstants(limits: options.limits)
    show("fold-constants", "what does not depend on the inputs is computed once", self)
    guard isStatic else { return false }
    for pass in GraphPass.all where pass.applies(to: options) {
      pass.run(&self, options)
      show(pass.name, pass.summary, self)
    }
    if options.backend.usesBlockedLayout {
      assignLayouts()
      show("assign-layouts", "a layout for each map, conversions where two meet", self)
    }
    removeUnusedValues()
    return true
  }
}
