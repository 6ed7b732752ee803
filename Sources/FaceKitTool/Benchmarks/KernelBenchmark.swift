import FaceKitKernels
import FaceKitModels
import FaceKitTensor

extension Benchmark {
  static let kernels = Benchmark(
    name: "kernels", synopsis: "kernels [models.tflite] [--filter TEXT] [--baseline old.json]"
  ) { arguments, console in
    try KernelBenchmark(arguments, console, passes: false).run(
      Array(arguments.files.dropFirst()))
  }

  static let stages = Benchmark(
    name: "stages",
    synopsis: "stages [models.tflite | pictures] [--filter TEXT] [--baseline old.json]"
  ) { arguments, console in
    let files = arguments.files.dropFirst()
    let models = files.filter { $0.hasSuffix(".tflite") }
    let pictures = files.filter { !$0.hasSuffix(".tflite") }
    let benchmark = try KernelBenchmark(arguments, console, passes: true)
    var status = ToolStatus.done
    if pictures.isEmpty || !models.isEmpty { status = try benchmark.run(models) }
    if !pictures.isEmpty { try benchmark.run(pictures: pictures) }
    return status
  }

  static let kernelOptions: [Option] = [
    Option(
      "--filter", value: "TEXT",
      help: "kernels, stages: only those whose operators, shapes or attributes\ncontain it"),
    Option(
      "--baseline", value: "FILE", help: "kernels, stages: compare with an earlier --json output"),
  ]
}

/// Every kernel × the shapes our models have × instruction sets × back ends. Each way is first held
/// against the reference; a wrong one is reported and not timed.
struct KernelBenchmark {
  private let arguments: Arguments
  private let console: Console
  private let passes: Bool
  private let repetitions: Int
  private let baseline: [String: (minimum: Double, median: Double)]

  init(_ arguments: Arguments, _ console: Console, passes: Bool) throws {
    self.arguments = arguments
    self.console = console
    self.passes = passes
    repetitions = try arguments.integer("--repetitions", in: 1...100_000) ?? 20
    baseline = try arguments.string("--baseline").map(KernelBenchmark.baseline) ?? [:]
  }

  private var what: String { passes ? "stages" : "kernels" }

  /// The steps of the landmarker on each picture.
  func run(pictures: [String]) throws {
    let pipeline = try PipelineBenchmark(arguments)
    let store = ModelStore(folder: arguments.string("--models"))
    let peaks = KernelBenchmark.peaks()
    for name in pictures {
      let path = name == "sample" ? try store.sample() : name
      for found in try pipeline.run(path, peaks: peaks) {
        report(found[0].key, models: [], found)
      }
    }
  }

  private static func peaks() -> [InstructionSet: Double] {
    Dictionary(uniqueKeysWithValues: InstructionSet.available.map { ($0, FMAPeak.gflops($0)) })
  }

  /// Operators or groups of the models at `paths`; of all of ours if there are none.
  func run(_ paths: [String]) throws -> ToolStatus {
    let cases = try findCases(paths)
    guard !cases.isEmpty else {
      throw UsageError(
        "nothing matches '\(arguments.string("--filter") ?? "")'", at: "facekit bench \(what)",
        advice: "leave --filter out to see all")
    }
    var status = ToolStatus.done
    let peaks = KernelBenchmark.peaks()
    let variants = KernelVariant.all(passes: passes)
    let progress = ProgressBar(console, total: cases.count)
    for (index, piece) in cases.enumerated() {
      progress.show(index, piece.key)
      let found: [KernelMeasurement]
      do throws(ModelError) {
        found = try measure(piece, variants, peaks)
      } catch {
        throw ToolError(error, in: piece.models.joined(separator: ", "))
      }
      progress.clear()
      if found.contains(where: { !$0.isCorrect }) { status = .failed }
      report(piece.key, models: piece.models, found)
    }
    return status
  }

  // MARK: What to measure

  private func findCases(_ paths: [String]) throws -> [KernelCase] {
    let wanted = arguments.string("--filter")?.lowercased()
    var cases: [KernelCase] = []
    for (name, bytes) in try paths.isEmpty ? allModels() : paths.map(KernelBenchmark.named) {
      let found: [KernelCase]
      do throws(ModelError) {
        let graph = try TFLiteModel(bytes).makeGraph()
        found =
          try passes
          ? KernelCase.stages(of: graph, model: name) : KernelCase.kernels(of: graph, model: name)
      } catch {
        throw ToolError(error, in: name)
      }
      for piece in found where wanted == nil || piece.key.lowercased().contains(wanted!) {
        if let known = cases.firstIndex(where: { $0.key == piece.key }) {
          cases[known].models.append(name)
        } else {
          cases.append(piece)
        }
      }
    }
    return cases
  }

  private static func named(_ path: String) throws -> (name: String, bytes: StorageView) {
    do throws(ModelError) {
      return (String(path.split(separator: "/").last ?? ""), try MappedFile.open(path))
    } catch {
      throw ToolError(error, in: path)
    }
  }

  /// Our models that are on this machine: single files, and the members of bundles.
  private func allModels() throws -> [(name: String, bytes: StorageView)] {
    let store = ModelStore(folder: arguments.string("--models"))
    var models: [(name: String, bytes: StorageView)] = []
    for path in try ModelList.builtIn().files.compactMap(store.path(of:)) {
      if path.hasSuffix(".tflite") { models.append(try KernelBenchmark.named(path)) }
      guard path.hasSuffix(".task") else { continue }
      do throws(ModelError) {
        let bundle = try TaskBundle(try MappedFile.open(path))
        for name in bundle.names where name.hasSuffix(".tflite") {
          models.append((name, try bundle.entry(named: name)))
        }
      } catch {
        throw ToolError(error, in: path)
      }
    }
    return models
  }

  // MARK: Measuring

  private func measure(
    _ piece: KernelCase, _ variants: [KernelVariant], _ peaks: [InstructionSet: Double]
  ) throws(ModelError) -> [KernelMeasurement] {
    var reference: [[Float]] = []
    var entries: [(variant: KernelVariant, session: Session, error: Double, isCorrect: Bool)] = []
    for variant in variants {
      let compiled = try CompiledModel(graph: piece.graph, options: variant.options)
      // BLAS computes matrix products only: with anything else in it, a case would time the reference.
      if variant.name == "blas", !compiled.usesBLAS { continue }
      let session = try compiled.makeSession()
      session.fillWithNoise()
      try session.run()
      let outputs = session.outputs.indices.map { session.output($0).numbers() ?? [] }
      if variant.name == "reference" { reference = outputs }
      let error = KernelBenchmark.error(outputs, reference)
      entries.append((variant, session, error, error <= KernelBenchmark.tolerance))
    }
    var times = [[UInt64]](repeating: [], count: entries.count)
    for round in 0..<repetitions {
      // In turns, so that a change of the machine's pace meets all ways alike. The reference is slow
      // and steady: a few rounds do.
      for (index, entry) in entries.enumerated() where entry.isCorrect {
        if entry.variant.name == "reference", round >= 3 { continue }
        let nodes = entry.session.model.graph.nodes
        let run = try entry.session.profile(repetitions: 1) { Stopwatch.now }
        // Conversions of the layout, which have no source, belong to no kernel.
        times[index].append(
          zip(nodes, run).reduce(0) { $0 + ($1.0.sources.isEmpty ? 0 : $1.1[0]) })
      }
    }
    return entries.enumerated().map { index, entry in
      let timing = times[index].isEmpty ? nil : Timing(times[index])
      return KernelMeasurement(
        key: piece.key, variant: entry.variant.name, minimumUs: (timing?.minimum ?? 0) * 1000,
        medianUs: (timing?.median ?? 0) * 1000, operations: piece.operations, error: entry.error,
        isCorrect: entry.isCorrect, peakGflops: peaks[entry.variant.options.isa] ?? .nan)
    }
  }

  /// As a share of the largest value: the bound that whole models are held to as well.
  static let tolerance = 1e-4

  static func error(_ outputs: [[Float]], _ reference: [[Float]]) -> Double {
    var worst = 0.0
    for (output, wanted) in zip(outputs, reference) {
      let scale = Double(wanted.reduce(0) { max($0, abs($1)) }) + 1e-2
      for (a, b) in zip(output, wanted) {
        let difference = abs(Double(a) - Double(b)) / scale
        // A NaN compares as nothing; it must not pass.
        worst = difference.isNaN ? .infinity : max(worst, difference)
      }
    }
    return worst
  }

  // MARK: Reporting

  private func report(_ key: String, models: [String], _ found: [KernelMeasurement]) {
    let reference = found.first { $0.variant == "reference" }
    let blas = found.first { $0.variant == "blas" }
    var lines =
      arguments.has("--json") ? [] : [key + (models.isEmpty ? "" : "  ×\(models.count) models")]
    for one in found {
      func ratio(_ other: KernelMeasurement?) -> Double? {
        guard let other, one.minimumUs > 0, other.minimumUs > 0 else { return nil }
        return other.minimumUs / one.minimumUs
      }
      let ratios = (reference: ratio(reference), blas: ratio(blas))
      var line = one.json(what: what, models: models, ratios: ratios)
      let verdict = verdict(of: one)
      if let verdict {
        line = line.adding([
          "baselineRatio": .double(verdict.ratio), "noise": .double(verdict.noise),
          "verdict": .string(verdict.kind.rawValue),
        ])
      }
      lines.append(
        arguments.has("--json") ? line.text : text(of: one, ratios: ratios, verdict: verdict))
    }
    for line in lines { console.print(line) }
  }

  private func text(
    of one: KernelMeasurement, ratios: (reference: Double?, blas: Double?),
    verdict: BaselineVerdict?
  ) -> String {
    var line = "  " + Formatting.left(one.variant, 10)
    guard one.isCorrect else {
      return line + "WRONG: off by \(one.error) of the largest value; not timed"
    }
    line += Formatting.right(Formatting.fixed(one.minimumUs, 1), 9) + " µs"
    if one.operations > 0 {
      line += Formatting.right(Formatting.fixed(one.gflops, 1), 8) + " GFLOP/s"
      line += Formatting.right(Formatting.fixed(100 * one.peakShare, 0), 5) + " % of peak"
    }
    if one.variant != "reference", let ratio = ratios.reference {
      line += Formatting.right(Formatting.fixed(ratio, 1), 8) + "× reference"
    }
    if one.variant != "blas", one.variant != "reference", let ratio = ratios.blas {
      line += Formatting.right(Formatting.fixed(ratio, 2), 7) + "× BLAS"
    }
    if let verdict {
      line +=
        "  \(verdict.kind.rawValue) (\(Formatting.fixed(verdict.ratio, 2))×, noise "
        + "\(Formatting.fixed(100 * verdict.noise, 0)) %)"
    }
    return line
  }

  // MARK: Baseline

  private func verdict(of one: KernelMeasurement) -> BaselineVerdict? {
    // The reference is no candidate, and its few rounds would not tell noise from change.
    guard one.variant != "reference", one.minimumUs > 0,
      let old = baseline[one.variant + " " + one.key]
    else { return nil }
    return BaselineVerdict(old: old, new: (one.minimumUs, one.medianUs))
  }

  private static func baseline(
    _ path: String
  ) throws -> [String: (minimum: Double, median: Double)] {
    var found: [String: (minimum: Double, median: Double)] = [:]
    let bytes = try MappedFile.open(path).array(of: UInt8.self)
    for (number, line) in bytes.split(separator: 0x0A).enumerated() {
      guard let entry = try? JSON(parsing: line), let key = entry["kernel"]?.string,
        let variant = entry["variant"]?.string, let minimum = entry["minUs"]?.number,
        let median = entry["medianUs"]?.number
      else {
        throw ToolError(
          "baseline", "this is no measurement", at: "\(path), line \(number + 1)",
          advice: "give the output of `facekit bench kernels --json`")
      }
      found[variant + " " + key] = (minimum, median)
    }
    return found
  }
}

extension CompiledModel {
  fileprivate var usesBLAS: Bool {
    graph.nodes.allSatisfy {
      KernelChoice($0, in: graph, options: options).name == "BLAS matrix product"
    }
  }
}

extension Session {
  /// Values in −1…1, the same every time.
  fileprivate func fillWithNoise() {
    for index in inputs.indices where inputs[index].type == .float32 {
      guard let tensor = try? GeneratedInput.tensor(inputs[index], seed: UInt64(index)) else {
        continue
      }
      try? setInput(index, tensor)
    }
  }
}
