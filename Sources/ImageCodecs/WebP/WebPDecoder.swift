import CWebP
import FaceKitImages

/// WebP through libwebp: lossy and lossless still pictures, with or without alpha.
enum WebPDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> (DecodedImage, ImageOrientation) {
    let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeaturesInternal(
      start, bytes.count, &features, WEBP_DECODER_ABI_VERSION)
    guard status == VP8_STATUS_OK else { throw fault(status, bytes.count) }
    let (width, height) = (Int(features.width), Int(features.height))
    try options.check(width: width, height: height)
    guard features.has_animation == 0 else {
      throw ImageError(
        .unsupported, "animated WebP is not decoded", advice: "export one frame as a still picture")
    }

    let image = DecodedImage(width: width, height: height)
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION) != 0 else {
      throw ImageError(.unsupported, "libwebp has another version than its headers")
    }
    config.output.colorspace = MODE_RGB
    config.output.is_external_memory = 1
    config.output.u.RGBA = WebPRGBABuffer(
      rgba: image.pixels, stride: Int32(3 * width), size: image.rgb.count)
    let decoded = WebPDecode(start, bytes.count, &config)
    guard decoded == VP8_STATUS_OK else { throw fault(decoded, bytes.count) }
    return (image, orientation(bytes))
  }

  private static func fault(_ status: VP8StatusCode, _ count: Int) -> ImageError {
    switch status {
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
      ImageError(.truncated, "the WebP ends before its picture", byte: count)
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      ImageError(.unsupported, "the WebP uses a feature that libwebp does not decode")
    default:
      ImageError(.corrupt, "the WebP cannot be decoded (libwebp status \(status.rawValue))")
    }
  }

  /// The orientation in the container's `EXIF` or `XMP ` chunk.
  static func orientation(_ bytes: UnsafeRawBufferPointer) -> ImageOrientation {
    var metadata = OrientationMetadata()
    var offset = 12
    while bytes.count - offset >= 8 {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
      guard length <= bytes.count - offset - 8 else { break }
      let data = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)..<(offset + 8 + length)])
      switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
      case "EXIF" where metadata.exif == nil: metadata.exif = EXIF.orientation(tiff: data)
      case "XMP " where metadata.xmp == nil: metadata.xmp = XMP.orientation(data)
      default: break
      }
      // Chunks are padded to an even length.
      offset += 8 + length + length % 2
    }
    return metadata.resolved
  }
}
