import FaceKitImages

extension DecodedImage {
  /// The picture turned upright. In place where rows stay rows; a quarter turn needs a second buffer.
  consuming func upright(from orientation: ImageOrientation) -> DecodedImage {
    switch orientation {
    case .up: break
    case .upMirrored: mirrorRows()
    case .down: reversePixels()
    case .downMirrored: swapRows()
    case .leftMirrored: return transposed(flipX: false, flipY: false)
    case .right: return transposed(flipX: true, flipY: false)
    case .rightMirrored: return transposed(flipX: true, flipY: true)
    case .left: return transposed(flipX: false, flipY: true)
    }
    return self
  }

  private func swapPixels(_ a: Int, _ b: Int) {
    for channel in 0..<3 {
      let kept = pixels[3 * a + channel]
      pixels[3 * a + channel] = pixels[3 * b + channel]
      pixels[3 * b + channel] = kept
    }
  }

  private func mirrorRows() {
    for y in 0..<height {
      for x in 0..<(width / 2) { swapPixels(y * width + x, y * width + width - 1 - x) }
    }
  }

  private func reversePixels() {
    let count = width * height
    for i in 0..<(count / 2) { swapPixels(i, count - 1 - i) }
  }

  private func swapRows() {
    for y in 0..<(height / 2) {
      for x in 0..<width { swapPixels(y * width + x, (height - 1 - y) * width + x) }
    }
  }

  /// Rows become columns; afterwards columns (`flipX`) and rows (`flipY`) may be reversed.
  private func transposed(flipX: Bool, flipY: Bool) -> DecodedImage {
    let result = DecodedImage(width: height, height: width)
    let from = pixels
    let to = result.pixels
    // Tiles, because a plain transposition of a large picture misses the cache on every pixel.
    let tile = 32
    for tileY in stride(from: 0, to: height, by: tile) {
      for tileX in stride(from: 0, to: width, by: tile) {
        for y in tileY..<min(tileY + tile, height) {
          let newX = flipX ? height - 1 - y : y
          for x in tileX..<min(tileX + tile, width) {
            let newY = flipY ? width - 1 - x : x
            let source = 3 * (y * width + x)
            let target = 3 * (newY * height + newX)
            to[target] = from[source]
            to[target + 1] = from[source + 1]
            to[target + 2] = from[source + 2]
          }
        }
      }
    }
    return result
  }
}
