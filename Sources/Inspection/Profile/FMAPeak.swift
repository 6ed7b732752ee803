import FaceKitKernels
import ToolSupport

/// What one core can do with register-only multiply–adds.
package enum FMAPeak {
  package static func gflops(_ isa: InstructionSet) -> Double {
    guard isa.isAvailable else { return .nan }
    let kernels = isa.microkernels
    var best = 0.0
    for _ in 0..<5 {
      let start = Stopwatch.now
      let operations = kernels.fmaPeak(200_000)
      best = max(best, Double(operations) / Double(max(1, Stopwatch.now - start)))
    }
    return best
  }
}
