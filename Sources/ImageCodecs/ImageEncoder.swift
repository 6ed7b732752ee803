import CJPEG
import CPNG
import FaceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Pixels to be written: a borrowed view, so that a drawing surface need not be copied.
public struct PixelRows {
  public enum Order: Sendable {
    case rgb
    /// Blue, green, red and an unused byte: Cairo's RGB24 on little-endian machines.
    case bgrx
  }

  public var base: UnsafeRawPointer
  public var width: Int
  public var height: Int
  /// Bytes from one row to the next.
  public var stride: Int
  public var order: Order

  public init(base: UnsafeRawPointer, width: Int, height: Int, stride: Int, order: Order) {
    precondition(width > 0 && height > 0 && stride >= width * (order == .rgb ? 3 : 4))
    self.base = base
    self.width = width
    self.height = height
    self.stride = stride
    self.order = order
  }
}

/// Pictures to files. The name's extension decides the format: `.jpg` and `.jpeg` give JPEG, the rest PNG.
public enum ImageEncoder {
  /// Writes a picture under a temporary name and renames it, so that no half-written file is left.
  public static func write(_ rows: PixelRows, to path: String) throws(ImageError) {
    let partial = path + ".part"
    guard let file = fopen(partial, "wb") else {
      throw ImageError(
        .unwritable, "the file cannot be created (\(systemMessage(errno)))", file: path)
    }
    let name = path.lowercased()
    let isJPEG = name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
    var failure = isJPEG ? writeJPEG(rows, file) : writePNG(rows, file)
    if fclose(file) != 0, failure == nil { failure = systemMessage(errno) }
    if failure == nil, rename(partial, path) != 0 { failure = systemMessage(errno) }
    if let failure {
      unlink(partial)
      throw ImageError(.unwritable, "the file cannot be written (\(failure))", file: path)
    }
  }

  /// The picture as PNG in memory.
  public static func png(_ rows: PixelRows) -> [UInt8] {
    let sink = ByteSink()
    let failure = encodePNG(
      rows, context: Unmanaged.passUnretained(sink).toOpaque()
    ) { context, bytes, count in
      let sink = Unmanaged<ByteSink>.fromOpaque(context!).takeUnretainedValue()
      sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    precondition(failure == nil, "writing to memory cannot fail")
    return withExtendedLifetime(sink) { sink.bytes }
  }

  private final class ByteSink { var bytes: [UInt8] = [] }

  private static func writePNG(_ rows: PixelRows, _ file: UnsafeMutablePointer<FILE>) -> String? {
    encodePNG(rows, context: file) { context, bytes, count in
      let file = context!.assumingMemoryBound(to: FILE.self)
      return fwrite(bytes, 1, count, file) == count ? 0 : 1
    }
  }

  /// Returns what went wrong, or `nil`.
  private static func encodePNG(
    _ rows: PixelRows, context: UnsafeMutableRawPointer, sink: facekit_png_sink
  ) -> String? {
    var writer = facekit_png_writer()
    // Level 4: most of the size for a fraction of the time of zlib's default.
    let status = facekit_png_write(
      &writer, rows.base.assumingMemoryBound(to: UInt8.self), UInt32(rows.width),
      UInt32(rows.height), rows.stride, rows.order == .bgrx ? 1 : 0, 4, sink, context)
    if status == 0 { return nil }
    return withUnsafeBytes(of: writer.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func writeJPEG(_ rows: PixelRows, _ file: UnsafeMutablePointer<FILE>) -> String? {
    guard let encoder = tjInitCompress() else { return "TurboJPEG could not be started" }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let format = rows.order == .bgrx ? TJPF_BGRX : TJPF_RGB
    let status = tjCompress2(
      encoder, rows.base.assumingMemoryBound(to: UInt8.self), Int32(rows.width), Int32(rows.stride),
      Int32(rows.height), Int32(format.rawValue), &bytes, &count, Int32(TJSAMP_444.rawValue), 92,
      TJFLAG_ACCURATEDCT)
    guard status == 0 else { return String(cString: tjGetErrorStr2(encoder)) }
    return fwrite(bytes, 1, Int(count), file) == Int(count) ? nil : systemMessage(errno)
  }
}
