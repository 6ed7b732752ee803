/// The first frame of a GIF, on its canvas.
///
/// Source: "Graphics Interchange Format, Version 89a", CompuServe 1990. Canvas and background are
/// Pillow's: the canvas grows to hold the frame, and where the frame leaves it bare it has the
/// transparent colour, or the first of the palette.
struct GIFDecoder {
  private var reader: ByteReader
  private var canvasWidth = 0
  private var canvasHeight = 0
  private var palette: [UInt8] = []
  private var transparentIndex: Int?

  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    var decoder = GIFDecoder(reader: ByteReader(bytes, "GIF"))
    return try decoder.decode(options)
  }

  private init(reader: ByteReader) { self.reader = reader }

  private mutating func decode(_ options: ImageDecodingOptions) throws(ImageError) -> DecodedImage {
    try reader.skip(6)
    canvasWidth = try reader.number(2)
    canvasHeight = try reader.number(2)
    let flags = try reader.number(1)
    // The background's index, which viewers ignore, and the pixels' aspect.
    try reader.skip(2)
    if flags & 0x80 != 0 { palette = try readPalette(flags) }
    while true {
      switch try reader.number(1) {
      case 0x21: try readExtension()
      case 0x2C: return try readFrame(options)
      case 0x3B: throw ImageError(.corrupt, "the GIF has no picture", byte: reader.offset)
      // Stray bytes between blocks, which some writers leave.
      default: continue
      }
    }
  }

  private mutating func readPalette(_ flags: Int) throws(ImageError) -> [UInt8] {
    try reader.bytes(3 << (flags & 7 + 1))
  }

  private mutating func readExtension() throws(ImageError) {
    let isGraphicControl = try reader.number(1) == 0xF9
    var isFirst = true
    while true {
      let count = try reader.number(1)
      if count == 0 { return }
      let block = try reader.bytes(count)
      if isGraphicControl, isFirst, count >= 4 {
        transparentIndex = block[0] & 1 != 0 ? Int(block[3]) : nil
      }
      isFirst = false
    }
  }

  private mutating func readFrame(
    _ options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    let left = try reader.number(2)
    let top = try reader.number(2)
    let width = try reader.number(2)
    let height = try reader.number(2)
    let flags = try reader.number(1)
    if flags & 0x80 != 0 { palette = try readPalette(flags) }
    try options.check(width: width, height: height)
    canvasWidth = max(canvasWidth, left + width)
    canvasHeight = max(canvasHeight, top + height)
    try options.check(width: canvasWidth, height: canvasHeight)

    let colours = paddedPalette()
    let rowLength = canvasWidth
    let image = DecodedImage(width: canvasWidth, height: canvasHeight)
    let pixels = image.pixels
    if width < canvasWidth || height < canvasHeight {
      let background = 3 * (transparentIndex ?? 0)
      for i in 0..<(canvasWidth * canvasHeight) {
        for channel in 0..<3 { pixels[3 * i + channel] = colours[background + channel] }
      }
    }
    let order = flags & 0x40 != 0 ? GIFDecoder.interlacedRows(height) : Array(0..<height)
    var codes = try LZWStream(&reader)
    var column = 0
    var row = 0
    try codes.expand(&reader, count: width * height) { index in
      let to = 3 * ((top + order[row]) * rowLength + left + column)
      let colour = 3 * Int(index)
      pixels[to] = colours[colour]
      pixels[to + 1] = colours[colour + 1]
      pixels[to + 2] = colours[colour + 2]
      column += 1
      if column == width {
        column = 0
        row += 1
      }
    }
    return image
  }

  /// 256 colours: a GIF without a palette is gray, and an index beyond its palette is black.
  private func paddedPalette() -> [UInt8] {
    if palette.isEmpty { return (0..<256).flatMap { [UInt8](repeating: UInt8($0), count: 3) } }
    return palette + [UInt8](repeating: 0, count: 768 - palette.count)
  }

  /// Stored rows in four passes: every eighth, those half-way between, and so on.
  static func interlacedRows(_ height: Int) -> [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
  }
}

/// GIF's variable-length LZW codes, in sub-blocks of at most 255 bytes.
private struct LZWStream {
  private static let longestCode = 12

  private let rootBits: Int
  private var blockLeft = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  /// For each code the code of all but its last byte, that byte, and its length.
  private var prefixes = [UInt16](repeating: 0, count: 1 << LZWStream.longestCode)
  private var suffixes = [UInt8](repeating: 0, count: 1 << LZWStream.longestCode)

  init(_ reader: inout ByteReader) throws(ImageError) {
    rootBits = try reader.number(1)
    guard (1...11).contains(rootBits) else {
      throw ImageError(
        .corrupt, "the GIF's codes start with \(rootBits) bits", byte: reader.offset)
    }
    for code in 0..<min(256, 1 << rootBits) { suffixes[code] = UInt8(code) }
  }

  private mutating func next(_ reader: inout ByteReader, _ width: Int) throws(ImageError) -> Int {
    while bitCount < width {
      while blockLeft == 0 {
        blockLeft = try reader.number(1)
        if blockLeft == 0 {
          throw ImageError(.truncated, "the GIF ends before its picture", byte: reader.offset)
        }
      }
      bits |= UInt32(try reader.number(1)) << UInt32(bitCount)
      blockLeft -= 1
      bitCount += 8
    }
    defer {
      bits >>= UInt32(width)
      bitCount -= width
    }
    return Int(bits) & (1 << width - 1)
  }

  /// Gives `count` bytes to `body`, in order.
  mutating func expand(
    _ reader: inout ByteReader, count: Int, _ body: (UInt8) -> Void
  ) throws(ImageError) {
    let clear = 1 << rootBits
    let end = clear + 1
    var free = end + 1
    var width = rootBits + 1
    var previous: Int?
    var first: UInt8 = 0
    var left = count
    var string: [UInt8] = []
    string.reserveCapacity(1 << LZWStream.longestCode)
    while left > 0 {
      let code = try next(&reader, width)
      if code == clear {
        (free, width, previous) = (end + 1, rootBits + 1, nil)
        continue
      }
      if code == end {
        throw ImageError(.truncated, "the GIF ends before its picture", byte: reader.offset)
      }
      // A code may name the entry that it makes itself: the last string and its first byte again.
      let isNew = code == free && previous != nil
      guard code < clear || (code > end && code < free) || isNew else {
        throw ImageError(.corrupt, "the GIF has a code that means nothing", byte: reader.offset)
      }
      string.removeAll(keepingCapacity: true)
      var walk = code
      if let previous, isNew {
        string.append(first)
        walk = previous
      }
      while walk > end {
        string.append(suffixes[walk])
        walk = Int(prefixes[walk])
      }
      first = suffixes[walk]
      string.append(first)
      for byte in string.reversed().prefix(left) { body(byte) }
      left -= min(left, string.count)
      if let previous, free < 1 << LZWStream.longestCode {
        prefixes[free] = UInt16(previous)
        suffixes[free] = first
        free += 1
        if free == 1 << width, width < LZWStream.longestCode { width += 1 }
      }
      previous = code
    }
  }
}
