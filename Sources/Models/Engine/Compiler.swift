import FaceKitKernels
import FaceKitTensor

/// From a graph to one that runs, told from top to bottom.
///
/// Each step is a method below, in the order in which they run. Nothing is reserved before it was
/// checked against `options.limits`.
struct Compiler {
  let options: EngineOptions
  /// The graph, as the steps so far have left it.
  private(set) var graph: Graph
  /// A kernel for each node of ``graph``, once they were chosen.
  private(set) var kernels: [KernelChoice] = []

  /// What the options mean for kernels and passes.
  private var target: KernelTarget {
    KernelTarget(backend: options.backend, isa: options.isa, threads: options.threads)
  }

  init(_ graph: Graph, _ options: EngineOptions) {
    self.graph = graph
    self.options = options
  }

  /// Rewrites the graph and chooses its kernels and layouts.
  ///
  /// - Parameter show: is shown the graph after each step.
  /// - Returns: whether all shapes are known without running; if not, nothing was rewritten.
  /// - Throws: `ModelError` if shapes or types do not fit, or a limit is exceeded.
  mutating func prepare(
    _ show: (_ name: String, _ summary: String, Graph) -> Void = { _, _, _ in }
  ) throws(ModelError) -> Bool {
    let isStatic = try foldConstants()
    show("fold-constants", "what does not depend on the inputs is computed once", graph)
    guard isStatic else { return false }
    if options.backend.rewritesGraphs {
      for pass in GraphPass.all where !options.leavesOut(pass) {
        pass.run(&graph, target)
        show(pass.name, pass.summary, graph)
      }
    }
    try chooseKernels()
    assignLayouts()
    show("assign-layouts", "a layout for each map, conversions where two meet", graph)
    removeUnusedValues()
    return true
  }

  /// Places the values of a prepared graph in an arena, and makes the kernels.
  ///
  /// - Returns: the plan, the nodes ready to run, and the arena's size in bytes, working memory included.
  mutating func finish() throws(ModelError) -> (
    plan: MemoryPlan, nodes: [CompiledNode], arenaBytes: Int
  ) {
    let plan = try MemoryPlan(
      graph, overwrites: kernels.map { $0.kernel.overwrites }, limits: options.limits)
    let (nodes, scratchBytes) = try lower(plan)
    let (total, overflow) = plan.bytes.addingReportingOverflow(scratchBytes)
    if overflow || total > options.limits.arenaBytes {
      throw ModelError(
        .resourceLimit,
        "activations and working memory need more than the \(options.limits.arenaBytes) bytes allowed"
      )
    }
    // Weights now live in the kernels; what only lowering needed can go.
    graph.forgetConstants(keeping: graph.outputs)
    return (plan, nodes, total)
  }

  // MARK: 1. Shapes and constants

  /// Infers every shape, and computes what does not depend on the inputs.
  ///
  /// - Returns: whether all shapes are known without running.
  private mutating func foldConstants() throws(ModelError) -> Bool {
    let limits = options.limits
    for value in Set(graph.inputs) where graph.values[value].constant == nil {
      guard limits.bytes(of: graph.values[value].type, graph.values[value].shape) != nil else {
        throw ModelError(.resourceLimit, "input '\(graph.values[value].name)' is too large")
      }
    }
    var budget = graph.foldingBudget(limits)
    var kept: [Graph.Node] = []
    for index in graph.nodes.indices {
      do throws(ModelError) {
        try graph.infer(index, limits: limits)
      } catch {
        if error.isDataDependent { return false }
        throw error
      }
      let node = graph.nodes[index]
      if node.inputs.allSatisfy({ $0 == nil || graph.values[$0!].constant != nil }) {
        try graph.spend(&budget, outputsOf: index)
        let results = try graph.evaluate(index, limits: limits)
        for (output, result) in zip(node.outputs, results) {
          graph.values[output].constant = result
        }
      } else {
        kept.append(node)
      }
    }
    graph.nodes = kept
    return true
  }

  // MARK: 2. Kernels

  private mutating func chooseKernels() throws(ModelError) {
    for index in graph.nodes.indices {
      do throws(ModelError) {
        kernels.append(try graph.chooseKernel(for: graph.nodes[index], target))
      } catch {
        throw error.at(graph.place(of: index))
      }
    }
  }

  // MARK: 3. Layouts

  /// Chooses a layout for each value and inserts conversions where producer and consumer differ.
  ///
  /// Only float maps of rank 4 are ever blocked; graph inputs, outputs and constants are row-major.
  private mutating func assignLayouts() {
    var layouts = LayoutAssignment(graph)
    for (node, choice) in zip(graph.nodes, kernels) { layouts.append(node, choice) }
    (graph, kernels) = (layouts.graph, layouts.kernels)
  }

  /// Constants that no node reads any more (folded weights, paddings) need not stay in memory.
  private mutating func removeUnusedValues() {
    var used = [Bool](repeating: false, count: graph.values.count)
    for value in graph.inputs + graph.outputs { used[value] = true }
    for node in graph.nodes {
      for value in node.inputs { if let value { used[value] = true } }
    }
    for index in graph.values.indices where !used[index] { graph.values[index].constant = nil }
  }

  // MARK: 4. Memory and code

  /// Makes each node's kernel, its operands bound to the plan.
  private func lower(
    _ plan: MemoryPlan
  ) throws(ModelError) -> (nodes: [CompiledNode], scratchBytes: Int) {
    var nodes: [CompiledNode] = []
    var scratchBytes = 0
    for index in graph.nodes.indices {
      var context = loweringContext(of: index, plan)
      do throws(ModelError) {
        let kernel = try kernels[index].kernel.make(&context)
        nodes.append(
          CompiledNode(choice: kernels[index], kernel: kernel, rowWork: context.rowWork))
      } catch {
        throw error.at(graph.place(of: index))
      }
      scratchBytes = max(scratchBytes, context.scratchBytes)
    }
    return (nodes, scratchBytes)
  }

  private func loweringContext(of index: Int, _ plan: MemoryPlan) -> LoweringContext {
    func binding(_ value: Int) -> TensorBinding {
      let operand = graph.operand(value)
      if let constant = operand.constant {
        return TensorBinding(operand: operand, layout: .rowMajor, place: .constant(constant))
      }
      return TensorBinding(
        operand: operand, layout: graph.values[value].layout,
        place: .arena(offset: plan.offset(of: value)!))
    }
    return LoweringContext(
      inputs: graph.nodes[index].inputs.map { $0.map(binding) },
      outputs: graph.nodes[index].outputs.map(binding), isa: options.isa,
      threads: options.threads, scratchBase: plan.bytes)
  }
}

extension EngineOptions {
  fileprivate func leavesOut(_ pass: GraphPass) -> Bool {
    disabledPasses.contains(pass.name) || disabledPasses.contains("all")
  }
}

// MARK: - What tools ask

extension Graph {
  /// One step of compilation: a pass, and the graph it left.
  public struct CompilationStage: Sendable {
    /// What `EngineOptions.disabledPasses` calls the pass; `fold-constants` and `assign-layouts` always run.
    public let name: String
    /// What it does, in a line.
    public let summary: String
    /// The graph it left.
    public let graph: Graph
  }

  /// The graph after each step of its compilation, with its constants: what each pass did is the
  /// difference to the stage before.
  ///
  /// The first stage is the folding of constants, the last the choice of layouts; the passes between are
  /// there if the back end takes them, and nothing but the first if shapes depend on data.
  ///
  /// - Parameter options: how it would be compiled.
  /// - Returns: the stages, in order.
  /// - Throws: `ModelError` if shapes or types do not fit, or a limit is exceeded.
  public func compilationStages(
    options: EngineOptions = EngineOptions()
  ) throws(ModelError) -> [CompilationStage] {
    var stages: [CompilationStage] = []
    var compiler = Compiler(self, options.resolved)
    _ = try compiler.prepare { name, summary, graph in
      stages.append(CompilationStage(name: name, summary: summary, graph: graph))
    }
    return stages
  }

  fileprivate mutating func forgetConstants(keeping outputs: [Int]) {
    for index in values.indices where !outputs.contains(index) { values[index].constant = nil }
  }
}
