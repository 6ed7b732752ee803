/// PGM and PPM, binary (P5, P6) and plain (P2, P3): no library, and handy for tests and pipes.
struct PNMDecoder {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 2

  private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
  ) throws(ImageError) -> DecodedImage {
    var decoder = PNMDecoder(bytes)
    return try decoder.decode(options)
  }

  private mutating func decode(_ options: ImageDecodingOptions) throws(ImageError) -> DecodedImage {
    let kind = bytes[1]
    let isPlain = kind == UInt8(ascii: "2") || kind == UInt8(ascii: "3")
    let channels = kind == UInt8(ascii: "3") || kind == UInt8(ascii: "6") ? 3 : 1
    let width = try number()
    let height = try number()
    let maximum = try number()
    try options.check(width: width, height: height)
    guard (1...65535).contains(maximum) else {
      throw ImageError(.corrupt, "the PNM's largest sample is \(maximum)", byte: offset)
    }
    // A plain sample takes a digit and a space, but for the last.
    let needed = width * height * channels * (isPlain ? 2 : maximum > 255 ? 2 : 1)
    if !isPlain { offset += 1 }
    guard needed - (isPlain ? 1 : 0) <= bytes.count - offset else {
      throw ImageError(.truncated, "the PNM ends before its picture", byte: bytes.count)
    }
    let image = DecodedImage(width: width, height: height)
    let pixels = image.pixels
    for i in 0..<(width * height) {
      for channel in 0..<channels {
        let sample = isPlain ? try number() : binarySample(wide: maximum > 255)
        pixels[3 * i + channel] = PNMDecoder.byte(sample, maximum)
      }
      if channels == 1 {
        pixels[3 * i + 1] = pixels[3 * i]
        pixels[3 * i + 2] = pixels[3 * i]
      }
    }
    return image
  }

  /// A sample as one byte: as it is, its high byte, or scaled.
  private static func byte(_ sample: Int, _ maximum: Int) -> UInt8 {
    switch maximum {
    case 255: UInt8(sample & 255)
    case 65535: UInt8(sample >> 8)
    default:
      UInt8(min(255, (Double(sample) * 255 / Double(maximum)).rounded(.toNearestOrEven)))
    }
  }

  private mutating func binarySample(wide: Bool) -> Int {
    defer { offset += wide ? 2 : 1 }
    return wide ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) : Int(bytes[offset])
  }

  /// The next decimal number, past white space and comments.
  private mutating func number() throws(ImageError) -> Int {
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "#") {
        while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
      } else if PNMDecoder.isSpace(bytes[offset]) {
        offset += 1
      } else {
        break
      }
    }
    let start = offset
    var value = 0
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
      value = value * 10 + Int(bytes[offset] - 0x30)
      offset += 1
      guard value <= 0x7FFF_FFFF else {
        throw ImageError(.corrupt, "a number in the PNM is too large", byte: start)
      }
    }
    guard offset > start else {
      throw offset == bytes.count
        ? ImageError(.truncated, "the PNM ends before its picture", byte: offset)
        : ImageError(.corrupt, "the PNM has no number here", byte: offset)
    }
    return value
  }
}
