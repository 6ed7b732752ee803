import Foundation
import FaceKitTensor
import Testing

@testable import ImageCodecs

private func pixels(_ image: MPImage) -> [UInt8] { Array(image.pixels.bytes) }

private func decode(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
  pixels(try MPImage(encoded: bytes))
}

private func code(_ bytes: [UInt8], limit: Int = 100_000_000) -> ImageError.Code? {
  var options = ImageDecodingOptions()
  options.maximumPixels = limit
  do throws(ImageError) {
    _ = try MPImage(encoded: bytes, options: options)
    return nil
  } catch {
    return error.code
  }
}

@Suite("PNG")
struct PNGTests {
  @Test("16-bit samples keep their high byte")
  func sixteenBit() throws {
    let png = makePNG(
      width: 2, height: 1, depth: 16, colourType: 2,
      rows: [[0x12, 0xFF, 0x34, 0x80, 0x56, 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0x7F, 0x7F]])
    #expect(try decode(png) == [0x12, 0x34, 0x56, 0xFF, 0x00, 0x7F])
  }

  @Test("gray of 1, 2 and 4 bits spans 0 to 255", arguments: [1, 2, 4])
  func smallGray(depth: UInt8) throws {
    let levels = 1 << Int(depth)
    // One row that holds the largest and the smallest sample.
    let png = makePNG(
      width: 2, height: 1, depth: depth, colourType: 0,
      rows: [[UInt8(levels - 1) << (8 - depth)]])
    #expect(try decode(png) == [255, 255, 255, 0, 0, 0])
  }

  @Test("alpha, colour keys and gamma leave colours alone")
  func colourStays() throws {
    let alpha = makePNG(width: 1, height: 1, depth: 8, colourType: 6, rows: [[10, 20, 30, 0]])
    #expect(try decode(alpha) == [10, 20, 30])
    let key = makePNG(
      width: 1, height: 1, depth: 8, colourType: 2, rows: [[10, 20, 30]],
      extra: [("gAMA", bigEndian(100_000)), ("tRNS", [0, 10, 0, 20, 0, 30])])
    #expect(try decode(key) == [10, 20, 30])
  }

  @Test("palette indices become colours, and an index beyond the palette is an error or a colour")
  func palette() throws {
    let png = makePNG(
      width: 2, height: 1, depth: 8, colourType: 3, rows: [[1, 0]],
      extra: [("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [0])])
    #expect(try decode(png) == [4, 5, 6, 1, 2, 3])
    let outside = makePNG(
      width: 1, height: 1, depth: 8, colourType: 3, rows: [[9]], extra: [("PLTE", [1, 2, 3])])
    #expect(code(outside) == nil || code(outside) == .corrupt)
  }

  @Test("a PNG may carry an orientation")
  func orientation() throws {
    let png = makePNG(
      width: 2, height: 1, depth: 8, colourType: 0, rows: [[1, 2]],
      extra: [("eXIf", makeTIFF(orientation: 3, littleEndian: false))])
    #expect(try decode(png) == [2, 2, 2, 1, 1, 1])
  }

  @Test(
    "what was encoded decodes to the same pixels, with and without padded rows", arguments: [0, 5])
  func roundTrip(padding: Int) throws {
    let (width, height) = (37, 11)
    let rgb = (0..<(3 * width * height)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    var rows: [UInt8] = []
    for y in 0..<height {
      rows += rgb[(3 * width * y)..<(3 * width * (y + 1))]
      rows += [UInt8](repeating: 99, count: padding)
    }
    let image = try MPImage(
      copying: rows, width: width, height: height, format: .rgb, rowStride: 3 * width + padding)
    #expect(try decode(ImageEncoder.png(image)) == rgb)
  }
}

@Suite("PNM")
struct PNMTests {
  @Test("binary and plain pictures, with comments")
  func kinds() throws {
    #expect(try decode(Array("P6 1 2 255\n".utf8) + [1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6])
    #expect(try decode(Array("P5\n# gray\n2 1\n255\n".utf8) + [7, 8]) == [7, 7, 7, 8, 8, 8])
    #expect(try decode(Array("P3 1 1 15 15 0 5".utf8)) == [255, 0, 85])
    #expect(try decode(Array("P2 2 1 1 1 0".utf8)) == [255, 255, 255, 0, 0, 0])
    #expect(try decode(Array("P5 1 1 65535\n".utf8) + [0x12, 0xFF]) == [0x12, 0x12, 0x12])
  }

  @Test("short data, absurd numbers and bad digits are errors")
  func bad() {
    #expect(code(Array("P6 2 2 255\n".utf8) + [1, 2, 3]) == .truncated)
    #expect(code(Array("P3 1 1 255 1 2".utf8)) == .truncated)
    #expect(code(Array("P6 99999999999999999999 1 255\n".utf8)) == .corrupt)
    #expect(code(Array("P6 1 1 0\n123".utf8)) == .corrupt)
    #expect(code(Array("P6 a b 255\n".utf8)) == .corrupt)
  }
}

@Suite("Limits")
struct LimitTests {
  // Each header claims a picture of gigabytes; the tests' memory stays flat because it is refused first.
  static let jpegBomb: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0xFF, 0xFF, 0xFF, 0xFF, 3]
    + [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0] + [0xFF, 0xD9]
  static let webpBomb: [UInt8] =
    Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8L".utf8) + [10, 0, 0, 0]
    // Signature, then 14 bits each of width − 1 and height − 1.
    + [0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0]

  @Test("a header that claims too many pixels is refused")
  func bombs() {
    #expect(code(makePNG(width: 60000, height: 60000, depth: 8, colourType: 2)) == .tooLarge)
    #expect(
      code(makePNG(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, depth: 1, colourType: 0)) == .tooLarge)
    #expect(code(makePNG(width: 0x7FFF_FFFF, height: 1, depth: 1, colourType: 0)) == .tooLarge)
    #expect(code(LimitTests.jpegBomb) == .tooLarge)
    #expect(code(LimitTests.webpBomb) == .tooLarge)
    #expect(code(Array("P6 60000 60000 255\n".utf8)) == .tooLarge)
    #expect(code(Array("P6 2147483647 2147483647 255\n".utf8)) == .tooLarge)
  }

  @Test("the limit is inclusive")
  func edge() {
    let png = makePNG(
      width: 2, height: 3, depth: 8, colourType: 0, rows: [[1, 2], [3, 4], [5, 6]])
    #expect(code(png, limit: 6) == nil)
    #expect(code(png, limit: 5) == .tooLarge)
  }

  @Test("a picture without pixels is refused")
  func empty() {
    #expect(code([]) == .truncated)
    #expect(code(makePNG(width: 0, height: 5, depth: 8, colourType: 2)) == .corrupt)
    #expect(code(Array("P6 0 5 255\n".utf8)) == .corrupt)
  }

  @Test("missing files, folders and devices are typed errors that name the file")
  func files() {
    func error(_ path: String) -> ImageError? {
      do throws(ImageError) {
        _ = try MPImage(contentsOf: path)
        return nil
      } catch {
        return error
      }
    }
    #expect(error("/no/such/file.jpg")?.code == .notFound)
    #expect(
      error("/no/such/file.jpg")?.description == "no such file — /no/such/file.jpg — check the path"
    )
    #expect(error("/")?.code == .unreadable)
    #expect(error("/dev/zero")?.code == .unreadable)
  }
}

@Suite("Orientation")
struct OrientationTests {
  private func orientation(_ bytes: [UInt8]) -> ImageOrientation {
    bytes.withUnsafeBytes { EXIF.orientation(tiff: $0) ?? .up }
  }

  @Test("all eight values are read, in both byte orders", arguments: 1...8)
  func values(value: Int) throws {
    let expected = try #require(ImageOrientation(exif: value))
    for littleEndian in [false, true] {
      let tiff = makeTIFF(orientation: UInt16(value), littleEndian: littleEndian)
      #expect(orientation(tiff) == expected)
      #expect(orientation(Array("Exif\0\0".utf8) + tiff) == expected)
    }
  }

  @Test("damaged metadata leave the picture as it is")
  func damaged() {
    let good = makeTIFF(orientation: 6, littleEndian: true)
    for count in 0..<20 { #expect(orientation(Array(good.prefix(count))) == .up, "\(count) bytes") }
    #expect(orientation(makeTIFF(orientation: 0, littleEndian: true)) == .up)
    #expect(orientation(makeTIFF(orientation: 9, littleEndian: true)) == .up)
    #expect(orientation(makeTIFF(orientation: 6, littleEndian: true, offset: 0xFFFF_FFFF)) == .up)
    #expect(orientation(makeTIFF(orientation: 6, littleEndian: true, entries: 0)) == .up)
    #expect(orientation(makeTIFF(orientation: 6, littleEndian: true, entries: 0xFFFF)) == .right)
  }

  @Test("turning pixels agrees with MPImage's own turn", arguments: ImageOrientation.allCases)
  func turn(_ orientation: ImageOrientation) throws {
    for (width, height) in [(1, 1), (5, 3), (4, 6), (70, 37)] {
      let bytes = (0..<(3 * width * height)).map { UInt8(truncatingIfNeeded: $0 &* 197 >> 3) }
      let image = DecodedImage(
        width: width, height: height, rgb: StorageView(Storage(copying: bytes)))
      let turned = image.upright(from: orientation)
      let expected = try MPImage(
        copying: bytes, width: width, height: height, format: .rgb, orientation: orientation
      ).upright()
      #expect(turned.width == expected.width && turned.height == expected.height)
      #expect(Array(turned.rgb.bytes) == pixels(expected))
    }
  }
}

@Suite("JPEG")
struct JPEGTests {
  @Test("a written JPEG reads back close, and nothing else is left behind")
  func roundTrip() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("smooth.JPG").path
    let (width, height) = (64, 48)
    let rgb = (0..<(width * height)).flatMap { i in
      [UInt8(i % width * 3), UInt8(i / width * 4), UInt8(128)]
    }
    try ImageEncoder.write(
      MPImage(copying: rgb, width: width, height: height, format: .rgb), to: path)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["smooth.JPG"])
    let worst = zip(try decode(bytes), rgb).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst! <= 6)
  }

  @Test("a folder that is not there gives an error that names the file")
  func unwritable() throws {
    let image = try MPImage(copying: [1, 2, 3], width: 1, height: 1, format: .rgb)
    let error = #expect(throws: ImageError.self) {
      try ImageEncoder.write(image, to: "/no/such/folder/out.png")
    }
    #expect(error?.code == .unwritable && error?.file == "/no/such/folder/out.png")
  }

  @Test("12-bit, two-component and frameless files are typed errors")
  func kinds() {
    func frame(precision: UInt8, components: UInt8) -> [UInt8] {
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 8 + 3 * components, precision, 0, 8, 0, 8, components]
        + [UInt8](repeating: 0x11, count: 3 * Int(components)) + [0xFF, 0xD9]
    }
    #expect(code(frame(precision: 12, components: 3)) == .unsupported)
    #expect(code(frame(precision: 8, components: 2)) == .unsupported)
    #expect(code([0xFF, 0xD8, 0xFF, 0xD9]) == .corrupt)
    #expect(code([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]) == .corrupt)
    // Headers alone, then the end: TurboJPEG's own error comes through.
    #expect(code(frame(precision: 8, components: 1)) == .corrupt)
  }
}
