import FaceKitKernels
import FaceKitModels
import FaceKitTensor
import ToolSupport

/// Every kernel × the shapes our models have × instruction sets × back ends. Each way is first held against
/// the reference; a wrong one is reported and not timed.
package enum KernelBenchmark {
  /// Register-only multiply–adds of every tier of this machine.
  package static func peaks() -> [InstructionSet: Double] {
    Dictionary(uniqueKeysWithValues: InstructionSet.available.map { ($0, FMAPeak.gflops($0)) })
  }

  /// The distinct operators of models, or with `passes` the distinct groups of operators that run as one
  /// node, each with the models that have it.
  ///
  /// With a `filter`, only those whose operators, shapes or attributes contain it, whatever its case.
  package static func cases(
    of models: [(name: String, bytes: StorageView)], passes: Bool, filter: String?
  ) throws(ToolError) -> [KernelCase] {
    var cases: [KernelCase] = []
    for (name, bytes) in models {
      let found: [KernelCase]
      do throws(ModelError) {
        let graph = try TFLiteModel(bytes).makeGraph()
        found =
          try passes
          ? KernelCase.stages(of: graph, model: name) : KernelCase.kernels(of: graph, model: name)
      } catch {
        throw ToolError(error, in: name)
      }
      for one in found where filter.map({ one.key.lowercased().contains($0.lowercased()) }) ?? true
      {
        if let known = cases.firstIndex(where: { $0.key == one.key }) {
          cases[known].models.append(name)
        } else {
          cases.append(one)
        }
      }
    }
    return cases
  }

  /// Computes a case in every way, compares, and takes the times of `repetitions` runs in turns.
  package static func measure(
    _ piece: KernelCase, _ variants: [KernelVariant], _ peaks: [InstructionSet: Double],
    repetitions: Int
  ) throws(ModelError) -> [KernelMeasurement] {
    var reference: [[Float]] = []
    var entries: [(variant: KernelVariant, session: Session, error: Double, isCorrect: Bool)] = []
    for variant in variants {
      let compiled = try CompiledModel(graph: piece.graph, options: variant.options)
      if !compiled.hasOwnKernels { continue }
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
  package static let tolerance = 1e-4

  package static func error(_ outputs: [[Float]], _ reference: [[Float]]) -> Double {
    var worst = 0.0
    for (output, expected) in zip(outputs, reference) {
      let scale = Double(expected.reduce(0) { max($0, abs($1)) }) + 1e-2
      for (a, b) in zip(output, expected) {
        let difference = abs(Double(a) - Double(b)) / scale
        // A NaN compares as nothing; it must not pass.
        worst = difference.isNaN ? .infinity : max(worst, difference)
      }
    }
    return worst
  }
}

extension CompiledModel {
  /// Whether every operator got a kernel of the back end it was compiled for: with one that fell back on
  /// the reference among them, a case would time the reference.
  fileprivate var hasOwnKernels: Bool {
    zip(graph.nodes, kernels).allSatisfy { node, choice in
      node.sources.isEmpty || choice.kernel.backend == options.backend
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
