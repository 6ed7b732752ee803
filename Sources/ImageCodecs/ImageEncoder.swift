import CJPEG
import CPNG
import FaceKitImages

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Pictures to PNG and JPEG, in memory or to files. Pixels are written as they are stored: an image's
/// orientation is not applied.
public enum ImageEncoder {
  /// How hard PNGs are compressed where nobody says: zlib's fastest. A photograph is an eighth to a fifth
  /// larger than at level 6 and done in a quarter of the time.
  public static let fastestPNG = 1

  /// A picture as PNG in memory.
  ///
  /// - Parameters:
  ///   - image: Gray, RGB or RGBA pixels; rows may be padded.
  ///   - compressionLevel: zlib's, 0 (none) to 9 (smallest, slowest).
  /// - Returns: The bytes of a PNG file with 8 bits a channel.
  /// - Throws: ``ImageError`` `unsupported` for BGRA pixels or a level out of range.
  public static func png(
    _ image: MPImage, compressionLevel: Int = fastestPNG
  ) throws(ImageError) -> [UInt8] {
    guard (0...9).contains(compressionLevel) else {
      throw ImageError(
        .unsupported, "PNG compression level \(compressionLevel)", advice: "give a level of 0 to 9")
    }
    let channels = try channels(of: image, in: "PNG")
    var writer = facekit_png_writer()
    let output = ByteSink()
    let status = facekit_png_write(
      &writer, image.pixels.base.assumingMemoryBound(to: UInt8.self), UInt32(image.width),
      UInt32(image.height), Int32(channels), image.rowStride, Int32(compressionLevel),
      { context, bytes, count in
        guard let context else { return 1 }
        Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue().bytes
          .append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        return 0
      }, Unmanaged.passUnretained(output).toOpaque())
    withExtendedLifetime(image) {}
    guard status == 0 else {
      let message = withUnsafeBytes(of: writer.message) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw ImageError(.unsupported, "the picture does not become a PNG (\(message))")
    }
    return withExtendedLifetime(output) { output.bytes }
  }

  /// A picture as JPEG in memory, without loss of colour resolution (4:4:4). Alpha is dropped.
  ///
  /// - Parameters:
  ///   - image: Pixels of any format, no side longer than 65,500; rows may be padded.
  ///   - quality: 1 (smallest) to 100.
  /// - Returns: The bytes of a JPEG file.
  /// - Throws: ``ImageError`` `unsupported` for a larger picture or a quality out of range.
  public static func jpeg(_ image: MPImage, quality: Int = 92) throws(ImageError) -> [UInt8] {
    guard (1...100).contains(quality) else {
      throw ImageError(
        .unsupported, "JPEG quality \(quality)", advice: "give a quality of 1 to 100")
    }
    let longest = max(image.width, image.height)
    guard longest <= 65_500 else {
      throw ImageError(
        .unsupported, "JPEG has no room for a side of \(longest) pixels", advice: "write a PNG")
    }
    guard let encoder = tjInitCompress() else {
      throw ImageError(.unsupported, "TurboJPEG could not be started")
    }
    defer { tjDestroy(encoder) }
    let (format, sampling) =
      switch image.format {
      case .gray: (TJPF_GRAY, TJSAMP_GRAY)
      case .rgb: (TJPF_RGB, TJSAMP_444)
      case .rgba: (TJPF_RGBX, TJSAMP_444)
      case .bgra: (TJPF_BGRX, TJSAMP_444)
      }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let status = tjCompress2(
      encoder, image.pixels.base.assumingMemoryBound(to: UInt8.self), Int32(image.width),
      Int32(image.rowStride), Int32(image.height), Int32(format.rawValue), &bytes, &count,
      Int32(sampling.rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    withExtendedLifetime(image) {}
    guard status == 0, let bytes else {
      throw ImageError(
        .unsupported,
        "the picture does not become a JPEG (\(String(cString: tjGetErrorStr2(encoder))))")
    }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  /// Writes a picture under a temporary name and renames it: no half-written file is left, and what was
  /// there before stays until the new one is whole.
  ///
  /// - Parameters:
  ///   - image: Gray, RGB or RGBA pixels.
  ///   - path: A name that ends in `.png`, `.jpg` or `.jpeg`, which decides the format. What is there
  ///     must be a regular file, or nothing.
  /// - Throws: ``ImageError`` that names the file: `unwritable` with the system's reason, `unsupported`
  ///   for another extension or pixel format.
  public static func write(_ image: MPImage, to path: String) throws(ImageError) {
    do throws(ImageError) {
      let name = path.lowercased()
      if name.hasSuffix(".png") {
        try FileBytes.write(png(image), to: path)
      } else if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
        try FileBytes.write(jpeg(image), to: path)
      } else {
        throw ImageError(
          .unsupported, "the name says no format that is written",
          advice: "end it in .png, .jpg or .jpeg")
      }
    } catch {
      throw error.placed(in: path)
    }
  }

  private static func channels(of image: MPImage, in format: String) throws(ImageError) -> Int {
    switch image.format {
    case .gray: 1
    case .rgb: 3
    case .rgba: 4
    case .bgra:
      throw ImageError(
        .unsupported, "BGRA pixels are not written as \(format)", advice: "give RGB or RGBA pixels")
    }
  }

  private final class ByteSink { var bytes: [UInt8] = [] }
}
