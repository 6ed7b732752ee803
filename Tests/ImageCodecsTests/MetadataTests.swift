import FaceKitImages
import TestSupport
import Testing

@testable import ImageCodecs

private func png(_ extra: [(name: String, data: [UInt8])]) -> [UInt8] {
  makePNG(width: 2, height: 1, depth: 8, colourType: 0, rows: [[1, 2]], extra: extra)
}

private let upright: [UInt8] = [1, 1, 1, 2, 2, 2]
private let turned: [UInt8] = [2, 2, 2, 1, 1, 1]

private func decode(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
  try MPImage(encoded: bytes).pixels.array(of: UInt8.self)
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

private func xmp(_ orientation: Int, element: Bool = false) -> [UInt8] {
  let property =
    element
    ? "<tiff:Orientation>\(orientation)</tiff:Orientation>" : "tiff:Orientation=\"\(orientation)\""
  return Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\(property)</x:xmpmeta>".utf8)
}

/// The text in which ImageMagick keeps EXIF.
private func rawProfile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
  var text = "\n\(name)\n      \(bytes.count)\n"
  for (i, byte) in bytes.enumerated() {
    text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    if i % 36 == 35 { text += "\n" }
  }
  return Array((text + "\n").utf8)
}

@Suite("A PNG's orientation in text")
struct PNGTextTests {
  private let keyword = Array("XML:com.adobe.xmp\0".utf8)
  private let exif = makeTIFF(orientation: 3, littleEndian: true)

  @Test("XMP, plain or compressed, as an attribute or an element")
  func packet() throws {
    for element in [false, true] {
      let plain = keyword + [0, 0, 0, 0] + xmp(3, element: element)
      #expect(try decode(png([("iTXt", plain)])) == turned)
      let packed = keyword + [1, 0, 0, 0] + storedZlib(xmp(3, element: element))
      #expect(try decode(png([("iTXt", packed)])) == turned)
    }
    let language = keyword + [0, 0] + Array("en\0title\0".utf8) + xmp(3)
    #expect(try decode(png([("iTXt", language)])) == turned)
  }

  @Test("EXIF as hexadecimal text, plain or compressed")
  func profile() throws {
    for name in ["exif", "APP1"] {
      let prefix = Array("Raw profile type \(name)\0".utf8)
      let bytes = Array("Exif\0\0".utf8) + exif
      let text = rawProfile(name, bytes)
      #expect(try decode(png([("tEXt", prefix + text)])) == turned)
      #expect(try decode(png([("zTXt", prefix + [0] + storedZlib(text))])) == turned)
    }
  }

  @Test("EXIF goes before XMP, which goes where EXIF is silent")
  func order() throws {
    let packet = keyword + [0, 0, 0, 0] + xmp(3)
    let one = makeTIFF(orientation: 1, littleEndian: false)
    #expect(try decode(png([("eXIf", one), ("iTXt", packet)])) == upright)
    let silent = makeTIFF(orientation: 3, littleEndian: false, entries: 0)
    #expect(try decode(png([("eXIf", silent), ("iTXt", packet)])) == turned)
  }

  @Test("text that is cut, empty or about something else leaves the picture alone")
  func damaged() throws {
    let broken: [[UInt8]] = [
      [], [0], keyword, keyword + [0], keyword + [0, 0], keyword + [0, 0, 0],
      keyword + [1, 0, 0, 0],
      keyword + [1, 0, 0, 0, 9, 9, 9], keyword + [0, 0, 0, 0] + Array("tiff:Orientation=\"".utf8),
      keyword + [0, 0, 0, 0] + Array("tiff:Orientation".utf8), keyword + [0, 0, 0, 0] + xmp(9),
      [UInt8](repeating: 65, count: 90) + keyword + [0, 0, 0, 0] + xmp(3),
      Array("Comment\0".utf8) + [0, 0, 0, 0] + xmp(3),
    ]
    for data in broken {
      for kind in ["iTXt", "tEXt", "zTXt"] {
        #expect(try decode(png([(kind, data)])) == upright, "\(kind) \(data)")
      }
    }
  }

  @Test("the first orientation that has a value counts")
  func search() {
    func found(_ text: String) -> ImageOrientation? {
      Array(text.utf8).withUnsafeBytes { XMP.orientation($0) }
    }
    #expect(found("tiff:Orientation tiff:Orientation=\"6\"") == .right)
    #expect(found("tiff:Orientation='6'") == nil)
    #expect(found("tiff:tiff:Orientation>8<") == .left)
    #expect(found("exif:Orientation=\"6\"") == nil)
    #expect(found("") == nil)
  }

  @Test("XMP in WebP counts too")
  func webp() throws {
    // A lossless picture of one white pixel, and a packet after it.
    let pixel: [UInt8] = [
      0x2F, 0, 0, 0, 0, 0x07, 0x10, 0xFD, 0x8F, 0xFE, 0x07, 0x22, 0xA2, 0xFF, 0x01,
    ]
    let packet = xmp(6)
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + bigEndian(UInt32(data.count)).reversed() + data
        + [UInt8](repeating: 0, count: data.count % 2)
    }
    let body =
      Array("WEBP".utf8) + chunk("VP8X", [4, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + chunk("VP8L", pixel)
      + chunk("XMP ", packet)
    let file = Array("RIFF".utf8) + bigEndian(UInt32(body.count)).reversed() + body
    #expect(file.withUnsafeBytes { WebPDecoder.orientation($0) } == .right)
  }
}

@Suite("Memory of small files that claim much")
struct ClaimTests {
  private func chunk(_ name: String, claims length: UInt32) -> [UInt8] {
    let sound = makePNG(width: 1, height: 1, depth: 8, colourType: 0, rows: [[1]])
    // Right after the header: a length, a name, and nothing else.
    return Array(sound[..<33]) + bigEndian(length) + Array(name.utf8)
      + [UInt8](repeating: 0, count: 16)
  }

  private static let names = [
    "bKGD", "cHRM", "eXIf", "gAMA", "hIST", "iCCP", "iTXt", "oFFs", "pCAL", "pHYs", "sBIT", "sCAL",
    "sPLT", "sRGB", "sTER", "tEXt", "tIME", "tRNS", "zTXt", "PLTE", "IDAT", "prVt",
  ]

  @Test("a PNG's chunk is no longer than its file", arguments: names)
  func chunks(name: String) throws {
    let bytes = chunk(name, claims: 0x4000_0000)
    #expect(code(bytes) == .truncated)
    #if os(Linux) && _pointerBitWidth(_64)
      #expect(allocatedBytes { _ = code(bytes) } < 1 << 20)
    #endif
  }

  @Test("a picture of a few bytes does not claim a hundred million pixels")
  func pixels() {
    let png = makePNG(width: 10_000, height: 10_000, depth: 8, colourType: 2, rows: [[1, 2, 3]])
    let frame: [UInt8] = [0xFF, 0xC2, 0, 17, 8, 0x27, 0x10, 0x27, 0x10, 3]
    let components: [UInt8] = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    let jpeg: [UInt8] = [0xFF, 0xD8] + frame + components + [0xFF, 0xD9]
    let pnm = Array("P6 10000 10000 255\n123".utf8)
    let bmp = makeBMP(width: 10_000, height: 10_000, bits: 24, pixels: [1, 2, 3])
    for bytes in [png, jpeg, pnm, bmp] {
      #expect(code(bytes) == .truncated)
      #if os(Linux) && _pointerBitWidth(_64)
        #expect(allocatedBytes { _ = code(bytes) } < 1 << 20)
      #endif
    }
  }

  @Test("text in a PNG is expanded to a megabyte at most")
  func text() {
    let keyword = Array("XML:com.adobe.xmp\0".utf8)
    let packet = [UInt8](repeating: 32, count: 60_000) + xmp(3)
    let bytes = png([("iTXt", keyword + [1, 0, 0, 0] + storedZlib(packet))])
    #expect(code(bytes) == nil)
    #if os(Linux) && _pointerBitWidth(_64)
      #expect(allocatedBytes { _ = code(bytes) } < 3 << 20)
    #endif
  }

  @Test("a flat picture, the most compressible there is, passes")
  func flat() throws {
    let image = try MPImage(
      copying: [UInt8](repeating: 7, count: 3 * 2000 * 1500), width: 2000, height: 1500,
      format: .rgb)
    #expect(code(try ImageEncoder.png(image, compressionLevel: 9)) == nil)
    #expect(code(try ImageEncoder.jpeg(image)) == nil)
  }
}
