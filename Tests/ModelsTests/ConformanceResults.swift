import TestSupport

@testable import Models

/// What the conformance suite showed, by operator, type and configuration.
struct ConformanceResults {
  private struct Count {
    var passed = 0
    var total = 0
  }

  private var counts: [OperatorUse: [String: Count]] = [:]
  private var totals: [String: Count] = [:]

  mutating func record(
    _ example: ConformanceCase, _ configuration: EngineConfiguration,
    _ outcome: Result<Set<OperatorUse>, any Error>
  ) {
    var didPass = false
    if case .success(let uses) = outcome {
      didPass = true
      // Networks show that operators work together; the table is about each alone.
      if example.group != "net" && example.group != "graph" {
        for use in uses where example.ops.contains(use.name) {
          counts[use, default: [:]][configuration.name, default: Count()].passed += 1
        }
      }
    }
    totals[configuration.name, default: Count()].passed += didPass ? 1 : 0
    totals[configuration.name, default: Count()].total += 1
  }

  /// The table of `docs/operators.md`.
  func markdown() -> String {
    let configurations = EngineConfiguration.all.map(\.name)
    var text = """
      # Operators

      <!-- Written by tools/operator-table; do not edit. -->

      What the engine runs, and what was tested where. A number is how many cases of the conformance
      suite with that operator on that type give the reference's answer (networks not counted); `–`
      means the operator is implemented for at least one type but the suite has no case of it.
      Back ends that have no kernel of their own for an operator use the reference kernel.

      | configuration | cases that pass |
      |---|---|

      """
    for name in configurations {
      let count = totals[name] ?? Count()
      text += "| \(name) | \(count.passed) of \(count.total) |\n"
    }
    text += "\n## Built-in\n\n"
    text += row(["operator", "code", "type of the data"] + configurations)
    text += row([String](repeating: "---", count: configurations.count + 3))
    for entry in OperatorRegistry.builtin.sorted(by: { $0.name < $1.name }) {
      let uses = counts.keys.filter { $0.name == entry.name }.sorted { $0.type < $1.type }
      if uses.isEmpty {
        text += row(
          [entry.name, "\(entry.code)", ""] + [String](repeating: "–", count: configurations.count))
      }
      for use in uses {
        let cells = configurations.map { counts[use]?[$0].map { "\($0.passed)" } ?? "–" }
        text += row([entry.name, "\(entry.code)", use.type] + cells)
      }
    }
    text += "\n## Custom\n\n"
    for entry in OperatorRegistry.standard.custom {
      let versions =
        entry.versions.upperBound == Int.max
        ? "any version" : "version \(entry.versions.lowerBound)"
      text += "- `\(entry.name)`, \(versions)\n"
    }
    text += """

      Control flow (IF, WHILE, CALL_ONCE), resources, recurrent layers with state and STABLEHLO
      operators are refused by name when a model is loaded. A model can bring its own operators: see
      `OperatorRegistry` and [how to add an operator](add-an-operator.md).

      """
    return text
  }

  private func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }
}
