import FaceKit

extension FeatureMap {
  /// Width and height of the picture that ``image(largestTile:)`` makes, and how the channels are tiled.
  package struct Tiling: Equatable {
    package let columns: Int
    package let rows: Int
    /// Pixels for each value.
    package let zoom: Int
    /// Values left out between two shown, for maps larger than a tile may be.
    package let step: Int

    package init(height: Int, width: Int, channels: Int, largestTile: Int = 128) {
      step = max(1, (max(height, width) + largestTile - 1) / largestTile)
      zoom = max(1, Tiling.smallestTile / max(height, width, 1))
      let tileWidth = (width + step - 1) / step * zoom + 1
      let tileHeight = (height + step - 1) / step * zoom + 1
      // About square, and never beyond what a decoder takes.
      var columns = 1
      while columns * tileWidth < (channels + columns - 1) / columns * tileHeight { columns += 1 }
      self.columns = min(columns, channels)
      rows = (channels + self.columns - 1) / self.columns
    }

    package static let smallestTile = 48
  }

  /// The half-percent and the 99.5 % quantile, of a sample: a few outliers, at borders mostly, would leave
  /// the rest in one colour.
  package var range: (low: Float, high: Float) {
    var step = max(1, values.count / 20_000)
    // Coprime to the channels, or the sample would come from some of them only.
    while FeatureMap.commonDivisor(step, channels) > 1 { step += 1 }
    let sample = stride(from: 0, to: values.count, by: step).map { values[$0] }
      .filter(\.isFinite).sorted()
    guard !sample.isEmpty else { return (0, 0) }
    return (sample[sample.count / 200], sample[sample.count - 1 - sample.count / 200])
  }

  private static func commonDivisor(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// All channels side by side, channel 0 top left, dark to light over ``range``.
  package func image(largestTile: Int = 128) throws(FaceKitError) -> MPImage {
    let tiling = Tiling(
      height: height, width: width, channels: channels, largestTile: largestTile)
    let (low, high) = range
    let scale = high > low ? 255 / (high - low) : 0
    let tileWidth = (width + tiling.step - 1) / tiling.step * tiling.zoom + 1
    let tileHeight = (height + tiling.step - 1) / tiling.step * tiling.zoom + 1
    let (pictureWidth, pictureHeight) = (
      tiling.columns * tileWidth - 1, tiling.rows * tileHeight - 1
    )
    var pixels = [UInt8](repeating: 96, count: pictureWidth * pictureHeight * 3)
    let colors = ColorMap.colors
    for channel in 0..<channels {
      let left = channel % tiling.columns * tileWidth
      let top = channel / tiling.columns * tileHeight
      for y in 0..<(tileHeight - 1) {
        for x in 0..<(tileWidth - 1) {
          let value = values[
            ((y / tiling.zoom * tiling.step) * width + x / tiling.zoom * tiling.step) * channels
              + channel]
          guard value.isFinite else { continue }
          let color = colors[Int(min(max((value - low) * scale, 0), 255))]
          let pixel = ((top + y) * pictureWidth + left + x) * 3
          pixels[pixel] = color.red
          pixels[pixel + 1] = color.green
          pixels[pixel + 2] = color.blue
        }
      }
    }
    return try MPImage(copying: pixels, width: pictureWidth, height: pictureHeight, format: .rgb)
  }
}
