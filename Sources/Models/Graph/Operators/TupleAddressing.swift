import FaceKitKernels
import FaceKitTensor

/// The axes that index tuples address, and the blocks they name: GATHER_ND and SCATTER_ND.
struct TupleAddressing {
  var extents: Dimensions
  /// In blocks.
  var strides: Dimensions
  var tuples: Int
  /// Elements of a block.
  var block: Int

  /// - `indices`: `[…, depth]`; each tuple of `depth` indices addresses the leading axes of `shape`.
  init(indices: Shape, addressing shape: Shape) throws(ModelError) {
    guard let depth = indices.extents.last, depth >= 0, depth <= shape.rank else {
      throw ModelError(.shape, "index tuples \(indices) for a tensor \(shape)")
    }
    let leading = Shape([Int](shape.extents[..<depth]))
    extents = Dimensions(leading.extents)
    strides = Dimensions(leading.strides)
    tuples = indices.extents.dropLast().reduce(1, *)
    block = shape.extents[depth...].reduce(1, *)
  }
}
