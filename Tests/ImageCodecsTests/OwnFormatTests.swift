import FaceKitImages
import Testing

@testable import ImageCodecs

private func decode(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
  try MPImage(encoded: bytes).pixels.array(of: UInt8.self)
}

private func little(_ value: Int, _ width: Int) -> [UInt8] {
  (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// A BMP with Windows's smallest header.
func makeBMP(
  width: Int, height: Int, bits: Int, compression: Int = 0, masks: [Int] = [],
  palette: [[UInt8]] = [], pixels: [UInt8]
) -> [UInt8] {
  let start = 54 + 4 * masks.count + 4 * palette.count
  var bytes = Array("BM".utf8) + little(start + pixels.count, 4) + little(0, 4) + little(start, 4)
  bytes += little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2)
  bytes += little(compression, 4) + [UInt8](repeating: 0, count: 12)
  bytes += little(palette.count, 4) + little(0, 4)
  bytes += masks.flatMap { little($0, 4) }
  for colour in palette { bytes += [colour[2], colour[1], colour[0], 0] }
  return bytes + pixels
}

private let palette: [[UInt8]] = [[1, 2, 3], [40, 50, 60], [70, 80, 90]]

/// A run, pixels as they are, a jump, and the end: 4×2 pixels of eight bits.
let runsBMP = makeBMP(
  width: 4, height: 2, bits: 8, compression: 1, palette: palette,
  pixels: [3, 1, 0, 0, 0, 3, 2, 1, 2, 0, 0, 1])

@Suite("BMP")
struct BMPTests {
  @Test("24 and 32 bits, bottom-up and top-down, with padded rows")
  func colours() throws {
    let rows: [UInt8] = [3, 2, 1, 6, 5, 4, 0, 0, 9, 8, 7, 12, 11, 10, 0, 0]
    let upper: [UInt8] = [7, 8, 9, 10, 11, 12]
    let lower: [UInt8] = [1, 2, 3, 4, 5, 6]
    #expect(
      try decode(makeBMP(width: 2, height: 2, bits: 24, pixels: rows)) == upper + lower)
    #expect(
      try decode(makeBMP(width: 2, height: -2, bits: 24, pixels: rows)) == lower + upper)
    #expect(
      try decode(makeBMP(width: 1, height: 1, bits: 32, pixels: [3, 2, 1, 0])) == [1, 2, 3])
  }

  @Test("16 bits: five a channel, or by masks, scaled to the full range")
  func masks() throws {
    #expect(
      try decode(makeBMP(width: 2, height: 1, bits: 16, pixels: [0xFF, 0x7F, 0x00, 0x40]))
        == [255, 255, 255, 131, 0, 0])
    #expect(
      try decode(
        makeBMP(
          width: 2, height: 1, bits: 16, compression: 3, masks: [0xF800, 0x7E0, 0x1F],
          pixels: [0x00, 0xF8, 0xE0, 0x03])) == [255, 0, 0, 0, 125, 0])
    #expect(
      try decode(
        makeBMP(
          width: 1, height: 1, bits: 32, compression: 3, masks: [0xFF, 0xFF00, 0xFF_0000],
          pixels: [1, 2, 3, 4])) == [1, 2, 3])
  }

  @Test("palette indices of 1, 4 and 8 bits; one beyond the palette is black")
  func indices() throws {
    let expected: [UInt8] = [40, 50, 60, 1, 2, 3]
    #expect(
      try decode(makeBMP(width: 2, height: 1, bits: 1, palette: palette, pixels: [0x80]))
        == expected)
    #expect(
      try decode(makeBMP(width: 2, height: 1, bits: 4, palette: palette, pixels: [0x10, 0]))
        == expected)
    #expect(
      try decode(makeBMP(width: 2, height: 1, bits: 8, palette: palette, pixels: [1, 0]))
        == expected)
    #expect(
      try decode(makeBMP(width: 1, height: 1, bits: 8, palette: palette, pixels: [9]))
        == [0, 0, 0])
  }

  @Test("runs of eight and four bits; what none reaches has the first colour")
  func runs() throws {
    let (a, b, c): ([UInt8], [UInt8], [UInt8]) = (palette[0], palette[1], palette[2])
    #expect(try decode(runsBMP) == c + b + c + a + b + b + b + a)
    let four = makeBMP(
      width: 5, height: 1, bits: 4, compression: 2, palette: palette,
      pixels: [3, 0x12, 0, 2, 1, 0, 1, 0x20, 0, 1])
    #expect(try decode(four) == b + c + b + a + c)
  }

  @Test("sizes and kinds that make no sense are typed errors")
  func refused() {
    func code(_ bytes: [UInt8]) -> ImageError.Code? {
      do throws(ImageError) {
        _ = try decode(bytes)
        return nil
      } catch { return error.code }
    }
    #expect(code(makeBMP(width: 60000, height: 60000, bits: 24, pixels: [])) == .tooLarge)
    #expect(code(makeBMP(width: 9999, height: 9999, bits: 24, pixels: [])) == .truncated)
    #expect(code(makeBMP(width: -1, height: 1, bits: 24, pixels: [])) == .corrupt)
    #expect(code(makeBMP(width: 1, height: .init(Int32.min), bits: 24, pixels: [])) == .tooLarge)
    #expect(code(makeBMP(width: 1, height: 1, bits: 5, pixels: [0])) == .unsupported)
    #expect(
      code(makeBMP(width: 1, height: 1, bits: 24, compression: 4, pixels: [0])) == .unsupported)
    #expect(
      code(makeBMP(width: 1, height: 1, bits: 24, compression: 1, pixels: [0])) == .corrupt)
    #expect(code(Array("BMW drives past, and then another".utf8)) == .notAnImage)
  }
}

/// A GIF whose codes are all nine bits long or shorter, so that no string is ever looked up: a clear
/// code before each pixel.
private func makeGIF(
  canvas: (Int, Int), at: (Int, Int), size: (Int, Int), transparent: UInt8? = nil,
  interlaced: Bool = false, palette: [UInt8]?, indices: [Int]
) -> [UInt8] {
  var bytes = Array("GIF89a".utf8) + little(canvas.0, 2) + little(canvas.1, 2)
  bytes += [palette == nil ? 0 : 0x81, 0, 0] + (palette ?? [])
  if let transparent { bytes += [0x21, 0xF9, 4, 1, 0, 0, transparent, 0] }
  bytes += [0x2C] + little(at.0, 2) + little(at.1, 2) + little(size.0, 2) + little(size.1, 2)
  bytes += [interlaced ? 0x40 : 0]
  // Two bits an index, so codes of three bits: 4 clears, 5 ends.
  var bits: [Int] = []
  for code in indices.flatMap({ [4, $0] }) + [5] { bits += (0..<3).map { code >> $0 & 1 } }
  var data = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
  for (i, bit) in bits.enumerated() where bit == 1 { data[i / 8] |= 1 << UInt8(i % 8) }
  return bytes + [2, UInt8(data.count)] + data + [0, 0x3B]
}

@Suite("GIF")
struct GIFTests {
  private let colours: [UInt8] = [9, 9, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90]

  @Test("indices become colours, with a palette or as gray")
  func plain() throws {
    let picture = makeGIF(
      canvas: (3, 1), at: (0, 0), size: (3, 1), palette: colours, indices: [1, 3, 2])
    #expect(try decode(picture) == [10, 20, 30, 70, 80, 90, 40, 50, 60])
    let gray = makeGIF(canvas: (2, 1), at: (0, 0), size: (2, 1), palette: nil, indices: [1, 3])
    #expect(try decode(gray) == [1, 1, 1, 3, 3, 3])
  }

  @Test("a frame smaller than the canvas lies on the transparent or the first colour")
  func canvas() throws {
    let first = makeGIF(
      canvas: (3, 1), at: (1, 0), size: (1, 1), palette: colours, indices: [1])
    #expect(try decode(first) == [9, 9, 9, 10, 20, 30, 9, 9, 9])
    let transparent = makeGIF(
      canvas: (3, 1), at: (1, 0), size: (1, 1), transparent: 2, palette: colours, indices: [1])
    #expect(try decode(transparent) == [40, 50, 60, 10, 20, 30, 40, 50, 60])
    // The canvas grows with a frame that leaves it.
    let outside = makeGIF(
      canvas: (1, 1), at: (1, 0), size: (1, 1), palette: colours, indices: [1])
    #expect(try decode(outside) == [9, 9, 9, 10, 20, 30])
  }

  @Test("interlaced rows find their places")
  func interlaced() throws {
    #expect(GIFDecoder.interlacedRows(9) == [0, 8, 4, 2, 6, 1, 3, 5, 7])
    #expect(GIFDecoder.interlacedRows(1) == [0])
    #expect(try decode(FixedPictures.interlacedGIF) == decode(FixedPictures.gif))
  }

  @Test("long strings of codes, and the first of several frames")
  func strings() throws {
    let red: [UInt8] = [200, 40, 30]
    for bytes in [FixedPictures.gif, FixedPictures.animatedGIF] {
      let image = try MPImage(encoded: bytes)
      #expect(image.width == 32 && image.height == 16)
      #expect(
        Array(image.pixels.array(of: UInt8.self).prefix(3 * 16)) == (0..<16).flatMap { _ in red })
    }
  }

  @Test("a GIF without a picture, without pixels or with a huge canvas is a typed error")
  func refused() {
    func code(_ bytes: [UInt8]) -> ImageError.Code? {
      do throws(ImageError) {
        _ = try decode(bytes)
        return nil
      } catch { return error.code }
    }
    #expect(code(Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]) == .corrupt)
    let tiny = makeGIF(
      canvas: (65535, 65535), at: (0, 0), size: (1, 1), palette: colours, indices: [1])
    #expect(code(tiny) == .tooLarge)
    let early = makeGIF(
      canvas: (2, 1), at: (0, 0), size: (2, 1), palette: colours, indices: [1])
    #expect(code(early) == .truncated)
    // A code for a string that was never made.
    let unknown = makeGIF(
      canvas: (1, 1), at: (0, 0), size: (1, 1), palette: colours, indices: [6])
    #expect(code(unknown) == .corrupt)
    let empty = makeGIF(
      canvas: (1, 1), at: (0, 0), size: (0, 1), palette: colours, indices: [])
    #expect(code(empty) == .corrupt)
  }
}
