import CPNG
import FaceKitImages

/// PNG through libpng: all bit depths and colour types, interlaced or not.
enum PNGDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> (DecodedImage, ImageOrientation) {
    let header = try PNGChunks.header(bytes)
    try options.check(width: header.width, height: header.height)

    var reader = facekit_png_reader()
    defer { facekit_png_end(&reader) }
    let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    guard facekit_png_begin(&reader, start, bytes.count) == 0 else { throw fault(reader) }
    guard Int(reader.width) == header.width, Int(reader.height) == header.height else {
      throw ImageError(.corrupt, "the PNG has two headers")
    }
    let image = DecodedImage(width: header.width, height: header.height)
    guard facekit_png_rows(&reader, image.pixels, 3 * image.width) == 0 else {
      throw fault(reader)
    }
    return (image, PNGChunks.orientation(bytes))
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

/// A walk over a PNG's chunks: big-endian length, four letters, data, CRC.
enum PNGChunks {
  private static let signatureLength = 8

  /// The picture's extents, from the first chunk.
  static func header(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ImageError) -> (width: Int, height: Int) {
    guard bytes.count >= signatureLength + 8 + 13 else {
      throw ImageError(.truncated, "the PNG ends inside its header", byte: bytes.count)
    }
    guard name(bytes, signatureLength) == Array("IHDR".utf8) else {
      throw ImageError(.corrupt, "the PNG does not start with its header", byte: signatureLength)
    }
    return (number(bytes, signatureLength + 8), number(bytes, signatureLength + 12))
  }

  /// The orientation in an `eXIf` chunk, which may come before or after the pixels.
  static func orientation(_ bytes: UnsafeRawBufferPointer) -> ImageOrientation {
    var offset = signatureLength
    while bytes.count - offset >= 12 {
      let length = number(bytes, offset)
      guard length <= bytes.count - offset - 12 else { break }
      if name(bytes, offset) == Array("eXIf".utf8) {
        let data = bytes[(offset + 8)..<(offset + 8 + length)]
        return EXIF.orientation(tiff: UnsafeRawBufferPointer(rebasing: data))
      }
      offset += 12 + length
    }
    return .up
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private static func name(_ bytes: UnsafeRawBufferPointer, _ chunk: Int) -> [UInt8] {
    Array(bytes[(chunk + 4)..<(chunk + 8)])
  }
}
