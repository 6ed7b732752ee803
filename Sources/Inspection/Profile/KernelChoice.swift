import FaceKitKernels
import FaceKitModels

/// Which kernel computes a node, and why that one.
package struct KernelChoice: Equatable {
  package let name: String
  package let reason: String

  /// The choice that `lower` makes for a node of a compiled graph.
  package init(_ node: Graph.Node, in graph: Graph, options: EngineOptions) {
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
