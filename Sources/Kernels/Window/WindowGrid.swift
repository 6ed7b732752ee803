/// A window and the maps it slides over, of a convolution or a pool.
///
/// Along each axis, output `i` reads the input at
/// `i · stride − padding + k · dilation` for every tap `k`, and taps outside the image do not count.
public struct WindowGrid: Sendable, Hashable {
  public var inputHeight, inputWidth: Int
  public var kernelHeight, kernelWidth: Int
  public var strideHeight, strideWidth: Int
  public var dilationHeight, dilationWidth: Int
  public var outputHeight, outputWidth: Int
  /// Rows and columns of padding before the image; what follows it is implied by the output extent.
  public var paddingTop, paddingLeft: Int

  public init(
    input: (height: Int, width: Int), kernel: (height: Int, width: Int),
    stride: (height: Int, width: Int), dilation: (height: Int, width: Int) = (1, 1),
    output: (height: Int, width: Int), padding: (top: Int, left: Int)
  ) {
    (inputHeight, inputWidth) = input
    (kernelHeight, kernelWidth) = kernel
    (strideHeight, strideWidth) = stride
    (dilationHeight, dilationWidth) = dilation
    (outputHeight, outputWidth) = output
    (paddingTop, paddingLeft) = padding
  }

  /// Whether every output reads exactly the pixel it lies on: a 1×1 convolution is a matrix product.
  public var isPointwise: Bool {
    kernelHeight == 1 && kernelWidth == 1 && strideHeight == 1 && strideWidth == 1
      && paddingTop == 0 && paddingLeft == 0 && outputHeight == inputHeight
      && outputWidth == inputWidth
  }

  /// The same pool with a window no larger than what any output can see of the image: a global pool
  /// may well be written as one of 2³¹ rows.
  ///
  /// Only for windows without dilation and without weights.
  public func cropped() -> WindowGrid {
    var grid = self
    (grid.kernelHeight, grid.paddingTop) = WindowGrid.crop(
      kernelHeight, paddingTop, input: inputHeight, reach: (outputHeight - 1) * strideHeight)
    (grid.kernelWidth, grid.paddingLeft) = WindowGrid.crop(
      kernelWidth, paddingLeft, input: inputWidth, reach: (outputWidth - 1) * strideWidth)
    return grid
  }

  /// Drops the taps that even the last output, `reach` pixels on, has before the image, and those that
  /// even the first has behind it.
  private static func crop(
    _ kernel: Int, _ padding: Int, input: Int, reach: Int
  ) -> (kernel: Int, padding: Int) {
    let before = min(max(0, padding - max(0, reach)), kernel - 1)
    let padding = padding - before
    return (max(1, min(kernel - before, input + padding)), padding)
  }

  /// Calls `body` with each tap of the window of output (`row`, `column`) that lies in the image:
  /// the tap's place in the kernel and the pixel it reads.
  @inline(__always)
  func forEachTap(
    row: Int, column: Int, _ body: (_ ky: Int, _ kx: Int, _ y: Int, _ x: Int) -> Void
  ) {
    // Wrapping, because this is the innermost arithmetic of pools and convolutions. Whoever makes the grid
    // checks its extents, and every place is held against the image before it is read.
    for ky in 0..<kernelHeight {
      let y = row &* strideHeight &- paddingTop &+ ky &* dilationHeight
      if y < 0 || y >= inputHeight { continue }
      for kx in 0..<kernelWidth {
        let x = column &* strideWidth &- paddingLeft &+ kx &* dilationWidth
        if x < 0 || x >= inputWidth { continue }
        body(ky, kx, y, x)
      }
    }
  }
}
