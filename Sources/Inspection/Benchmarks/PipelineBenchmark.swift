import FaceKit
import FaceKitKernels
import FaceKitModels
import ToolSupport

/// Every step of the landmarker on a picture, from pixels to smoothed landmarks, on every instruction set of
/// this machine.
package struct PipelineBenchmark {
  private let repetitions: Int
  private let models: FaceModels
  private let filter: String?

  package init(models: FaceModels, repetitions: Int, filter: String?) {
    self.models = models
    self.repetitions = repetitions
    self.filter = filter?.lowercased()
  }

  /// The measurements of each step, tiers in turns.
  package func run(_ image: MPImage, peaks: [InstructionSet: Double]) throws
    -> [[KernelMeasurement]]
  {
    var tiers: [(isa: InstructionSet, stages: [PipelineStages.Stage])] = []
    for isa in InstructionSet.available {
      var engine = EngineOptions(backend: .simd)
      engine.isa = isa
      tiers.append((isa, try PipelineStages(models: models, image: image, engine: engine).all))
    }
    var found: [[KernelMeasurement]] = []
    for index in tiers[0].stages.indices {
      let key = "\(tiers[0].stages[index].name), \(image.width)×\(image.height)"
      guard filter == nil || key.lowercased().contains(filter!) else { continue }
      let times = try measure(tiers.map { $0.stages[index] })
      found.append(
        zip(tiers, times).map { tier, timing in
          KernelMeasurement(
            key: key, variant: tier.isa.rawValue, minimumUs: timing.minimum * 1000,
            medianUs: timing.median * 1000, operations: 2 * tier.stages[index].multiplyAccumulates,
            error: 0, isCorrect: true, peakGflops: peaks[tier.isa] ?? .nan)
        })
    }
    return found
  }

  /// Times of one run of each stage, taken in turns.
  private func measure(_ stages: [PipelineStages.Stage]) throws -> [Timing] {
    // A step may be over before the clock has moved: so many runs at a time that it takes 50 µs.
    let batches = try stages.map { stage in
      for _ in 0..<3 { try stage.run() }
      let start = Stopwatch.now
      try stage.run()
      return max(1, Int(50_000 / max(1, Stopwatch.now - start)))
    }
    var times = [[UInt64]](repeating: [], count: stages.count)
    for _ in 0..<repetitions {
      for (index, stage) in stages.enumerated() {
        let start = Stopwatch.now
        for _ in 0..<batches[index] { try stage.run() }
        times[index].append(Stopwatch.now - start)
      }
    }
    return zip(times, batches).map { Timing($0, runs: $1) }
  }
}
