import TestSupport

@testable import FaceKitModels

/// What the conformance suite showed, by operator, type and configuration.
struct ConformanceResults {
  private struct Count {
    var passed = 0
    var total = 0
  }

  private var counts: [OperatorUse: [String: Count]] = [:]
  /// By folder of cases, then configuration.
  private var totals: [String: [String: Count]] = [:]

  mutating func record(
    _ example: ConformanceCase, of folder: String, _ configuration: EngineConfiguration,
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
    totals[folder, default: [:]][configuration.name, default: Count()].passed += didPass ? 1 : 0
    totals[folder, default: [:]][configuration.name, default: Count()].total += 1
  }

  /// The table of `docs/operators.md`.
  func markdown() -> String {
    let configurations = EngineConfiguration.all.map(\.name)
    var text = """
      # Operators

      <!-- Written by tools/operator-table; do not edit. -->

      What the engine runs, and what was tested where. A number is how many cases with that operator on
      that type give LiteRT's answer, out of the conformance suite and our own goldens
      (Tests/Goldens/operators), networks not counted; `–` means that there is no such case.
      Operators without a kernel of their own on a back end use the reference kernel.

      | configuration | conformance suite | own goldens |
      |---|---|---|

      """
    for name in configurations {
      text += row([name] + ["conformance", "own goldens"].map { total($0, name) })
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
    text += "\n## Kernels\n\n"
    text +=
      "The kernels of each operator, best first; a back end takes the first of its own that takes the\n"
    text +=
      "operands. Operators that are not here have the reference kernel alone. `facekit profile` names the\n"
    text += "one that a node got, and why not a better one.\n\n"
    text += row(["operator", "kernels"]) + row(["---", "---"])
    var kernels: [String: [String]] = [:]
    for use in counts.keys where use.kernels.count > 1 { kernels[use.name] = use.kernels }
    for (name, list) in kernels.sorted(by: { $0.key < $1.key }) {
      text += row([name, list.joined(separator: ", ")])
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
      [custom operators](custom-operators.md).

      """
    return text
  }

  private func total(_ folder: String, _ configuration: String) -> String {
    let count = totals[folder]?[configuration] ?? Count()
    return "\(count.passed) of \(count.total) pass"
  }

  private func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }
}
