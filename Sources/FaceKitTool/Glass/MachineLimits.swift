import FaceKitKernels
import FaceKitModels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What this machine can do at most, measured now: the two lines of a roofline.
struct MachineLimits {
  /// Register-only multiply–adds of all threads.
  let peakGflops: Double
  /// Bytes read and written by a copy far larger than the caches, on one core.
  let bandwidthGBs: Double

  static func measure(_ options: EngineOptions) -> MachineLimits {
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

/// Which kernel computes a node, and why that one.
struct KernelChoice: Equatable {
  let name: String
  let reason: String

  /// The choice that `lower` makes for a node of a compiled graph.
  init(_ node: Graph.Node, in graph: Graph, options: EngineOptions) {
    let isa = options.isa.rawValue
    let isBlocked = node.outputs.first.map { graph.values[$0].layout == .blocked } ?? false
    switch (node.operator.name, node.operator.pattern) {
    case ("ROW_STREAM", _):
      name = "f32_conv_row + f32_depthwise_row, streamed, \(isa)"
      reason = "the maps between have no other reader: their rows stay in a ring in cache"
    case (_, .fusedConvolution) where node.operator.name.contains("DEPTHWISE"):
      name = "f32_depthwise_row, \(isa)"
      reason = "float map, channel multiplier 1"
    case (_, .fusedConvolution):
      name = "f32_conv_row, \(isa)"
      reason = "float map with constant weights, packed in panels at load"
    case (_, .blockedAdd), (_, .blockedActivation):
      name = "f32_elementwise, \(isa)"
      reason = "element by element, in whatever layout its maps have"
    case ("LAYER_NORM", _):
      name = "layer_normalization"
      reason = "mean, variance and scale in one pass over each row"
    case ("PACK_BLOCKED", _), ("UNPACK_BLOCKED", _):
      name = "layout copy"
      reason = "producer and consumer want different layouts"
    case ("MAX_POOL_2D", _) where isBlocked:
      name = "f32_max_pool_row, \(isa)"
      reason = "float map in the blocked layout"
    case ("CONV_2D", _) where options.backend == .blas,
      ("FULLY_CONNECTED", _) where options.backend == .blas:
      name = "BLAS matrix product"
      reason = "the back end 'blas' was asked for"
    default:
      name = "reference"
      reason =
        options.backend == .reference
        ? "the back end 'reference' was asked for" : "there is no other version for it here"
    }
  }
}
