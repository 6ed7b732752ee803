import FaceKitModels
import ToolSupport

/// Where the time of a model goes.
package struct Profile {
  package struct Entry {
    package let node: Int
    package let name: String
    package let sources: [Int]
    package let timing: Timing
    package let cost: Graph.Cost
    package let kernel: KernelChoice
    /// Of the sum of all nodes' medians.
    package let share: Double
    package let gflops: Double
    package let gigabytesPerSecond: Double
  }

  package let entries: [Entry]
  package let limits: MachineLimits
  package let repetitions: Int
  /// Runs without any measuring inside, taken in turns with the measured ones.
  package let whole: Timing
  /// Measured runs, from first to last node.
  package let measured: Timing
  /// Start and length of each node in the measured run of median length, in nanoseconds.
  package let trace: [(start: UInt64, length: UInt64)]

  /// How much longer the nodes of a measured run take together than a plain run: what measuring
  /// costs, and what no node accounts for. The fastest runs are compared, because only they were
  /// surely not interrupted.
  package var overhead: Double { measured.minimum / whole.minimum - 1 }

  package init(_ session: Session, repetitions: Int) throws(ModelError) {
    let graph = session.model.graph
    let options = session.model.options
    self.repetitions = repetitions
    // The first runs touch memory and fill caches.
    for _ in 0..<min(10, repetitions) { try session.run() }
    var times = [[UInt64]](repeating: [], count: graph.nodes.count)
    var wholes: [UInt64] = []
    var totals: [UInt64] = []
    for _ in 0..<repetitions {
      // In turns, so that a change of the machine's pace meets both alike.
      let start = Stopwatch.now
      try session.run()
      wholes.append(Stopwatch.now - start)
      let run = try session.profile(repetitions: 1) { Stopwatch.now }
      for (node, time) in run.enumerated() { times[node].append(time[0]) }
      totals.append(run.reduce(0) { $0 + $1[0] })
    }
    whole = Timing(wholes)
    measured = Timing(totals)
    limits = MachineLimits.measure(options)

    let timings = times.map { Timing($0) }
    let sum = timings.reduce(0) { $0 + $1.median }
    let costs = graph.costs
    entries = graph.nodes.indices.map { index in
      let seconds = timings[index].median / 1000
      return Entry(
        node: index, name: graph.nodes[index].operator.name,
        sources: graph.nodes[index].sources, timing: timings[index], cost: costs[index],
        kernel: session.model.kernels[index],
        share: sum > 0 ? timings[index].median / sum : 0,
        gflops: seconds > 0 ? Double(costs[index].operations) / seconds / 1e9 : 0,
        gigabytesPerSecond: seconds > 0 ? Double(costs[index].bytes) / seconds / 1e9 : 0)
    }
    let typical = totals.indices.sorted { totals[$0] < totals[$1] }[totals.count / 2]
    var clock: UInt64 = 0
    trace = times.map { runs in
      defer { clock += runs[typical] }
      return (clock, runs[typical])
    }
  }
}
