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
    case .gif: (image, orientation) = (try GIFDecoder.decode(bytes, options: options), .up)
    case .bmp: (image, orientation) = (try BMPDecoder.decode(bytes, options: options), .up)
    #if ImageLibraries && os(Linux)
      case .tiff: (image, orientation) = try TIFFDecoder.decode(bytes, options: options)
      // These libraries turn the picture themselves.
      case .heic, .avif:
        (image, orientation) = (try HEIFDecoder.decode(bytes, format, options: options), .up)
      case .jxl: (image, orientation) = (try JXLDecoder.decode(bytes, options: options), .up)
    #endif
    default: throw format.isNotRead
    }
    return options.appliesOrientation ? image.upright(from: orientation) : image
  }
}
