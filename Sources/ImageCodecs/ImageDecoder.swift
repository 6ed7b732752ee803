import FaceKitImages

/// Pictures from bytes: sniffs the format, calls its decoder, stands the result upright.
enum ImageDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
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
}
