import ToolSupport

extension Profile {
  /// All figures; `graph` says which graph of a page the nodes belong to.
  package func json(graph: Int? = nil) -> JSON {
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
  package func chromeTrace(model: String) -> JSON {
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
