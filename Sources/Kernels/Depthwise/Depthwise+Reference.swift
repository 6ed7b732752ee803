extension Reference {
  /// DEPTHWISE_CONV_2D: output channel `o` reads input channel `o / multiplier` only.
  ///
  /// - `filter`: `[1, kernelHeight, kernelWidth, outputChannels]`.
  public static func depthwiseConv2D(
    input: UnsafePointer<Float>, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, shape: ConvolutionShape,
    activation: ClosedRange<Float>
  ) {
    let window = shape.window
    let multiplier = shape.outputChannels / shape.inputChannels
    for n in 0..<shape.batch {
      for i in 0..<window.outputHeight {
        for j in 0..<window.outputWidth {
          for o in 0..<shape.outputChannels {
            var sum = 0.0
            window.forEachTap(row: i, column: j) { ky, kx, y, x in
              let pixel = input[shape.input(n, y, x) + o / multiplier]
              let tap = filter[(ky * window.kernelWidth + kx) * shape.outputChannels + o]
              sum += Double(pixel) * Double(tap)
            }
            if let bias { sum += Double(bias[o]) }
            output[shape.output(n, i, j) + o] = clamp(Float(sum), activation)
          }
        }
      }
    }
  }
}
