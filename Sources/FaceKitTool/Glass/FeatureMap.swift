import FaceKit
import ImageCodecs
import FaceKitTensor

/// What a layer produced, as a picture and in figures.
struct FeatureMap {
  let height: Int
  let width: Int
  let channels: Int
  /// `[height][width][channels]`.
  let values: [Float]

  /// The first image of a tensor. Vectors are folded into a square; `nil` for what has no numbers.
  init?(_ tensor: Tensor, quantization: Quantization? = nil) {
    guard let numbers = tensor.numbers(quantization), !numbers.isEmpty else { return nil }
    var extents = tensor.shape.extents
    while extents.count > 3 { extents.removeFirst() }
    while extents.count < 3 { extents.insert(1, at: 0) }
    if extents[0] * extents[1] == 1 {
      // A vector: one value a pixel.
      let side = FeatureMap.ceilRoot(extents[2])
      (height, width, channels) = ((extents[2] + side - 1) / side, side, 1)
    } else if tensor.shape.rank < 4 {
      (height, width, channels) = (extents[0] * extents[1], extents[2], 1)
    } else {
      (height, width, channels) = (extents[0], extents[1], extents[2])
    }
    let count = height * width * channels
    // The rest of a folded vector's last row shows as not a number.
    values =
      Array(numbers.prefix(count))
      + [Float](repeating: .nan, count: max(0, count - numbers.count))
  }

  private static func ceilRoot(_ count: Int) -> Int {
    var side = 1
    while side * side < count { side += 1 }
    return side
  }

  // MARK: What is conspicuous

  /// Channels that have one value everywhere: whatever the picture, nothing is seen there.
  var deadChannels: [Int] {
    guard height * width > 1, channels > 1 else { return [] }
    return (0..<channels).filter { channel in
      let first = values[channel]
      var place = channel
      while place < values.count {
        if values[place] != first { return false }
        place += channels
      }
      return true
    }
  }

  /// Share of values that are the largest one: above a few per cent, a clamp cuts something off.
  /// Zero for maps that are constant, or whose largest value is zero.
  var saturation: Double {
    let finite = values.filter(\.isFinite)
    guard let high = finite.max(), let low = finite.min(), high > low, high != 0 else { return 0 }
    return Double(finite.count { $0 == high }) / Double(finite.count)
  }

  func flags(_ statistics: TensorStatistics) -> [String] {
    var flags: [String] = []
    let dead = deadChannels
    if !dead.isEmpty {
      let list = dead.prefix(8).map(String.init).joined(separator: ", ")
      flags.append(
        "\(dead.count) of \(channels) channels dead (\(list)\(dead.count > 8 ? ", …" : ""))")
    }
    if saturation > 0.01 {
      flags.append("\(Formatting.fixed(100 * saturation, 0)) % saturated at \(statistics.maximum)")
    }
    let zeros = Double(statistics.zeros) / Double(max(1, statistics.count))
    if zeros > 0.9 { flags.append("\(Formatting.fixed(100 * zeros, 0)) % zeros") }
    if statistics.notFinite > 0 { flags.append("\(statistics.notFinite) values not finite") }
    return flags
  }

  // MARK: The picture

  /// Width and height of the picture that ``image(largestTile:)`` makes, and how the channels are tiled.
  struct Tiling: Equatable {
    let columns: Int
    let rows: Int
    /// Pixels for each value.
    let zoom: Int
    /// Values left out between two shown, for maps larger than a tile may be.
    let step: Int

    init(height: Int, width: Int, channels: Int, largestTile: Int = 128) {
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

    static let smallestTile = 48
  }

  /// The half-percent and the 99.5 % quantile, of a sample: a few outliers, at borders mostly, would leave
  /// the rest in one colour.
  var range: (low: Float, high: Float) {
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
  func image(largestTile: Int = 128) throws(FaceKitError) -> MPImage {
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

enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Source: RFC 4648, section 4.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let (a, b, c) = (
        bytes[index], rest > 1 ? bytes[index + 1] : 0, rest > 2 ? bytes[index + 2] : 0
      )
      text.append(letters[Int(a >> 2)])
      text.append(letters[Int((a & 3) << 4 | b >> 4)])
      text.append(rest > 1 ? letters[Int((b & 15) << 2 | c >> 6)] : UInt8(ascii: "="))
      text.append(rest > 2 ? letters[Int(c & 63)] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
