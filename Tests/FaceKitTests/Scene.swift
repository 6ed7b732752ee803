import FaceKit
import TestSupport

/// Made-up pictures.
enum Scene {
  static func noise(
    width: Int, height: Int, format: PixelFormat, padding: Int = 0, seed: UInt64 = 1
  ) throws -> MPImage {
    var random = LinearCongruentialGenerator(seed: seed)
    let stride = width * format.bytesPerPixel + padding
    let bytes = (0..<stride * height).map { _ in UInt8(random.int(0, 255)) }
    return try MPImage(
      copying: bytes, width: width, height: height, format: format, rowStride: stride)
  }

  /// The bytes of a pixel.
  static func pixel(_ image: MPImage, _ x: Int, _ y: Int) -> [UInt8] {
    let bytes = image.format.bytesPerPixel
    let start = y * image.rowStride + x * bytes
    return Array(image.pixels.bytes[start..<start + bytes])
  }

  /// An RGB picture in another format, with row padding, and written from right to left if `mirrored`.
  static func converted(
    _ image: MPImage, to format: PixelFormat, padding: Int, mirrored: Bool
  ) throws -> MPImage {
    let bytes = format.bytesPerPixel
    let stride = image.width * bytes + padding
    var pixels = [UInt8](repeating: 0xEE, count: stride * image.height)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let rgb = pixel(image, x, y)
        let to = y * stride + (mirrored ? image.width - 1 - x : x) * bytes
        let ordered = format == .bgra ? rgb.reversed() : rgb
        for (k, value) in ordered.enumerated() { pixels[to + k] = value }
      }
    }
    return try MPImage(
      copying: pixels, width: image.width, height: image.height, format: format, rowStride: stride)
  }
}
