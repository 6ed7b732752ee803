import FaceKitKernels
import FaceKitModels
import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What this machine can do at most, measured now: the two lines of a roofline.
package struct MachineLimits {
  /// Register-only multiply–adds of all threads.
  package let peakGflops: Double
  /// Bytes read and written by a copy far larger than the caches, on one core.
  package let bandwidthGBs: Double

  package static func measure(_ options: EngineOptions) -> MachineLimits {
    MachineLimits(
      peakGflops: FMAPeak.gflops(options.isa) * Double(options.threads),
      bandwidthGBs: copyBandwidth())
  }

  private static func copyBandwidth() -> Double {
    let count = 64 << 20
    let source = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    let target = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    defer {
      source.deallocate()
      target.deallocate()
    }
    // Pages exist only once they were written.
    memset(source, 1, count)
    memset(target, 2, count)
    var best = 0.0
    var check = 0
    for round in 0..<5 {
      // A copy nobody reads would be left out.
      source.storeBytes(of: UInt8(round), toByteOffset: round << 20, as: UInt8.self)
      let start = Stopwatch.now
      memcpy(target, source, count)
      check += Int(target.load(fromByteOffset: round << 20, as: UInt8.self))
      best = max(best, Double(2 * count) / Double(max(1, Stopwatch.now - start)))
    }
    precondition(check == 10, "memcpy did not copy")
    return best
  }
}
