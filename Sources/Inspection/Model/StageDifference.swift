import FaceKitModels
import ToolSupport

/// What one step of compilation changed, by counting operators.
package struct StageDifference: Equatable {
  package let name: String
  package let summary: String
  package let before: Int
  package let after: Int
  /// Operators whose number changed, in alphabetical order.
  package let changes: [(name: String, count: Int)]
  /// Nodes that stand for more operators of the file than any did before.
  package let merged: [(name: String, sources: [Int])]

  package static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.before == b.before && a.after == b.after
      && a.changes.elementsEqual(b.changes, by: ==) && a.merged.elementsEqual(b.merged, by: ==)
  }

  package init(_ stage: Graph.CompilationStage, after previous: Graph) {
    name = stage.name
    summary = stage.summary
    before = previous.nodes.count
    after = stage.graph.nodes.count
    var counts: [String: Int] = [:]
    for node in previous.nodes { counts[node.operator.name, default: 0] -= 1 }
    for node in stage.graph.nodes { counts[node.operator.name, default: 0] += 1 }
    changes = counts.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    let known = Set(previous.nodes.map(\.sources))
    merged = stage.graph.nodes.filter { $0.sources.count > 1 && !known.contains($0.sources) }
      .map { ($0.operator.name, $0.sources) }
  }

  package var text: String {
    let list = changes.map { ($0.count > 0 ? "+" : "−") + "\($0.count.magnitude) \($0.name)" }
    return list.isEmpty ? "nothing to do" : list.joined(separator: ", ")
  }

  package var json: JSON {
    [
      "name": .string(name), "summary": .string(summary), "nodesBefore": .integer(before),
      "nodesAfter": .integer(after),
      "changes": .object(changes.map { .init(name: $0.name, value: .integer($0.count)) }),
      "merged": .array(
        merged.map {
          ["op": .string($0.name), "sources": .array($0.sources.map { .integer($0) })]
        }),
    ]
  }
}
