import FaceKitKernels
import FaceKitTensor

/// How far a convolution or a pool sees over the border of its input.
package enum Padding: Hashable, Sendable {
  /// As many zeros as make the output `ceil(input / stride)`; an odd one goes to the bottom or right.
  case same
  /// None.
  case valid
  /// So many rows and columns on each side: what a fused PAD leaves.
  case explicit(top: Int, left: Int, bottom: Int, right: Int)

  /// As reports print it.
  package var name: String {
    switch self {
    case .same: "same"
    case .valid: "valid"
    case .explicit(let top, let left, let bottom, let right): "\(top),\(left),\(bottom),\(right)"
    }
  }
}

extension WindowGrid {
  /// Places a window on an NHWC input: TensorFlow's rules for output extents and padding.
  init(
    input: Shape, kernel: (height: Int, width: Int), stride: (height: Int, width: Int),
    dilation: (height: Int, width: Int) = (1, 1), padding: Padding
  ) throws(ModelError) {
    let vertical: (output: Int, before: Int)
    let horizontal: (output: Int, before: Int)
    switch padding {
    case .same:
      vertical = try WindowGrid.same(input[1], kernel.height, stride.height, dilation.height)
      horizontal = try WindowGrid.same(input[2], kernel.width, stride.width, dilation.width)
    case .valid:
      vertical = try WindowGrid.padded(
        input[1], kernel.height, stride.height, dilation.height, (0, 0))
      horizontal = try WindowGrid.padded(
        input[2], kernel.width, stride.width, dilation.width, (0, 0))
    case .explicit(let top, let left, let bottom, let right):
      vertical = try WindowGrid.padded(
        input[1], kernel.height, stride.height, dilation.height, (top, bottom))
      horizontal = try WindowGrid.padded(
        input[2], kernel.width, stride.width, dilation.width, (left, right))
    }
    self.init(
      input: (input[1], input[2]), kernel: kernel, stride: stride, dilation: dilation,
      output: (vertical.output, horizontal.output), padding: (vertical.before, horizontal.before))
  }

  /// Extent of a kernel whose taps are spread by the dilation.
  private static func reach(_ kernel: Int, _ dilation: Int) throws(ModelError) -> Int {
    try (kernel - 1).times(dilation).plus(1)
  }

  private static func same(
    _ input: Int, _ kernel: Int, _ stride: Int, _ dilation: Int
  ) throws(ModelError) -> (output: Int, before: Int) {
    let reach = try reach(kernel, dilation)
    let output = input / stride + (input % stride == 0 ? 0 : 1)
    // An empty input has an empty output, and no window to pad for.
    let total = output == 0 ? 0 : try (output - 1).times(stride).plus(reach) - input
    return (output, Swift.max(0, total) / 2)
  }

  private static func padded(
    _ input: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, _ padding: (Int, Int)
  ) throws(ModelError) -> (output: Int, before: Int) {
    let reach = try reach(kernel, dilation)
    let extent = try input.plus(padding.0).plus(padding.1)
    guard reach <= extent else {
      throw ModelError(.shape, "a window of \(reach) does not fit into \(extent)")
    }
    return ((extent - reach) / stride + 1, padding.0)
  }
}
