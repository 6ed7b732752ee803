import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// A piece of a model that can be computed in several ways: one operator, or the operators that a
/// pass joins into one node.
package struct KernelCase {
  /// Operator, attributes and shapes: what decides the work. Cases with one key are one case.
  package let key: String
  package let graph: Graph
  package let operations: Int
  package var models: [String]

  /// Every distinct operator of a model that some kernel beyond the reference computes.
  package static func kernels(of graph: Graph, model: String) throws(ModelError) -> [KernelCase] {
    let folded = try folded(graph)
    return try cases(folded, groups: folded.nodes.indices.map { [$0] }, model, passes: false)
  }

  /// Every distinct group of operators that runs as one node.
  package static func stages(of graph: Graph, model: String) throws(ModelError) -> [KernelCase] {
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
      let hasKernel = zip(compiled.graph.nodes, compiled.kernels).contains { node, choice in
        !node.sources.isEmpty && choice.kernel.backend != .reference
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
  package var kernelKey: String {
    let parts = nodes.map { node in
      let shapes = node.inputs.map { $0.map { values[$0].shape.description } ?? "–" }
      let attributes = node.operator.attributes.map { "\($0.name) \($0.value)" }
      return "\(node.operator.name)(\(shapes.joined(separator: ", ")))"
        + (attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]")
    }
    return parts.joined(separator: " → ")
  }
}
