extension Reference {
  /// What follows the sums of a fused convolution, in place: the residual, then PReLU or a clamp.
  ///
  /// - Parameters:
  ///   - output: `[pixels][channels]`, the sums.
  ///   - pixels: pixels of all images.
  ///   - channels: channels of the output.
  ///   - residual: `[pixels][residualChannels]`, added to the first channels; `nil` for none.
  ///   - residualChannels: at most `channels`.
  ///   - slopes: one for each channel, for negative values; `nil` for none.
  ///   - bounds: what values are clamped to.
  public static func addAndActivate(
    _ output: UnsafeMutablePointer<Float>, pixels: Int, channels: Int,
    residual: UnsafePointer<Float>?, residualChannels: Int, slopes: UnsafePointer<Float>?,
    bounds: ClosedRange<Float>
  ) {
    for pixel in 0..<pixels {
      for channel in 0..<channels {
        var value = output[pixel * channels + channel]
        if let residual, channel < residualChannels {
          value += residual[pixel * residualChannels + channel]
        }
        if let slopes, value < 0 { value *= slopes[channel] }
        output[pixel * channels + channel] = clamp(value, bounds)
      }
    }
  }
}
