/// The window of a convolution or pooling, in pixels.
public struct WindowGeometry: Sendable, Hashable {
  public var kernelHeight: Int
  public var kernelWidth: Int
  public var strideHeight: Int
  public var strideWidth: Int
  public var dilationHeight: Int
  public var dilationWidth: Int
  /// Zeros above and left of the map; those below and right follow from the output's size.
  public var padTop: Int
  public var padLeft: Int

  public init(
    kernelHeight: Int, kernelWidth: Int, strideHeight: Int = 1, strideWidth: Int = 1,
    dilationHeight: Int = 1, dilationWidth: Int = 1, padTop: Int = 0, padLeft: Int = 0
  ) {
    self.kernelHeight = kernelHeight
    self.kernelWidth = kernelWidth
    self.strideHeight = strideHeight
    self.strideWidth = strideWidth
    self.dilationHeight = dilationHeight
    self.dilationWidth = dilationWidth
    self.padTop = padTop
    self.padLeft = padLeft
  }

  public var isPointwise: Bool {
    kernelHeight == 1 && kernelWidth == 1 && strideHeight == 1 && strideWidth == 1
      && padTop == 0 && padLeft == 0
  }

  /// The kernel rows that meet the map for output row `y`.
  func kernelRows(outputRow y: Int, inputHeight: Int) -> Range<Int> {
    let start = y * strideHeight - padTop
    let first = start >= 0 ? 0 : (-start + dilationHeight - 1) / dilationHeight
    let room = inputHeight - 1 - start
    let end = room < 0 ? first : min(kernelHeight, room / dilationHeight + 1)
    return first..<max(first, end)
  }

  /// The input row under kernel row `k` for output row `y`.
  func inputRow(outputRow y: Int, kernelRow k: Int) -> Int {
    y * strideHeight - padTop + k * dilationHeight
  }

  /// The output columns whose whole window lies inside a row of `inputWidth` pixels.
  func insideColumns(outputWidth: Int, inputWidth: Int) -> Range<Int> {
    let first = min(outputWidth, (padLeft + strideWidth - 1) / strideWidth)
    let lastStart = inputWidth - 1 - (kernelWidth - 1) * dilationWidth + padLeft
    let end = lastStart < 0 ? first : min(outputWidth, lastStart / strideWidth + 1)
    return first..<max(first, end)
  }
}
