import FaceKitModels
import FaceKitTensor
import ToolSupport

/// All there is to know of a model without running it.
package struct ModelInspection {
  package let path: String
  package let file: TFLiteModel
  package let metadata: ModelMetadata?
  /// The graph as the file has it.
  package let source: Graph
  package let compiled: CompiledModel
  package let stages: [Graph.CompilationStage]

  package init(path: String, options: EngineOptions) throws(ModelError) {
    self.path = path
    file = try TFLiteModel(path: path)
    metadata = try file.authorMetadata()
    source = try file.makeGraph()
    stages = try source.compilationStages(options: options)
    compiled = try CompiledModel(graph: source, options: options)
  }

  package var differences: [StageDifference] {
    var previous = source
    return stages.map { stage in
      defer { previous = stage.graph }
      return StageDifference(stage, after: previous)
    }
  }

  package func report(optimised: Bool) -> GraphReport {
    optimised
      ? GraphReport(title: "as it runs", compiled.graph, constants: stages.last?.graph)
      : GraphReport(title: "as in the file", source)
  }

  // MARK: JSON

  package func json(optimised: Bool) -> JSON {
    let report = report(optimised: optimised)
    let costs = report.graph.costs
    return .object([
      "model": .string(path), "description": .string(file.description),
      "graph": report.json(details: false),
      "macs": .integer(costs.reduce(0) { $0 + $1.multiplyAccumulates }),
      "weightBytes": .integer(costs.reduce(0) { $0 + $1.weightBytes }),
      "memory": compiled.plan?.json, "metadata": metadata?.json,
      "passes": optimised ? .array(differences.map(\.json)) : nil,
    ])
  }

  /// The data of the HTML page: both graphs, the one asked for first shown.
  package func page(showsOptimised: Bool) -> JSON {
    .object([
      "model": .string(path), "description": .string(file.description),
      "graphs": .array([
        report(optimised: false).json(details: true), report(optimised: true).json(details: true),
      ]),
      "shown": .integer(showsOptimised ? 1 : 0),
      "memory": compiled.plan?.json, "metadata": metadata?.json,
      "passes": .array(differences.map(\.json)),
    ])
  }
}
