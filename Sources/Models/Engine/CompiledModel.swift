import FaceKitKernels
import FaceKitTensor

/// A model ready to run: graph optimised, weights packed, memory planned. Made once, shared by any
/// number of sessions on any threads.
public final class CompiledModel: Sendable {
  /// How it was compiled, after falling back to what this machine can run.
  public let options: EngineOptions
  /// The graph as it runs, after the passes and with layout conversions in it.
  public let graph: Graph
  /// `nil` where shapes depend on data and memory is found while running.
  package let plan: MemoryPlan?
  /// The graph as the file has it, for resizing.
  let source: Graph
  /// The nodes of ``graph``, ready to run; empty where shapes depend on data.
  let nodes: [CompiledNode]
  /// Bytes of the arena, working memory included.
  public let arenaBytes: Int

  /// The kernel of each node of ``graph``, and why it was chosen. Where shapes depend on data, the
  /// reference computes everything.
  public var kernels: [KernelChoice] {
    if plan != nil { return nodes.map { $0.choice } }
    return graph.nodes.compactMap { node in
      node.operator.kernels.last.map {
        KernelChoice(kernel: $0, target: .reference, declined: [])
      }
    }
  }

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
    var compiler = Compiler(source, options)
    guard try compiler.prepare() else {
      (graph, plan, nodes, arenaBytes) = (compiler.graph, nil, [], 0)
      return
    }
    let finished = try compiler.finish()
    graph = compiler.graph
    (plan, nodes, arenaBytes) = (finished.plan, finished.nodes, finished.arenaBytes)
  }

  /// A session: the memory of one thread's inferences. Cheap, because weights are shared.
  public func makeSession() throws(ModelError) -> Session {
    try Session(self)
  }
}

/// A node ready to run.
struct CompiledNode: Sendable {
  let choice: KernelChoice
  let kernel: NodeKernel
  /// The kernel for several threads; `nil` where one does the node alone.
  let rowWork: RowWork?
}
