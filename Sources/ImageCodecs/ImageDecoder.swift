/// Pictures from bytes and files.
///
/// The result is what Pillow gives for `convert("RGB")` after applying the EXIF orientation: gray is
/// replicated, 16-bit samples keep their high byte, alpha is dropped without blending, and ICC
/// profiles, gamma and colour keys do not change the colour.
public enum ImageDecoder {
  /// Decodes a whole file held in memory.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions = .init()
  ) throws(ImageError) -> DecodedImage {
    guard bytes.count > 0 else { throw ImageError(.truncated, "the picture is empty") }
    guard bytes.count <= options.maximumBytes else {
      throw ImageError(
        .tooLarge, "the data has \(bytes.count) bytes, and the limit is \(options.maximumBytes)")
    }
    guard let format = ImageFormat.of(bytes) else {
      throw ImageError(.notAnImage, "the data is not a picture this program knows")
    }
    let orientation: ImageOrientation
    let image: DecodedImage
    switch format {
    case .jpeg: (image, orientation) = try JPEGDecoder.decode(bytes, options: options)
    case .png: (image, orientation) = try PNGDecoder.decode(bytes, options: options)
    case .webp: (image, orientation) = try WebPDecoder.decode(bytes, options: options)
    case .pnm: (image, orientation) = (try PNMDecoder.decode(bytes, options: options), .up)
    }
    return options.appliesOrientation ? image.upright(from: orientation) : image
  }

  /// Decodes a whole file held in memory.
  public static func decode(
    _ bytes: [UInt8], options: ImageDecodingOptions = .init()
  ) throws(ImageError) -> DecodedImage {
    // withUnsafeBytes rethrows untyped in this form, so the outcome travels as a value.
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(ImageError) in try decode(bytes, options: options) }
    }
    return try outcome.get()
  }

  /// Reads and decodes a file. Its content decides the format, not its name.
  public static func decode(
    contentsOf path: String, options: ImageDecodingOptions = .init()
  ) throws(ImageError) -> DecodedImage {
    do {
      let file = try FileBytes(path, limit: options.maximumBytes)
      return try decode(file.bytes, options: options)
    } catch {
      throw error.placed(in: path)
    }
  }
}
