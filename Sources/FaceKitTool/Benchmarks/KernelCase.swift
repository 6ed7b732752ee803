import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// A piece of a model that can be computed in several ways: one operator, or the operators that a
/// pass joins into one node.
struct KernelCase {
  /// Operator, attributes and shapes: what decides the work. Cases with one key are one case.
  let key: String
  let graph: Graph
  let operations: Int
  var models: [String]

  /// Every distinct operator of a model that some kernel beyond the reference computes.
  static func kernels(of graph: Graph, model: String) throws(ModelError) -> [KernelCase] {
    let folded = try folded(graph)
    return try cases(folded, groups: folded.nodes.indices.map { [$0] }, model, passes: false)
  }

  /// Every distinct group of operators that runs as one node.
  static func stages(of graph: Graph, model: String) throws(ModelError) -> [KernelCase] {
    let folded = try folded(graph)
    let compiled = try CompiledModel(graph: graph)
    let groups = compiled.graph.nodes.filter { $0.sources.count > 1 }.map { node in
      let sources = Set(node.sources)
      return Set(
        folded.nodes.indices.filter { !sources.isDisjoint(with: folded.nodes[$0].sources) })
    }
    return try cases(folded, groups: groups, model, passes: true)
  }

  private static func folded(_ graph: Graph) throws(ModelError) -> Graph {
    var options = EngineOptions()
    options.backend = .reference
    return try graph.compilationStages(options: options).first?.graph ?? graph
  }

  private static func cases(
    _ graph: Graph, groups: [Set<Int>], _ model: String, passes: Bool
  ) throws(ModelError) -> [KernelCase] {
    var cases: [KernelCase] = []
    var known: Set<String> = []
    let costs = graph.costs
    for group in groups {
      let part = graph.extracting(group)
      let key = part.kernelKey
      guard !known.contains(key), part.inputs.allSatisfy({ graph.values[$0].type == .float32 })
      else { continue }
      known.insert(key)
      let compiled = try CompiledModel(graph: part, options: KernelVariant.simd(passes: passes))
      let hasKernel = compiled.graph.nodes.contains { node in
        !node.sources.isEmpty
          && KernelChoice(node, in: compiled.graph, options: compiled.options).name != "reference"
      }
      guard hasKernel || costs[group.min()!].multiplyAccumulates > 0 else { continue }
      cases.append(
        KernelCase(
          key: key, graph: part,
          operations: group.reduce(0) { $0 + costs[$1].operations }, models: [model]))
    }
    return cases
  }
}

extension Graph {
  /// What decides the work of a small graph, in a line.
  var kernelKey: String {
    let parts = nodes.map { node in
      let shapes = node.inputs.map { $0.map { values[$0].shape.description } ?? "–" }
      let attributes = node.operator.attributes.map { "\($0.name) \($0.value)" }
      return "\(node.operator.name)(\(shapes.joined(separator: ", ")))"
        + (attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]")
    }
    return parts.joined(separator: " → ")
  }
}

/// One way to compute a case.
struct KernelVariant: Equatable {
  let name: String
  let options: EngineOptions

  /// The reference first; then each tier this machine has; then BLAS.
  static func all(passes: Bool) -> [KernelVariant] {
    var reference = simd(passes: passes)
    reference.backend = .reference
    var variants = [KernelVariant(name: "reference", options: reference)]
    for isa in InstructionSet.available {
      var options = simd(passes: passes)
      options.isa = isa
      variants.append(KernelVariant(name: isa.rawValue, options: options))
    }
    if Backend.blas.isAvailable {
      var options = simd(passes: passes)
      options.backend = .blas
      variants.append(KernelVariant(name: "blas", options: options))
    }
    return variants
  }

  static func simd(passes: Bool) -> EngineOptions {
    EngineOptions(backend: .simd, disabledPasses: passes ? [] : ["all"])
  }
}

/// A case computed one way.
struct KernelMeasurement: Equatable {
  let key: String
  let variant: String
  let minimumUs: Double
  let medianUs: Double
  let operations: Int
  /// Largest difference from the reference, as a share of the reference's largest value.
  let error: Double
  let isCorrect: Bool
  /// Of the machine, for this variant's instructions.
  let peakGflops: Double

  var gflops: Double { minimumUs > 0 ? Double(operations) / (minimumUs * 1000) : 0 }
  var peakShare: Double { gflops / peakGflops }

  func json(what: String, models: [String], ratios: (reference: Double?, blas: Double?)) -> JSON {
    .object([
      "what": .string(what), "kernel": .string(key), "variant": .string(variant),
      "minUs": .double(minimumUs), "medianUs": .double(medianUs), "gflops": .double(gflops),
      "peakShare": .double(peakShare), "error": .double(error), "correct": .bool(isCorrect),
      "timesReference": ratios.reference.map { .double($0) },
      "timesBLAS": ratios.blas.map { .double($0) },
      "models": .array(models.map { .string($0) }),
    ])
  }
}

/// Two measurements of one kernel, at two commits.
struct BaselineVerdict: Equatable {
  enum Kind: String { case faster, slower, same }

  let kind: Kind
  /// Old time over new: above 1 is faster.
  let ratio: Double
  /// What the measurements themselves vary by; a smaller change says nothing.
  let noise: Double

  /// Compares fastest runs. How far the medians lie above them says how restless the machine was.
  init(old: (minimum: Double, median: Double), new: (minimum: Double, median: Double)) {
    func spread(_ time: (minimum: Double, median: Double)) -> Double {
      time.minimum > 0 ? time.median / time.minimum - 1 : 0
    }
    noise = max(0.03, min(0.5, max(spread(old), spread(new))))
    ratio = new.minimum > 0 ? old.minimum / new.minimum : 1
    kind = ratio > 1 + noise ? .faster : ratio < 1 / (1 + noise) ? .slower : .same
  }
}
