import CPNG
import FaceKitImages

/// PNG through libpng: all bit depths and colour types, interlaced or not.
enum PNGDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> (DecodedImage, ImageOrientation) {
    let chunks = try PNGChunks(bytes)
    let (width, height) = (chunks.width, chunks.height)
    try options.check(width: width, height: height)
    guard chunks.isPlausible else {
      throw ImageError(
        .truncated, "the PNG has too few bytes for \(width)×\(height) pixels", byte: bytes.count)
    }

    var reader = facekit_png_reader()
    defer { facekit_png_end(&reader) }
    let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    guard facekit_png_begin(&reader, start, bytes.count) == 0 else { throw fault(reader) }
    guard Int(reader.width) == width, Int(reader.height) == height else {
      throw ImageError(.corrupt, "the PNG has two headers")
    }
    let image = DecodedImage(width: width, height: height)
    guard facekit_png_rows(&reader, image.pixels, 3 * image.width) == 0 else {
      throw fault(reader)
    }
    return (image, chunks.metadata.resolved)
  }

  private static func fault(_ reader: facekit_png_reader) -> ImageError {
    if reader.ranOut != 0 {
      return ImageError(.truncated, "the PNG ends before its picture", byte: reader.count)
    }
    let message = withUnsafeBytes(of: reader.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ImageError(
      .corrupt, "the PNG cannot be decoded (\(message))", byte: reader.offset)
  }
}
