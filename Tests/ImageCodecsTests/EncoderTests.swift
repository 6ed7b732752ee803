import FaceKitImages
import Foundation
import Testing

@testable import ImageCodecs

@Suite("Encoding")
struct EncoderTests {
  /// Padded rows of bytes that count up, the last of which ends with its last pixel.
  private func image(_ format: PixelFormat) throws -> MPImage {
    let (width, height) = (5, 3)
    let stride = width * format.bytesPerPixel + 3
    let bytes = (0..<(stride * height - 3)).map { UInt8(truncatingIfNeeded: 7 &* $0) }
    return try MPImage(
      copying: bytes, width: width, height: height, format: format, rowStride: stride)
  }

  /// Red, green and blue of each pixel.
  private func rgb(_ image: MPImage) -> [UInt8] {
    let offsets = image.format.channelOffsets
    let pixels = image.pixels.array(of: UInt8.self)
    var rgb: [UInt8] = []
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = y * image.rowStride + x * image.format.bytesPerPixel
        for channel in [offsets.red, offsets.green, offsets.blue] {
          rgb.append(pixels[at + channel])
        }
      }
    }
    return rgb
  }

  @Test("gray, RGB and RGBA come back from PNG", arguments: [PixelFormat.gray, .rgb, .rgba])
  func png(format: PixelFormat) throws {
    let image = try image(format)
    for level in [0, 1, 6, 9] {
      let bytes = try ImageEncoder.png(image, compressionLevel: level)
      #expect(bytes[25] == [.gray: 0, .rgb: 2, .rgba: 6][format])
      #expect(try MPImage(encoded: bytes).pixels.array(of: UInt8.self) == rgb(image))
    }
  }

  @Test("what PNG does not hold, and levels that zlib has not, are typed errors")
  func refused() throws {
    let bgra = try image(.bgra)
    let error = #expect(throws: ImageError.self) { try ImageEncoder.png(bgra) }
    #expect(error?.code == .unsupported && error?.what.contains("BGRA") == true)
    let rgb = try image(.rgb)
    for level in [-1, 10] {
      #expect(throws: ImageError.self) { try ImageEncoder.png(rgb, compressionLevel: level) }
    }
    for quality in [0, 101] {
      #expect(throws: ImageError.self) { try ImageEncoder.jpeg(rgb, quality: quality) }
    }
    let long = try MPImage(
      copying: [UInt8](repeating: 0, count: 70_000), width: 70_000, height: 1, format: .gray)
    #expect(throws: ImageError.self) { try ImageEncoder.jpeg(long) }
    #expect(try MPImage(encoded: ImageEncoder.png(long)).width == 70_000)
  }

  @Test("every format becomes a JPEG", arguments: PixelFormat.allCases)
  func jpeg(format: PixelFormat) throws {
    let flat = try MPImage(
      copying: [UInt8](repeating: 90, count: 64 * format.bytesPerPixel), width: 8, height: 8,
      format: format)
    let found = try MPImage(encoded: ImageEncoder.jpeg(flat)).pixels
    #expect(found.array(of: UInt8.self).allSatisfy { (89...91).contains($0) })
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test("a file is replaced whole, and nobody's `.part` is written through")
  func write() throws {
    let image = try image(.rgb)
    try inFolder { folder in
      let files = FileManager.default
      let path = folder + "/out.png"
      try Data([1]).write(to: URL(fileURLWithPath: folder + "/victim"))
      try files.createSymbolicLink(atPath: path + ".part", withDestinationPath: folder + "/victim")
      for _ in 0..<2 { try ImageEncoder.write(image, to: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/victim")) == Data([1]))
      #expect(try MPImage(contentsOf: path).pixels.array(of: UInt8.self) == rgb(image))
      #expect(
        Set(try files.contentsOfDirectory(atPath: folder)) == ["out.png", "out.png.part", "victim"])
    }
  }

  @Test("a name without a format, a folder and a device are refused and left as they are")
  func targets() throws {
    let image = try image(.rgb)
    func code(_ path: String) -> ImageError.Code? {
      do throws(ImageError) {
        try ImageEncoder.write(image, to: path)
        return nil
      } catch { return error.code }
    }
    try inFolder { folder in
      for name in ["x.gif", "x", "x.png.txt"] { #expect(code("\(folder)/\(name)") == .unsupported) }
      let files = FileManager.default
      try files.createDirectory(atPath: folder + "/a.png", withIntermediateDirectories: true)
      #expect(code(folder + "/a.png") == .unwritable)
      try files.createSymbolicLink(atPath: folder + "/b.png", withDestinationPath: "/dev/null")
      #expect(code(folder + "/b.png") == .unwritable)
      #expect(Set(try files.contentsOfDirectory(atPath: folder)) == ["a.png", "b.png"])
    }
  }
}
