import FaceKitKernels
import FaceKitTensor

/// A model ready to run: graph optimised, weights packed, memory planned. Made once, shared by any
/// number of sessions on any threads.
public final class CompiledModel: Sendable {
  public let options: EngineOptions
  /// The graph as it runs, after the passes and with layout conversions in it.
  public let graph: Graph
  /// `nil` where shapes depend on data and memory is found while running.
  public let plan: MemoryPlan?
  /// The graph as the file has it, for resizing.
  let source: Graph
  /// The nodes of ``graph``, ready to run; empty where shapes depend on data.
  let nodes: [CompiledNode]
  /// Bytes of the arena, working memory included.
  public let arenaBytes: Int

  /// Compiles a model.
  ///
  /// - Throws: `ModelError` if an operator is unknown, shapes or types do not fit, or a limit of
  ///   `options.limits` is exceeded. Nothing is reserved before it was checked.
  public convenience init(
    _ model: TFLiteModel, options: EngineOptions = EngineOptions(),
    registry: OperatorRegistry = .standard
  ) throws(ModelError) {
    try self.init(graph: model.makeGraph(registry: registry), options: options)
  }

  /// Compiles a graph.
  public init(graph source: Graph, options: EngineOptions = EngineOptions()) throws(ModelError) {
    let options = options.resolved
    guard options.backend.isAvailable else {
      throw ModelError(
        .notFound, "there is no BLAS for the back end 'blas'",
        advice: "install OpenBLAS (libopenblas0), build with the trait OpenBLAS, or choose 'simd'")
    }
    self.options = options
    self.source = source
    var graph = source
    let isStatic = try graph.optimise(options) { _, _, _ in }
    guard isStatic else {
      self.graph = graph
      plan = nil
      nodes = []
      arenaBytes = 0
      return
    }
    let plan = try MemoryPlan(graph, limits: options.limits)
    var nodes: [CompiledNode] = []
    var scratchBytes = 0
    for index in graph.nodes.indices {
      var context = graph.context(of: index, plan: plan, options: options)
      do throws(ModelError) {
        let kernel = try graph.nodes[index].operator.lower(&context)
        nodes.append(CompiledNode(kernel: kernel, rowWork: context.rowWork))
      } catch {
        throw error.at(graph.place(of: index))
      }
      scratchBytes = max(scratchBytes, context.scratchBytes)
    }
    let (total, overflow) = plan.bytes.addingReportingOverflow(scratchBytes)
    if overflow || total > options.limits.arenaBytes {
      throw ModelError(
        .resourceLimit,
        "activations and working memory need more than the \(options.limits.arenaBytes) bytes allowed"
      )
    }
    arenaBytes = total
    // Weights now live in the kernels; what only lowering needed can go.
    graph.forgetConstants(keeping: graph.outputs)
    self.graph = graph
    self.plan = plan
    self.nodes = nodes
  }

  /// A session: the memory of one thread's inferences. Cheap, because weights are shared.
  public func makeSession() throws(ModelError) -> Session {
    try Session(self)
  }
}

/// A node ready to run.
struct CompiledNode: Sendable {
  let kernel: NodeKernel
  /// The kernel for several threads; `nil` where one does the node alone.
  let rowWork: RowWork?
}

extension Backend {
  var usesBlockedLayout: Bool { self == .simd || self == .automatic }
}

extension Graph {
  /// Infers every shape, and computes what does not depend on the inputs.
  ///
  /// - Returns: whether all shapes are known without running.
  mutating func foldConstants(limits: ModelLimits) throws(ModelError) -> Bool {
    for value in Set(inputs) where values[value].constant == nil {
      guard limits.bytes(of: values[value].type, values[value].shape) != nil else {
        throw ModelError(.resourceLimit, "input '\(values[value].name)' is too large")
      }
    }
    var budget = foldingBudget(limits)
    var kept: [Node] = []
    for index in nodes.indices {
      do throws(ModelError) {
        try infer(index, limits: limits)
      } catch {
        if error.isDataDependent { return false }
        throw error
      }
      let node = nodes[index]
      let isKnown = node.inputs.allSatisfy { $0 == nil || values[$0!].constant != nil }
      if isKnown {
        try spend(&budget, outputsOf: index)
        let results = try evaluate(index, limits: limits)
        for (output, result) in zip(node.outputs, results) { values[output].constant = result }
      } else {
        kept.append(node)
      }
    }
    nodes = kept
    return true
  }

  func context(of index: Int, plan: MemoryPlan, options: EngineOptions) -> LoweringContext {
    func binding(_ value: Int) -> TensorBinding {
      let operand = self.operand(value)
      if let constant = operand.constant {
        return TensorBinding(operand: operand, layout: .rowMajor, place: .constant(constant))
      }
      return TensorBinding(
        operand: operand, layout: values[value].layout,
        place: .arena(offset: plan.offset(of: value)!))
    }
    return LoweringContext(
      inputs: nodes[index].inputs.map { $0.map(binding) },
      outputs: nodes[index].outputs.map(binding),
      backend: options.backend, isa: options.isa, threads: options.threads,
      scratchBase: plan.bytes)
  }

  mutating func forgetConstants(keeping outputs: [Int]) {
    for index in values.indices where !outputs.contains(index) { values[index].constant = nil }
  }

  /// Constants that no node reads any more (folded weights, paddings) need not stay in memory.
  mutating func removeUnusedValues() {
    var used = [Bool](repeating: false, count: values.count)
    for value in inputs + outputs { used[value] = true }
    for node in nodes {
      for value in node.inputs { if let value { used[value] = true } }
    }
    for index in values.indices where !used[index] { values[index].constant = nil }
  }
}
