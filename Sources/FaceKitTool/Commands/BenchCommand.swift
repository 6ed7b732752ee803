import FaceKit
import ImageCodecs
import FaceKitKernels
import FaceKitModels
import FaceKitTensor

extension Command {
  static let bench = Command(
    name: "bench",
    summary: "measures kernels, models and tasks",
    synopsis: Benchmark.all.map(\.synopsis).joined(separator: "\n       facekit bench "),
    options: [
      Option("--repetitions", value: "N", help: "measured runs (100; 20 of kernels and stages)"),
      Option("--json", help: "one JSON object a line and measurement"),
      Option("--serve", help: "wait to be timed: answer each line `run N` with N times"),
      Option("--models", value: "FOLDER", help: "where the models are"),
    ] + Benchmark.kernelOptions + EngineArguments.options,
    details: """
      JSON: {"what", "threads", "isa", "backend", "repetitions", "minMs", "medianMs", "p95Ms", "gflops",
      "peakShare"}. gflops counts two operations for each multiply–add at the minimum time; peakShare
      compares them with what the threads reach on register-only multiply–adds, measured in the same run.

      growth measures the landmarker with 1 to 10 faces in one picture, and on pictures of 256 to 4096
      pixels a side.

      kernels takes every distinct operator of the models (all of ours if none is named), stages every
      group that a pass joins into one node; each is computed by the reference, by every instruction set
      of this machine and by OpenBLAS, in turns. Given a picture, stages takes the steps of the landmarker
      on it: image → tensor, anchor decoding, suppression, the networks and what follows them, geometry,
      smoothing. What differs from the reference by more than 0.0001 of its largest value is WRONG, is not
      timed, and makes the exit status 1. JSON: {"what", "kernel", "variant", "minUs", "medianUs", "gflops",
      "peakShare", "error", "correct", "timesReference", "timesBLAS", "models"}; with --baseline "baselineRatio",
      "noise" and "verdict", which is faster or slower only beyond the noise of both measurements.
      """
  ) { arguments, console in
    guard let name = arguments.files.first,
      let benchmark = Benchmark.all.first(where: { $0.name == name })
    else {
      let names = Benchmark.all.map(\.name).joined(separator: ", ")
      throw UsageError(
        "nothing to measure", at: "facekit bench",
        advice: "give one of \(names); see `facekit bench -h`")
    }
    return try benchmark.run(arguments, console)
  }
}

/// What `facekit bench` can measure. Another kind is a value here.
struct Benchmark: Sendable {
  let name: String
  let synopsis: String
  let run: @Sendable (Arguments, Console) throws -> ToolStatus

  static let all: [Benchmark] = [model, task, growth, kernels, stages]

  static let model = Benchmark(name: "model", synopsis: "model <models.tflite>") {
    arguments, console in
    let paths = arguments.files.dropFirst()
    guard !paths.isEmpty else {
      throw UsageError(
        "no model given", at: "facekit bench model", advice: "see `facekit bench -h`")
    }
    let engine = try EngineArguments.engine(arguments)
    var status = ToolStatus.done
    for path in paths {
      do throws(ModelError) {
        let model = try TFLiteModel(path: path)
        let operations = 2 * (try model.makeGraph().multiplyAccumulates)
        let session = try CompiledModel(model, options: engine).makeSession()
        session.fillWithRamps()
        try BenchmarkReport(arguments, console, engine, what: path, operations: operations)
          .measure { () throws(ModelError) in try session.run() }
      } catch {
        status = .failed
        console.report(ToolError(error, in: path))
      }
    }
    return status
  }

  static let task = Benchmark(
    name: "task",
    synopsis: "task \(BenchmarkTask.all.map(\.name).joined(separator: "|")) <pictures | sample>"
  ) { arguments, console in
    let words = arguments.files.dropFirst()
    guard let task = BenchmarkTask.all.first(where: { $0.name == words.first }), words.count > 1
    else {
      let names = BenchmarkTask.all.map(\.name).joined(separator: ", ")
      throw UsageError(
        "no task or no picture given", at: "facekit bench task",
        advice: "give one of \(names), and pictures or `sample`")
    }
    let store = ModelStore(folder: arguments.string("--models"))
    let engine = try EngineArguments.engine(arguments)
    for name in words.dropFirst() {
      let path = name == "sample" ? try store.sample() : name
      let run = try task.prepare(try MPImage(contentsOf: path), store, engine)
      try BenchmarkReport(
        arguments, console, engine, what: "\(task.name) \(path)", operations: nil
      ).measure(run)
    }
    return .done
  }
}

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

/// Statistics of repeated runs, in milliseconds.
struct Timing: Equatable, Sendable {
  let minimum: Double
  let median: Double
  let percentile95: Double

  /// - Precondition: at least one time, in nanoseconds, each of `runs` runs.
  init(_ nanoseconds: [UInt64], runs: Int = 1) {
    let sorted = nanoseconds.sorted().map { Double($0) / 1e6 / Double(runs) }
    minimum = sorted[0]
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    // Nearest rank: the smallest time that 95 % of the runs do not exceed.
    percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
  }
}

/// What one core can do with register-only multiply–adds.
enum FMAPeak {
  static func gflops(_ isa: InstructionSet) -> Double {
    guard let kernels = Microkernels.of(isa) else { return .nan }
    var best = 0.0
    for _ in 0..<5 {
      let start = Stopwatch.now
      let operations = kernels.fmaPeak(200_000)
      best = max(best, Double(operations) / Double(max(1, Stopwatch.now - start)))
    }
    return best
  }
}
