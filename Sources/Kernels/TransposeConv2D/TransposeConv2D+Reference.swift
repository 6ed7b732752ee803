extension Reference {
  /// TRANSPOSE_CONV, the convolution's gradient: every input pixel adds its multiple of the filter to
  /// the outputs its window covers. Written as a gather, so that each output is one sum.
  ///
  /// - `filter`: `[outputChannels, kernelHeight, kernelWidth, inputChannels]`.
  /// - `shape`: Its window is that of the convolution this one transposes: its "output" is our
  ///   input, its "input" our output.
  public static func transposeConv2D(
    input: UnsafePointer<Float>, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, shape: ConvolutionShape,
    activation: ClosedRange<Float>
  ) {
    let window = shape.window
    let depth = shape.inputChannels
    for n in 0..<shape.batch {
      for y in 0..<window.inputHeight {
        for x in 0..<window.inputWidth {
          for o in 0..<shape.outputChannels {
            var sum = 0.0
            window.forEachSource(row: y, column: x) { ky, kx, i, j in
              let pixel =
                input + ((n &* window.outputHeight &+ i) &* window.outputWidth &+ j) &* depth
              let taps =
                filter + ((o &* window.kernelHeight &+ ky) &* window.kernelWidth &+ kx) &* depth
              for c in 0..<depth { sum += Double(pixel[c]) * Double(taps[c]) }
            }
            if let bias { sum += Double(bias[o]) }
            let pixel = (n * window.inputHeight + y) * window.inputWidth + x
            output[pixel * shape.outputChannels + o] = clamp(Float(sum), activation)
          }
        }
      }
    }
  }
}

extension WindowGrid {
  /// Calls `body` with each window that covers the image's pixel (`row`, `column`), and the tap of the
  /// window that does.
  @inline(__always)
  func forEachSource(
    row: Int, column: Int, _ body: (_ ky: Int, _ kx: Int, _ i: Int, _ j: Int) -> Void
  ) {
    for ky in 0..<kernelHeight {
      let y = row &+ paddingTop &- ky &* dilationHeight
      if y < 0 || y % strideHeight != 0 || y / strideHeight >= outputHeight { continue }
      for kx in 0..<kernelWidth {
        let x = column &+ paddingLeft &- kx &* dilationWidth
        if x < 0 || x % strideWidth != 0 || x / strideWidth >= outputWidth { continue }
        body(ky, kx, y / strideHeight, x / strideWidth)
      }
    }
  }
}
