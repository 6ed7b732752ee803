import FaceKitTensor
import ToolSupport

/// What a layer produced, as a picture and in figures.
package struct FeatureMap {
  package let height: Int
  package let width: Int
  package let channels: Int
  /// `[height][width][channels]`.
  package let values: [Float]

  /// The first image of a tensor. Vectors are folded into a square; `nil` for what has no numbers.
  package init?(_ tensor: Tensor, quantization: Quantization? = nil) {
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
  package var deadChannels: [Int] {
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
  package var saturation: Double {
    let finite = values.filter(\.isFinite)
    guard let high = finite.max(), let low = finite.min(), high > low, high != 0 else { return 0 }
    return Double(finite.count { $0 == high }) / Double(finite.count)
  }

  package func flags(_ statistics: TensorStatistics) -> [String] {
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
}
