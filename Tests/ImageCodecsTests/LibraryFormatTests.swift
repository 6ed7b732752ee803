import FaceKitImages
import Foundation
import TestSupport
import Testing

@testable import ImageCodecs

/// The colours in the middle of the quarters, in reading order.
private func quarters(_ image: MPImage) -> [[Int]] {
  let bytes = image.pixels.array(of: UInt8.self)
  return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
    let at: Int = (y * image.height / 4) * image.rowStride + 3 * (x * image.width / 4)
    return (0..<3).map { channel -> Int in Int(bytes[at + channel]) }
  }
}

private let red = [200, 40, 30]
private let blue = [20, 60, 220]
private let white = [240, 240, 240]

private func expect(
  _ bytes: [UInt8], _ colours: [[Int]], within bound: Int, turned: Bool = false
) throws {
  let image = try MPImage(encoded: bytes)
  #expect(image.format == .rgb)
  #expect(image.width == (turned ? 16 : 32) && image.height == (turned ? 32 : 16))
  for (found, wanted) in zip(quarters(image), colours) {
    let worst = (0..<3).map { channel -> Int in abs(found[channel] - wanted[channel]) }.max() ?? 255
    #expect(worst <= bound, "\(found), not \(wanted)")
  }
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

#if ImageLibraries && os(Linux)
  @Suite("HEIC, AVIF and JPEG XL")
  struct HEIFTests {
    private let colours = [red, blue, white, blue]
    /// The same after a turn by 90° clockwise.
    private let turned = [white, red, blue, blue]

    @Test("HEIC and AVIF become RGB")
    func plain() throws {
      try expect(FixedPictures.heic, colours, within: 4)
      try expect(FixedPictures.avif, colours, within: 6)
      try expect(FixedPictures.tenBitHEIC, colours, within: 4)
    }

    @Test("the file's own turn is applied, unless it is not wanted")
    func turn() throws {
      try expect(FixedPictures.turnedAVIF, turned, within: 6, turned: true)
      var options = ImageDecodingOptions()
      options.appliesOrientation = false
      let stored = try MPImage(encoded: FixedPictures.turnedAVIF, options: options)
      #expect(stored.width == 32 && stored.height == 16)
    }

    @Test("alpha is dropped without blending, and gray is replicated")
    func channels() throws {
      try expect(FixedPictures.transparentAVIF, colours, within: 6)
      try expect(FixedPictures.transparentJXL, colours, within: 0)
      let gray = [[87, 87, 87], [66, 66, 66], [240, 240, 240], [66, 66, 66]]
      try expect(FixedPictures.grayHEIC, gray, within: 2)
      try expect(FixedPictures.grayJXL, gray, within: 0)
    }

    @Test("JPEG XL without loss is exact")
    func jxl() throws { try expect(FixedPictures.jxl, colours, within: 0) }

    @Test("a header without a picture is an error that names the format")
    func headerOnly() {
      let header: [UInt8] = [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8)
      let error = #expect(throws: ImageError.self) {
        try MPImage(encoded: header + [UInt8](repeating: 0, count: 64))
      }
      #expect(error?.what.contains("HEIC") == true)
      #expect(error?.code == .corrupt)
    }

    @Test("a limit holds before anything is decoded")
    func limits() {
      for picture in [FixedPictures.avif, FixedPictures.jxl] {
        #expect(code(picture, limit: 511) == .tooLarge)
        #expect(code(picture, limit: 512) == nil)
      }
      // HEVC is coded in blocks, here 64×64 pixels, of which the file shows a part.
      #expect(code(FixedPictures.heic, limit: 64 * 64 - 1) == .tooLarge)
      #expect(code(FixedPictures.heic, limit: 64 * 64) == nil)
    }
  }

  @Suite("TIFF")
  struct TIFFTests {
    @Test("compressed TIFF is exact where its compression is")
    func compressions() throws {
      let colours = [red, blue, white, blue]
      try expect(FixedPictures.lzwTIFF, colours, within: 0)
      try expect(FixedPictures.deflateTIFF, colours, within: 0)
      try expect(FixedPictures.packBitsTIFF, colours, within: 0)
      try expect(FixedPictures.cmykTIFF, colours, within: 1)
      try expect(FixedPictures.jpegTIFF, colours, within: 6)
      let black = [0, 0, 0]
      try expect(FixedPictures.faxTIFF, [black, black, [255, 255, 255], black], within: 0)
    }

    private func decode(_ tiff: MadeTIFF) throws -> [UInt8] {
      try MPImage(encoded: tiff.bytes).pixels.array(of: UInt8.self)
    }

    @Test("16-bit samples keep their high byte, gray and RGB")
    func deep() throws {
      let gray = MadeTIFF(
        width: 2, height: 1, bits: [16], photometric: 1, pixels: [0xFF, 0x12, 0x80, 0xFE])
      #expect(try decode(gray) == [0x12, 0x12, 0x12, 0xFE, 0xFE, 0xFE])
      let rgb = MadeTIFF(
        width: 1, height: 1, bits: [16, 16, 16], photometric: 2,
        pixels: [0xFF, 0x12, 0x80, 0x34, 0x00, 0x56])
      #expect(try decode(rgb) == [0x12, 0x34, 0x56])
    }

    @Test("alpha beside the colours is dropped, alpha within them is divided out")
    func alpha() throws {
      for (kind, expected) in [(2, [100, 50, 20]), (1, [255, 127, 51]), (0, [100, 50, 20])]
        as [(UInt32, [UInt8])]
      {
        var tiff = MadeTIFF(
          width: 1, height: 1, bits: [8, 8, 8, 8], photometric: 2, pixels: [100, 50, 20, 100])
        tiff.tags[MadeTIFF.extraSamples] = [kind]
        #expect(try decode(tiff) == expected, "extra sample \(kind)")
      }
    }

    @Test("white may be zero")
    func inverted() throws {
      let tiff = MadeTIFF(width: 2, height: 1, bits: [8], photometric: 0, pixels: [0, 200])
      #expect(try decode(tiff) == [255, 255, 255, 55, 55, 55])
    }

    @Test("every orientation stands upright", arguments: 1...8)
    func orientation(value: Int) throws {
      let pixels: [UInt8] = [1, 2, 3, 4, 5, 6]
      var tiff = MadeTIFF(width: 3, height: 2, bits: [8], photometric: 1, pixels: pixels)
      tiff.tags[MadeTIFF.orientation] = [UInt32(value)]
      let image = try MPImage(encoded: tiff.bytes)
      let expected = try MPImage(
        copying: pixels, width: 3, height: 2, format: .gray,
        orientation: #require(ImageOrientation(exif: value))
      ).upright()
      #expect(image.width == expected.width && image.height == expected.height)
      let gray = expected.pixels.array(of: UInt8.self)
      #expect(image.pixels.array(of: UInt8.self) == gray.flatMap { [$0, $0, $0] })
    }

    @Test("tiles become one picture")
    func tiles() throws {
      func pixel(_ tile: Int, _ x: Int, _ y: Int) -> [UInt8] {
        [UInt8(tile + 1), UInt8(x), UInt8(y)]
      }
      var tiles: [[UInt8]] = [[], []]
      for tile in 0..<2 {
        for i in 0..<256 { tiles[tile] += pixel(tile, i % 16, i / 16) }
      }
      let tiff = MadeTIFF(width: 20, height: 10, tile: 16, tiles: tiles)
      let image = try MPImage(encoded: tiff.bytes)
      var expected: [UInt8] = []
      for i in 0..<200 { expected += pixel(i % 20 / 16, i % 20 % 16, i / 20) }
      #expect(image.pixels.array(of: UInt8.self) == expected)
    }

    @Test("sizes that the file cannot hold reserve nothing")
    func bombs() throws {
      var wide = MadeTIFF(width: 1, height: 1, bits: [8], photometric: 1, pixels: [1])
      wide.tags[MadeTIFF.imageWidth] = [0x7FFF_FFFF]
      #expect(code(wide.bytes) == .tooLarge)
      var tile = MadeTIFF(width: 1, height: 1, tile: 65536, tiles: [[1]])
      #expect(code(tile.bytes) != nil)
      tile.tags[322] = [16]
      #expect(code(tile.bytes) != nil)
      var samples = MadeTIFF(width: 64, height: 64, bits: [8], photometric: 1, pixels: [1])
      samples.tags[MadeTIFF.samplesPerPixel] = [65535]
      #expect(code(samples.bytes) != nil)
      for tiff in [wide, tile, samples] {
        let bytes = tiff.bytes
        #expect(allocatedBytes { _ = code(bytes) } < 4 << 20)
      }
    }
  }
#endif

@Suite("Formats that are not read")
struct UnreadFormatTests {
  @Test("the error names the format")
  func named() {
    let signatures: [(String, [UInt8])] = [
      ("JPEG 2000", [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
      ("Photoshop", Array("8BPS".utf8)), ("OpenEXR", [0x76, 0x2F, 0x31, 0x01]),
      ("PDF", Array("%PDF-1.7".utf8)), ("SVG", Array("<svg xmlns=".utf8)),
      ("ICO", [0, 0, 1, 0, 1, 0, 16, 16]),
      ("video", [0, 0, 0, 24] + Array("ftypisom\0\0\0\0isommp41".utf8)),
    ]
    for (name, bytes) in signatures {
      let error = #expect(throws: ImageError.self) { try MPImage(encoded: bytes) }
      #expect(error?.code == .unsupported && error?.what.contains(name) == true, "\(name)")
    }
  }

  @Test("formats of libraries that this build does without are named, and those it reads listed")
  func withoutLibraries() {
    for format in [ImageFormat.heic, .avif, .tiff, .jxl]
    where !ImageFormat.readable.contains(format) {
      #expect(format.isNotRead.what == "\(format.name) is not read")
    }
    let message = ImageFormat.jpeg2000.isNotRead.description
    #expect(message.contains("JPEG, PNG, WebP, PNM, GIF"))
    for format in ImageFormat.readable { #expect(message.contains(format.name)) }
  }

  @Test("brands tell HEIC from AVIF and both from video")
  func brands() {
    func format(_ text: String, size: UInt8 = 24) -> ImageFormat? {
      ([0, 0, 0, size] + Array(text.utf8)).withUnsafeBytes { ImageFormat.of($0) }
    }
    #expect(format("ftypheic\0\0\0\0mif1heic") == .heic)
    #expect(format("ftypmif1\0\0\0\0mif1avif") == .avif)
    #expect(format("ftypmif1\0\0\0\0mif1miaf") == .heic)
    #expect(format("ftypavif\0\0\0\0avifmif1") == .avif)
    #expect(format("ftypisom\0\0\0\0isommp41") == .video)
    #expect(format("ftyp", size: 8) == .video)
  }
}

@Suite("Damaged files of every format")
struct DamageTests {
  static let pictures: [(name: String, bytes: [UInt8])] = {
    let own: [(String, [UInt8])] = [
      ("gif", FixedPictures.gif), ("interlaced gif", FixedPictures.interlacedGIF),
      ("bmp", makeBMP(width: 3, height: 2, bits: 24, pixels: [UInt8](repeating: 7, count: 24))),
      ("bmp runs", runsBMP),
    ]
    #if ImageLibraries && os(Linux)
      return own + [
        ("heic", FixedPictures.heic), ("turned avif", FixedPictures.turnedAVIF),
        ("avif", FixedPictures.avif), ("transparent avif", FixedPictures.transparentAVIF),
        ("jxl", FixedPictures.jxl), ("lzw", FixedPictures.lzwTIFF),
        ("deflate", FixedPictures.deflateTIFF), ("jpeg in tiff", FixedPictures.jpegTIFF),
        ("fax", FixedPictures.faxTIFF),
      ]
    #else
      return own
    #endif
  }()

  @Test(
    "a file cut at any length gives a typed error or the whole picture", arguments: pictures.indices
  )
  func cut(index: Int) throws {
    let (name, bytes) = DamageTests.pictures[index]
    let whole = try MPImage(encoded: bytes).pixels.array(of: UInt8.self)
    for count in 0..<bytes.count {
      do throws(ImageError) {
        let image = try MPImage(encoded: Array(bytes.prefix(count)))
        // Only what follows the picture's last byte may be missing.
        #expect(image.pixels.array(of: UInt8.self) == whole, "\(name) cut to \(count) bytes")
      } catch {
        #expect(!error.what.isEmpty)
      }
    }
  }

  @Test("a file with flipped bits decodes or gives a typed error", arguments: pictures.indices)
  func flips(index: Int) {
    var options = ImageDecodingOptions()
    options.maximumPixels = 1_000_000
    var generator = SplitMix(state: UInt64(index) &+ 77)
    let bytes = DamageTests.pictures[index].bytes
    for round in 0..<300 {
      var damaged = bytes
      for _ in 0..<(1 + round % 4) {
        damaged[Int.random(in: 0..<bytes.count, using: &generator)] ^=
          1 << UInt8.random(in: 0..<8, using: &generator)
      }
      do throws(ImageError) {
        let image = try MPImage(encoded: damaged, options: options)
        #expect(image.pixels.count == 3 * image.width * image.height)
      } catch {
        #expect(!error.what.isEmpty)
      }
    }
  }
}
