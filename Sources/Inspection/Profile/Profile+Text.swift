import FaceKitModels
import ToolSupport

extension Profile {
  /// The nodes in execution order, or the slowest first if `sorted`.
  package func text(graph: Graph, sorted: Bool) -> String {
    var table = TextTable([
      .right("#"), .left("operator"), .left("output"), .right("µs"), .right("%"), .left(""),
      .right("MACs"), .right("bytes"), .right("GFLOP/s"), .right("% peak"), .right("GB/s"),
      .right("% mem"), .left("kernel"),
    ])
    let longest = entries.map(\.share).max() ?? 1
    for entry in sorted ? entries.sorted(by: { $0.share > $1.share }) : entries {
      let shape = graph.nodes[entry.node].outputs.first.map { graph.values[$0].shape.description }
      table.add([
        "\(entry.node)", entry.name, shape ?? "", Formatting.fixed(entry.timing.median * 1000, 1),
        Formatting.fixed(100 * entry.share, 1),
        TextTable.bar(entry.share / longest, width: 12),
        Formatting.short(entry.cost.multiplyAccumulates), Formatting.short(entry.cost.bytes),
        Formatting.fixed(entry.gflops, 1),
        Formatting.fixed(100 * entry.gflops / limits.peakGflops, 0),
        Formatting.fixed(entry.gigabytesPerSecond, 1),
        Formatting.fixed(100 * entry.gigabytesPerSecond / limits.bandwidthGBs, 0),
        entry.kernel.name,
      ])
    }
    return table.text + "\n\n" + summary
  }

  private var summary: String {
    var lines: [String] = []
    if let top = entries.max(by: { $0.share < $1.share }) {
      lines.append(
        "costliest: node \(top.node) \(top.name), \(Formatting.fixed(100 * top.share, 1)) % of the time, "
          + "\(Formatting.fixed(100 * top.gflops / limits.peakGflops, 0)) % of peak")
    }
    let operations = entries.reduce(0) { $0 + $1.cost.operations }
    let rate = Double(operations) / (whole.minimum * 1e6)
    lines.append(
      "whole run: best \(Formatting.fixed(whole.minimum * 1000, 1)) µs, "
        + "median \(Formatting.fixed(whole.median * 1000, 1)) µs of \(repetitions); "
        + "at best \(Formatting.fixed(rate, 1)) GFLOP/s, "
        + "\(Formatting.fixed(100 * rate / limits.peakGflops, 0)) % of peak")
    lines.append(
      "sum of the nodes: best \(Formatting.fixed(measured.minimum * 1000, 1)) µs, "
        + "median \(Formatting.fixed(measured.median * 1000, 1)) µs "
        + "(best against best: \(signed(overhead)))")
    lines.append(
      "this machine: \(Formatting.fixed(limits.peakGflops, 1)) GFLOP/s of multiply–adds, "
        + "\(Formatting.fixed(limits.bandwidthGBs, 1)) GB/s of copying, both measured now")
    return lines.joined(separator: "\n")
  }

  private func signed(_ share: Double) -> String {
    (share < 0 ? "" : "+") + Formatting.fixed(100 * share, 1) + " %"
  }
}
