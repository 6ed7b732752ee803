/// BMP: 1, 2, 4 and 8 bits with a palette, plain or run-length coded, and 16, 24 and 32 bits with any
/// channel masks; bottom-up or top-down.
///
/// Source: the BITMAPFILEHEADER and BITMAPV5HEADER structures of the Windows API, and OS/2's
/// BITMAPCOREHEADER. Channels of fewer than 8 bits are scaled as Pillow does: `value · 255 / maximum`,
/// rounded down.
struct BMPDecoder {
  private var reader: ByteReader
  private var width = 0
  private var height = 0
  private var isTopDown = false
  private var bits = 0
  private var compression = Compression.none
  private var masks = (red: 0, green: 0, blue: 0)
  private var palette: [UInt8] = []

  private enum Compression: Int {
    case none = 0
    case runs8 = 1
    case runs4 = 2
    case masks = 3
    case masksWithAlpha = 6
  }

  /// Lengths of the second header in use: OS/2 1.x and 2.x, and Windows's since 3.0.
  private static let headerLengths = [12, 16, 40, 52, 56, 64, 108, 124]

  /// Whether a known header follows the two letters, which alone say little.
  static func isHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The file's header has 14 bytes.
    guard bytes.count >= 18 else { return false }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[14 + $1]) << (8 * $1) }
    return headerLengths.contains(length)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    var decoder = BMPDecoder(reader: ByteReader(bytes, "BMP"))
    return try decoder.decode(options)
  }

  private init(reader: ByteReader) { self.reader = reader }

  private mutating func decode(_ options: ImageDecodingOptions) throws(ImageError) -> DecodedImage {
    try reader.skip(10)
    let start = try reader.number(4)
    let paletteEntry = try readHeader()
    try options.check(width: width, height: height)
    if bits <= 8 {
      // What lies between the headers and the pixels is the palette, whatever its count says.
      let room = max(0, start - reader.offset) / paletteEntry
      for _ in 0..<min(1 << bits, room) {
        let entry = try reader.bytes(paletteEntry)
        palette += [entry[2], entry[1], entry[0]]
      }
    }
    palette += [UInt8](repeating: 0, count: 768 - min(768, palette.count))
    try reader.seek(to: start)
    switch compression {
    case .runs4, .runs8: return try decodeRuns()
    case .none, .masks, .masksWithAlpha: return try decodeRows()
    }
  }

  /// Returns the bytes of a palette's entry.
  private mutating func readHeader() throws(ImageError) -> Int {
    let begin = reader.offset
    let length = try reader.number(4)
    if length == 12 {
      width = try reader.number(2)
      height = try reader.number(2)
    } else {
      width = try reader.signed()
      height = try reader.signed()
      isTopDown = height < 0
      height = abs(height)
    }
    try reader.skip(2)
    bits = try reader.number(2)
    guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
      throw ImageError(.unsupported, "BMP with \(bits) bits a pixel is not decoded")
    }
    if length >= 40 { try readCompression(begin, length) }
    if compression == .none, bits > 8 {
      masks = bits == 16 ? (0x7C00, 0x3E0, 0x1F) : (0xFF_0000, 0xFF00, 0xFF)
    }
    let end = begin + length
    if reader.offset < end { try reader.seek(to: end) }
    return length == 12 ? 3 : 4
  }

  private mutating func readCompression(_ begin: Int, _ length: Int) throws(ImageError) {
    let number = try reader.number(4)
    guard let compression = Compression(rawValue: number),
      // OS/2's 2.x headers give the numbers from 3 on other meanings.
      length != 64 || number < 3
    else {
      throw ImageError(.unsupported, "BMP of compression \(number) is not decoded")
    }
    self.compression = compression
    switch compression {
    case .none: break
    case .runs8, .runs4:
      guard bits == (compression == .runs8 ? 8 : 4), !isTopDown else {
        throw ImageError(.corrupt, "the BMP's runs and its \(bits) bits a pixel do not fit")
      }
    case .masks, .masksWithAlpha:
      guard bits == 16 || bits == 32 else {
        throw ImageError(.corrupt, "the BMP has channel masks for \(bits) bits a pixel")
      }
      // In the larger headers, or after the smallest; the same place.
      try reader.seek(to: begin + 40)
      masks = (try reader.number(4), try reader.number(4), try reader.number(4))
      if length == 40, compression == .masksWithAlpha { try reader.skip(4) }
    }
  }

  private mutating func decodeRows() throws(ImageError) -> DecodedImage {
    // Rows are padded to four bytes. The last may end with its last pixel.
    let rowBytes = (width * bits + 31) / 32 * 4
    let data = try reader.view(rowBytes * (height - 1) + (width * bits + 7) / 8)
    let image = DecodedImage(width: width, height: height)
    let channels = [ChannelMask(masks.red), ChannelMask(masks.green), ChannelMask(masks.blue)]
    let bytes = bits / 8
    let perByte = bits < 8 ? 8 / bits : 1
    for y in 0..<height {
      let from = (isTopDown ? y : height - 1 - y) * rowBytes
      let to = image.pixels + 3 * y * width
      for x in 0..<width {
        if bits <= 8 {
          let shift = (perByte - 1 - x % perByte) * bits
          let index = Int(data[from + x / perByte]) >> shift & (1 << bits - 1)
          for channel in 0..<3 { to[3 * x + channel] = palette[3 * index + channel] }
          continue
        }
        var pixel = 0
        for i in 0..<bytes { pixel |= Int(data[from + bytes * x + i]) << (8 * i) }
        for channel in 0..<3 { to[3 * x + channel] = channels[channel].byte(pixel) }
      }
    }
    return image
  }

  /// Runs, pixels as they are, and jumps; pixels that none reaches have the palette's first colour.
  private mutating func decodeRuns() throws(ImageError) -> DecodedImage {
    let image = DecodedImage(width: width, height: height)
    for i in 0..<(width * height) { paint(image, i % width, i / width, 0) }
    var x = 0
    var y = 0
    while y < height {
      let count = try reader.number(1)
      let value = try reader.number(1)
      if count > 0 {
        for i in 0..<count { put(image, &x, y, index(value, i)) }
        continue
      }
      switch value {
      case 0: (x, y) = (0, y + 1)
      case 1: return image
      case 2:
        x += try reader.number(1)
        y += try reader.number(1)
      default:
        // Bytes are padded to pairs.
        let bytes = compression == .runs8 ? value : (value + 1) / 2
        let data = try reader.bytes(bytes + bytes % 2)
        for i in 0..<value {
          let byte = Int(data[compression == .runs8 ? i : i / 2])
          put(image, &x, y, index(byte, i))
        }
      }
    }
    return image
  }

  /// The `i`th index of a run: the whole byte, or its halves in turn, the high one first.
  private func index(_ byte: Int, _ i: Int) -> Int {
    compression == .runs8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15
  }

  private func put(_ image: DecodedImage, _ x: inout Int, _ y: Int, _ index: Int) {
    // What runs over the end of a row is dropped.
    if x < width { paint(image, x, height - 1 - y, index) }
    x += 1
  }

  private func paint(_ image: DecodedImage, _ x: Int, _ row: Int, _ index: Int) {
    for channel in 0..<3 {
      image.pixels[3 * (row * width + x) + channel] = palette[3 * index + channel]
    }
  }
}

/// One channel's place within a pixel.
private struct ChannelMask {
  private let shift: Int
  private let maximum: Int

  init(_ mask: Int) {
    shift = mask == 0 ? 0 : mask.trailingZeroBitCount
    maximum = mask >> shift
  }

  func byte(_ pixel: Int) -> UInt8 {
    maximum == 0 ? 0 : UInt8((pixel >> shift & maximum) * 255 / maximum)
  }
}
