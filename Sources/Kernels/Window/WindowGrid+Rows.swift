// What row kernels ask of a window: which taps meet the map, so that no kernel tests a border in its
// inner loop.
extension WindowGrid {
  /// The kernel rows that meet the map for output row `y`.
  func kernelRows(outputRow y: Int) -> Range<Int> {
    let start = y &* strideHeight &- paddingTop
    let below = inputHeight &- 1 &- start
    // Asked for every row, so the divisions are left to dilated windows.
    if dilationHeight == 1 {
      let first = max(0, -start)
      return first..<max(first, min(kernelHeight, below &+ 1))
    }
    let first = start >= 0 ? 0 : (-start + dilationHeight - 1) / dilationHeight
    let end = below < 0 ? first : min(kernelHeight, below / dilationHeight + 1)
    return first..<max(first, end)
  }

  /// The input row under kernel row `k` for output row `y`.
  func inputRow(outputRow y: Int, kernelRow k: Int) -> Int {
    y &* strideHeight &- paddingTop &+ k &* dilationHeight
  }

  /// The output columns whose whole window lies inside a row.
  var insideColumns: Range<Int> {
    let first = min(outputWidth, (paddingLeft + strideWidth - 1) / strideWidth)
    let lastStart = inputWidth - 1 - (kernelWidth - 1) * dilationWidth + paddingLeft
    let end = lastStart < 0 ? first : min(outputWidth, lastStart / strideWidth + 1)
    return first..<max(first, end)
  }
}
