import FaceKitKernels
import FaceKitModels
import FaceKitTensor
import ImageCodecs
import FaceKit
import Inspection
import ToolSupport

extension Benchmark {
  static let kernels = Benchmark(
    name: "kernels", synopsis: "kernels [models.tflite] [--filter TEXT] [--baseline old.json]"
  ) { arguments, console in
    try KernelRun(arguments, console, passes: false).run(Array(arguments.files.dropFirst()))
  }

  static let stages = Benchmark(
    name: "stages",
    synopsis: "stages [models.tflite | pictures] [--filter TEXT] [--baseline old.json]"
  ) { arguments, console in
    let files = arguments.files.dropFirst()
    let models = files.filter { $0.hasSuffix(".tflite") }
    let pictures = files.filter { !$0.hasSuffix(".tflite") }
    let run = try KernelRun(arguments, console, passes: true)
    var status = ToolStatus.done
    if pictures.isEmpty || !models.isEmpty { status = try run.run(models) }
    if !pictures.isEmpty { try run.run(pictures: pictures) }
    return status
  }

  static let kernelOptions: [Option] = [
    Option(
      "--filter", value: "TEXT",
      help: "kernels, stages: only those whose operators, shapes or attributes\ncontain it"),
    Option(
      "--baseline", value: "FILE", role: .input,
      help: "kernels, stages: compare with an earlier --json output"),
  ]
}

/// `facekit bench kernels` and `stages`.
private struct KernelRun {
  let arguments: Arguments
  let console: Console
  let passes: Bool
  let repetitions: Int
  let filter: String?
  let store: ModelStore
  let baseline: KernelBaseline?

  init(_ arguments: Arguments, _ console: Console, passes: Bool) throws {
    self.arguments = arguments
    self.console = console
    self.passes = passes
    repetitions = try arguments.integer("--repetitions", in: 1...100_000) ?? 20
    filter = arguments.string("--filter")
    store = ModelStore(folder: arguments.string("--models"))
    baseline = try arguments.string("--baseline").map { path throws(ToolError) in
      try KernelBaseline(path)
    }
  }

  private var what: String { passes ? "stages" : "kernels" }

  /// The steps of the landmarker on each picture.
  func run(pictures: [String]) throws {
    let benchmark = PipelineBenchmark(
      models: try FaceModels(bundle: named(try store.model("face_landmarker.task")).bytes),
      repetitions: repetitions, filter: filter)
    let peaks = KernelBenchmark.peaks()
    for name in pictures {
      let path = name == "sample" ? try store.sample() : name
      for found in try benchmark.run(MPImage(contentsOf: path), peaks: peaks) {
        report(found[0].key, models: [], found)
      }
    }
  }

  /// Operators or groups of the models at `paths`; of all of ours if there are none.
  func run(_ paths: [String]) throws -> ToolStatus {
    let models = try paths.isEmpty ? allModels() : paths.map(named)
    let cases = try KernelBenchmark.cases(of: models, passes: passes, filter: filter)
    guard !cases.isEmpty else {
      throw UsageError(
        "nothing matches '\(filter ?? "")'", at: "facekit bench \(what)",
        advice: "leave --filter out to see all")
    }
    var status = ToolStatus.done
    let peaks = KernelBenchmark.peaks()
    let variants = KernelVariant.all(passes: passes)
    let progress = ProgressBar(console, total: cases.count)
    for (index, one) in cases.enumerated() {
      progress.show(index, one.key)
      let found: [KernelMeasurement]
      do throws(ModelError) {
        found = try KernelBenchmark.measure(one, variants, peaks, repetitions: repetitions)
      } catch {
        throw ToolError(error, in: one.models.joined(separator: ", "))
      }
      progress.clear()
      if found.contains(where: { !$0.isCorrect }) { status = .failed }
      report(one.key, models: one.models, found)
    }
    return status
  }

  private func named(_ path: String) throws(ToolError) -> (name: String, bytes: StorageView) {
    do throws(ModelError) {
      return (String(path.split(separator: "/").last ?? ""), try MappedFile.open(path))
    } catch {
      throw ToolError(error, in: path)
    }
  }

  /// Our models that are on this machine: single files, and the members of bundles.
  private func allModels() throws -> [(name: String, bytes: StorageView)] {
    var models: [(name: String, bytes: StorageView)] = []
    for path in try ModelList.builtIn().files.compactMap(store.path(of:)) {
      if path.hasSuffix(".tflite") { models.append(try named(path)) }
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

  private func report(_ key: String, models: [String], _ found: [KernelMeasurement]) {
    if !arguments.has("--json") {
      console.print(key + (models.isEmpty ? "" : "  ×\(models.count) models"))
    }
    for one in found {
      let ratios = one.ratios(among: found)
      let verdict = baseline?.verdict(of: one)
      if arguments.has("--json") {
        var line = one.json(what: what, models: models, ratios: ratios)
        if let verdict { line = line.adding(verdict.json) }
        console.print(line.text)
      } else {
        console.print(one.text(ratios: ratios, verdict: verdict))
      }
    }
  }
}
