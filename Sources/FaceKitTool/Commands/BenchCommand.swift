import FaceKit
import ImageCodecs
import FaceKitModels
import Inspection
import ToolSupport

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
    synopsis: "task \(TaskBenchmark.all.map(\.name).joined(separator: "|")) <pictures | sample>"
  ) { arguments, console in
    let words = arguments.files.dropFirst()
    guard let task = TaskBenchmark.all.first(where: { $0.name == words.first }), words.count > 1
    else {
      let names = TaskBenchmark.all.map(\.name).joined(separator: ", ")
      throw UsageError(
        "no task or no picture given", at: "facekit bench task",
        advice: "give one of \(names), and pictures or `sample`")
    }
    let store = ModelStore(folder: arguments.string("--models"))
    let engine = try EngineArguments.engine(arguments)
    for name in words.dropFirst() {
      let path = name == "sample" ? try store.sample() : name
      let run = try task.prepare(try MPImage(contentsOf: path), store.model, engine)
      try BenchmarkReport(
        arguments, console, engine, what: "\(task.name) \(path)", operations: nil
      ).measure(run)
    }
    return .done
  }
}
