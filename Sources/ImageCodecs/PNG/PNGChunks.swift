import CPNG

/// A walk over a PNG's chunks before libpng sees them: big-endian length, four letters, data, CRC.
///
/// libpng believes a chunk's length and reserves it before it reads; here each must fit the file.
struct PNGChunks {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var metadata = OrientationMetadata()
  /// Compressed bytes of the picture.
  private var imageBytes = 0
  /// Bits of a pixel, as stored.
  private var pixelBits = 1

  private static let signatureLength = 8
  /// Length, name and CRC.
  private static let frameLength = 12
  /// The most text that is expanded to look for an orientation.
  private static let longestText = 1 << 20

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var offset = PNGChunks.signatureLength
    try readHeader(bytes)
    while bytes.count - offset >= PNGChunks.frameLength {
      let length = PNGChunks.number(bytes, offset)
      guard length <= bytes.count - offset - PNGChunks.frameLength else { break }
      let data = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)..<(offset + 8 + length)])
      switch PNGChunks.name(bytes, offset) {
      case "IEND": return
      case "IDAT": imageBytes += length
      case "eXIf" where metadata.exif == nil: metadata.exif = EXIF.orientation(tiff: data)
      case let kind where PNGText.kinds.contains(kind):
        guard let text = PNGText(kind, data) else { break }
        read(text)
      default: break
      }
      offset += PNGChunks.frameLength + length
    }
    throw ImageError(
      .truncated, "the PNG ends inside a chunk that starts at byte \(offset)", byte: bytes.count)
  }

  /// Whether the compressed bytes can hold the picture: DEFLATE makes at most 1,032 bytes of one.
  ///
  /// Rows take a filter byte each; an interlaced picture has more rows, never fewer bytes.
  var isPlausible: Bool {
    let rowBytes = (width * pixelBits + 7) / 8 + 1
    return rowBytes * height / 1032 <= imageBytes
  }

  private mutating func readHeader(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    let start = PNGChunks.signatureLength
    guard bytes.count >= start + 8 + 13 else {
      throw ImageError(.truncated, "the PNG ends inside its header", byte: bytes.count)
    }
    guard PNGChunks.name(bytes, start) == "IHDR" else {
      throw ImageError(.corrupt, "the PNG does not start with its header", byte: start)
    }
    width = PNGChunks.number(bytes, start + 8)
    height = PNGChunks.number(bytes, start + 12)
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][bytes[start + 17]] ?? 1
    pixelBits = samples * min(16, max(1, Int(bytes[start + 16])))
  }

  private mutating func read(_ text: PNGText) {
    switch text.keyword {
    case "Raw profile type exif" where metadata.exif == nil,
      "Raw profile type APP1" where metadata.exif == nil:
      metadata.exif = text.withValue(PNGChunks.longestText) { EXIF.orientation(rawProfile: $0) }
    case "XML:com.adobe.xmp" where metadata.xmp == nil:
      metadata.xmp = text.withValue(PNGChunks.longestText) { XMP.orientation($0) }
    default: break
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private static func name(_ bytes: UnsafeRawBufferPointer, _ chunk: Int) -> String {
    String(decoding: bytes[(chunk + 4)..<(chunk + 8)], as: UTF8.self)
  }
}

/// A chunk of text: `tEXt`, `zTXt` (compressed) or `iTXt` (either).
private struct PNGText {
  static let kinds = ["tEXt", "zTXt", "iTXt"]

  let keyword: String
  private let value: UnsafeRawBufferPointer
  private let isCompressed: Bool

  /// `nil` where the chunk is not laid out as its kind is.
  init?(_ kind: String, _ data: UnsafeRawBufferPointer) {
    // Keywords have 79 letters at most.
    guard let end = data.prefix(80).firstIndex(of: 0) else { return nil }
    keyword = String(decoding: data[..<end], as: UTF8.self)
    var rest = data[(end + 1)...]
    switch kind {
    case "tEXt": isCompressed = false
    case "zTXt":
      guard rest.popFirst() == 0 else { return nil }
      isCompressed = true
    default:
      guard let flag = rest.popFirst(), rest.popFirst() != nil else { return nil }
      isCompressed = flag == 1
      // A language and a translated keyword.
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    }
    value = UnsafeRawBufferPointer(rebasing: rest)
  }

  /// Calls `body` with the text, of which at most `limit` bytes are expanded.
  func withValue<Result>(
    _ limit: Int, _ body: (UnsafeRawBufferPointer) -> Result?
  ) -> Result? {
    guard isCompressed else { return body(value) }
    guard let start = value.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let text = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = facekit_inflate(start, value.count, buffer.baseAddress!, limit)
    }
    return text.withUnsafeBytes { body($0) }
  }
}
