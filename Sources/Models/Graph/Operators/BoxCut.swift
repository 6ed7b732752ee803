import FaceKitKernels
import FaceKitTensor

/// A box cut out of a tensor, possibly with steps: what SLICE, STRIDED_SLICE and SPLIT copy.
struct BoxCut {
  /// Per axis of the input: first element, step, and number of elements.
  var start: [Int] = []
  var step: [Int] = []
  var count: [Int] = []

  /// The copy from `input` to a packed tensor of `count` elements.
  func copy(of input: Shape, width: Int) -> StridedCopy {
    let strides = input.strides
    var offset = 0
    for axis in strides.indices where count[axis] > 0 { offset += start[axis] * strides[axis] }
    // An empty cut copies nothing, wherever it starts.
    return StridedCopy(
      extents: count, source: strides.indices.map { strides[$0] * step[$0] },
      sourceOffset: offset, destination: Shape(count).strides, width: width)
  }
}
