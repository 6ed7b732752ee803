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

/// Pictures to files. The name's extension decides the format: `.jpg` and `.jpeg` give JPEG, the rest PNG.
public enum ImageEncoder {
  /// Writes an RGB picture under a temporary name and renames it, so that no half-written file is left.
  ///
  /// - Throws: ``ImageError`` `unwritable` with the system's reason, `unsupported` if the pixels are not RGB.
  public static func write(_ image: MPImage, to path: String) throws(ImageError) {
    guard image.format == .rgb else {
      throw ImageError(.unsupported, "only RGB pixels are written", file: path)
    }
    let partial = path + ".part"
    guard let file = fopen(partial, "wb") else {
      throw ImageError(
        .unwritable, "the file cannot be created (\(systemMessage(errno)))", file: path)
    }
    let name = path.lowercased()
    let isJPEG = name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
    var failure: String?
    if isJPEG {
      do throws(ImageError) {
        let bytes = try jpeg(image)
        if fwrite(bytes, 1, bytes.count, file) != bytes.count { failure = systemMessage(errno) }
      } catch {
        failure = error.what
      }
    } else {
      failure = writePNG(image, file)
    }
    if fclose(file) != 0, failure == nil { failure = systemMessage(errno) }
    if failure == nil, rename(partial, path) != 0 { failure = systemMessage(errno) }
    if let failure {
      unlink(partial)
      throw ImageError(.unwritable, "the file cannot be written (\(failure))", file: path)
    }
  }

  /// An RGB picture as PNG in memory.
  public static func png(_ image: MPImage) -> [UInt8] {
    let sink = ByteSink()
    let failure = encodePNG(
      image, context: Unmanaged.passUnretained(sink).toOpaque()
    ) { context, bytes, count in
      let sink = Unmanaged<ByteSink>.fromOpaque(context!).takeUnretainedValue()
      sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    precondition(failure == nil, "writing to memory cannot fail")
    return withExtendedLifetime(sink) { sink.bytes }
  }

  private final class ByteSink { var bytes: [UInt8] = [] }

  private static func writePNG(_ image: MPImage, _ file: UnsafeMutablePointer<FILE>) -> String? {
    encodePNG(image, context: file) { context, bytes, count in
      let file = context!.assumingMemoryBound(to: FILE.self)
      return fwrite(bytes, 1, count, file) == count ? 0 : 1
    }
  }

  /// Returns what went wrong, or `nil`.
  private static func encodePNG(
    _ image: MPImage, context: UnsafeMutableRawPointer, sink: facekit_png_sink
  ) -> String? {
    var writer = facekit_png_writer()
    // Level 4: most of the size for a fraction of the time of zlib's default.
    let status = facekit_png_write(
      &writer, image.pixels.base.assumingMemoryBound(to: UInt8.self), UInt32(image.width),
      UInt32(image.height), image.rowStride, 4, sink, context)
    if status == 0 { return nil }
    return withUnsafeBytes(of: writer.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// An RGB picture as JPEG in memory, quality 92, colours at full resolution.
  ///
  /// - Throws: ``ImageError`` `unsupported` if the pixels are not RGB, `unwritable` if TurboJPEG refuses.
  public static func jpeg(_ image: MPImage) throws(ImageError) -> [UInt8] {
    guard image.format == .rgb else {
      throw ImageError(.unsupported, "only RGB pixels are written")
    }
    guard let encoder = tjInitCompress() else {
      throw ImageError(.unwritable, "TurboJPEG could not be started")
    }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let status = tjCompress2(
      encoder, image.pixels.base.assumingMemoryBound(to: UInt8.self), Int32(image.width),
      Int32(image.rowStride), Int32(image.height), Int32(TJPF_RGB.rawValue), &bytes, &count,
      Int32(TJSAMP_444.rawValue), 92, TJFLAG_ACCURATEDCT)
    guard status == 0, let bytes else {
      throw ImageError(.unwritable, String(cString: tjGetErrorStr2(encoder)))
    }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
