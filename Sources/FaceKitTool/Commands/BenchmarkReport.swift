import FaceKitModels
import Inspection
import ToolSupport

/// Runs something many times and says how long it took.
struct BenchmarkReport {
  let console: Console
  let engine: EngineOptions
  let what: String
  /// Floating-point operations of one run, where they are known.
  let operations: Int?
  private let json: Bool
  private let serves: Bool
  private let repetitions: Int

  init(
    _ arguments: Arguments, _ console: Console, _ engine: EngineOptions, what: String,
    operations: Int?
  ) throws(ModelError) {
    do {
      repetitions = try arguments.integer("--repetitions", in: 1...1_000_000) ?? 100
    } catch {
      throw ModelError(.option, error.what, advice: error.advice)
    }
    self.console = console
    json = arguments.has("--json")
    serves = arguments.has("--serve")
    self.engine = engine
    self.what = what
    self.operations = operations
  }

  func measure<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
    // The first runs touch memory and fill caches.
    for _ in 0..<min(10, repetitions) { try body() }
    if serves { return try serve(body) }
    var times: [UInt64] = []
    times.reserveCapacity(repetitions)
    for _ in 0..<repetitions {
      let start = Stopwatch.now
      try body()
      times.append(Stopwatch.now - start)
    }
    report(Timing(times))
  }

  private func report(_ timing: Timing) {
    let gflops = operations.map { Double($0) / (timing.minimum * 1e6) }
    let share = gflops.map { $0 / (FMAPeak.gflops(engine.isa) * Double(engine.threads)) }
    if json {
      console.print(
        JSON.object([
          "what": .string(what), "threads": .integer(engine.threads),
          "isa": .string(engine.isa.rawValue), "backend": .string(engine.backend.rawValue),
          "repetitions": .integer(repetitions), "minMs": .double(timing.minimum),
          "medianMs": .double(timing.median), "p95Ms": .double(timing.percentile95),
          "gflops": gflops.map { .double($0) }, "peakShare": share.map { .double($0) },
        ]).text)
      return
    }
    var text = "\(what): min \(Formatting.fixed(timing.minimum, 3)) ms"
    text += ", median \(Formatting.fixed(timing.median, 3)) ms"
    text += ", p95 \(Formatting.fixed(timing.percentile95, 3)) ms"
    if let gflops, let share {
      text +=
        ", \(Formatting.fixed(gflops, 1)) GFLOP/s (\(Formatting.fixed(100 * share, 0)) % of peak)"
    }
    let threads = engine.threads == 1 ? "1 thread" : "\(engine.threads) threads"
    console.print(
      "\(text) — \(engine.backend.rawValue), \(engine.isa.rawValue), \(threads), \(repetitions) runs"
    )
  }
}
