import FaceKitModels

/// Where the time of a model goes.
struct Profile {
  struct Entry {
    let node: Int
    let name: String
    let sources: [Int]
    let timing: Timing
    let cost: Graph.Cost
    let kernel: KernelChoice
    /// Of the sum of all nodes' medians.
    let share: Double
    let gflops: Double
    let gigabytesPerSecond: Double
  }

  let entries: [Entry]
  let limits: MachineLimits
  let repetitions: Int
  /// Runs without any measuring inside, taken in turns with the measured ones.
  let whole: Timing
  /// Measured runs, from first to last node.
  let measured: Timing
  /// Start and length of each node in the measured run of median length, in nanoseconds.
  let trace: [(start: UInt64, length: UInt64)]

  /// How much longer the nodes of a measured run take together than a plain run: what measuring
  /// costs, and what no node accounts for. The fastest runs are compared, because only they were
  /// surely not interrupted.
  var overhead: Double { measured.minimum / whole.minimum - 1 }

  init(_ session: Session, repetitions: Int) throws(ModelError) {
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
        kernel: KernelChoice(graph.nodes[index], in: graph, options: options),
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

  // MARK: Text

  /// The nodes in execution order, or the slowest first if `sorted`.
  func text(graph: Graph, sorted: Bool) -> String {
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

  // MARK: JSON

  /// All figures; `graph` says which graph of a page the nodes belong to.
  func json(graph: Int? = nil) -> JSON {
    .object([
      "graph": graph.map { .integer($0) }, "repetitions": .integer(repetitions),
      "peakGflops": .double(limits.peakGflops), "bandwidthGBs": .double(limits.bandwidthGBs),
      "wholeUs": .double(whole.minimum * 1000), "wholeMedianUs": .double(whole.median * 1000),
      "sumUs": .double(measured.minimum * 1000), "sumMedianUs": .double(measured.median * 1000),
      "overhead": .double(overhead), "maxShare": .double(entries.map(\.share).max() ?? 1),
      "nodes": .array(
        entries.map { entry in
          [
            "node": .integer(entry.node), "op": .string(entry.name),
            "sources": .array(entry.sources.map { .integer($0) }),
            "minUs": .double(entry.timing.minimum * 1000),
            "medianUs": .double(entry.timing.median * 1000),
            "p95Us": .double(entry.timing.percentile95 * 1000), "share": .double(entry.share),
            "macs": .integer(entry.cost.multiplyAccumulates), "bytes": .integer(entry.cost.bytes),
            "intensity": .double(entry.cost.arithmeticIntensity),
            "gflops": .double(entry.gflops),
            "peakShare": .double(entry.gflops / limits.peakGflops),
            "gigabytesPerSecond": .double(entry.gigabytesPerSecond),
            "bandwidthShare": .double(entry.gigabytesPerSecond / limits.bandwidthGBs),
            "kernel": .string(entry.kernel.name), "reason": .string(entry.kernel.reason),
          ]
        }),
    ])
  }

  /// One run as complete events of the Trace Event Format, which Perfetto and `chrome://tracing` open.
  ///
  /// Source: "Trace Event Format", the Catapult project.
  func chromeTrace(model: String) -> JSON {
    var events: [JSON] = [
      [
        "name": "process_name", "ph": "M", "pid": .integer(1), "tid": .integer(1),
        "args": ["name": .string("facekit \(model)")],
      ]
    ]
    for (entry, time) in zip(entries, trace) {
      events.append([
        "name": .string("\(entry.node) \(entry.name)"), "cat": "node", "ph": "X",
        "pid": .integer(1), "tid": .integer(1), "ts": .double(Double(time.start) / 1000),
        "dur": .double(Double(time.length) / 1000),
        "args": [
          "kernel": .string(entry.kernel.name), "gflops": .double(entry.gflops),
          "macs": .integer(entry.cost.multiplyAccumulates), "bytes": .integer(entry.cost.bytes),
        ],
      ])
    }
    return ["traceEvents": .array(events), "displayTimeUnit": "ns"]
  }
}
