import CJPEG
import FaceKitImages
import FaceKitTensor

/// JPEG through TurboJPEG: baseline and progressive, gray, YCbCr, RGB, CMYK and YCCK, 8 bits.
enum JPEGDecoder {
  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> (DecodedImage, ImageOrientation) {
    let layout = try JPEGLayout(bytes)
    try options.check(width: layout.width, height: layout.height)
    guard layout.precision == 8 else {
      throw ImageError(.unsupported, "JPEG with \(layout.precision)-bit samples is not decoded")
    }
    guard layout.isPlausible(bytes: bytes.count) || options.acceptsDamagedJPEG else {
      throw ImageError(
        .truncated, "the JPEG has too few bytes for \(layout.width)×\(layout.height) pixels",
        byte: bytes.count)
    }
    guard layout.isComplete || options.acceptsDamagedJPEG else {
      throw ImageError(
        .truncated, "the JPEG ends before its end marker", byte: bytes.count)
    }
    switch layout.components {
    case 1, 3:
      let image = DecodedImage(width: layout.width, height: layout.height)
      try decompress(bytes, into: image.pixels, layout, TJPF_RGB, options)
      return (image, layout.metadata.resolved)
    case 4:
      return (try decodeCMYK(bytes, layout, options), layout.metadata.resolved)
    default:
      throw ImageError(
        .unsupported, "JPEG with \(layout.components) components is not decoded")
    }
  }

  private static func decodeCMYK(
    _ bytes: UnsafeRawBufferPointer, _ layout: JPEGLayout, _ options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    let count = layout.width * layout.height
    let storage = Storage(count: 4 * count)
    let pixels = storage.base.assumingMemoryBound(to: UInt8.self)
    try decompress(bytes, into: pixels, layout, TJPF_CMYK, options)
    // In place: pixel i is read from 4i and written to 3i, which is never ahead.
    for i in 0..<count {
      // Adobe stores ink inverted, and so in practice does everyone: the stored K is 255 − K.
      let light = Int(pixels[4 * i + 3])
      for channel in 0..<3 {
        let ink = 255 - Int(pixels[4 * i + channel])
        // The exact integer form of round(ink · light / 255).
        let product = ink * light + 128
        pixels[3 * i + channel] = UInt8(light - (product + product >> 8) >> 8)
      }
    }
    // Copied, so that the fourth quarter of the memory can go before anything else is done.
    let image = DecodedImage(width: layout.width, height: layout.height)
    image.pixels.update(from: pixels, count: 3 * count)
    return image
  }

  private static func decompress(
    _ bytes: UnsafeRawBufferPointer, into pixels: UnsafeMutablePointer<UInt8>,
    _ layout: JPEGLayout, _ format: TJPF, _ options: ImageDecodingOptions
  ) throws(ImageError) {
    guard let decoder = tjInitDecompress() else {
      throw ImageError(.unsupported, "TurboJPEG could not be started")
    }
    defer { tjDestroy(decoder) }
    // LIMITSCANS: a small progressive file may ask for thousands of passes over a large picture.
    // Fancy upsampling is what comes without FASTUPSAMPLE.
    let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
    let status = tjDecompress2(
      decoder, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), pixels,
      Int32(layout.width), 0, Int32(layout.height), Int32(format.rawValue), flags)
    if status == 0 { return }
    let message = String(cString: tjGetErrorStr2(decoder))
    if tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) {
      // Stray bytes between segments, which some cameras write, cost no pixel.
      if options.acceptsDamagedJPEG || message.contains("extraneous bytes") { return }
      if message.lowercased().contains("premature end") {
        throw ImageError(.truncated, "the JPEG's data ends before its picture")
      }
    }
    throw ImageError(.corrupt, "the JPEG cannot be decoded (\(message))")
  }
}
