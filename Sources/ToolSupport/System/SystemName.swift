/// Names as the system has them: bytes, which need not be UTF-8.
///
/// A `String` holds only Unicode. A byte that is part of no UTF-8 sequence is therefore kept as one scalar of
/// the last private plane, U+10FF00 plus the byte, and turned back wherever the system is called. A name that
/// holds such scalars itself is kept byte by byte, so that every name comes back as it was.
package enum SystemName {
  private static let base: UInt32 = 0x10FF00

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  /// The text that stands for a name.
  package static func decode(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { byte($0) != nil })
    {
      return text
    }
    var text = String.UnicodeScalarView()
    var place = 0
    while place < bytes.count {
      // At most one of the four lengths is a whole scalar.
      let scalar = (1...4).lazy.compactMap { length -> (Unicode.Scalar, Int)? in
        guard place + length <= bytes.count,
          let scalars = String(validating: bytes[place..<(place + length)], as: UTF8.self)?
            .unicodeScalars, scalars.count == 1, let scalar = scalars.first, byte(scalar) == nil
        else { return nil }
        return (scalar, length)
      }.first
      if let (scalar, length) = scalar {
        text.append(scalar)
        place += length
      } else {
        text.append(Unicode.Scalar(base + UInt32(bytes[place])) ?? "\u{FFFD}")
        place += 1
      }
    }
    return String(text)
  }

  /// The text of a C string.
  package static func decode(cString: UnsafePointer<CChar>) -> String {
    var bytes: [UInt8] = []
    var place = cString
    while place.pointee != 0 {
      bytes.append(UInt8(bitPattern: place.pointee))
      place += 1
    }
    return decode(bytes)
  }

  /// The name's own bytes.
  package static func encode(_ text: String) -> [UInt8] {
    guard !isUTF8(text) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) { bytes.append(byte) } else { bytes += Array(String(scalar).utf8) }
    }
    return bytes
  }

  /// Whether the name can be handed on as it is.
  package static func isUTF8(_ text: String) -> Bool {
    !text.unicodeScalars.contains { byte($0) != nil }
  }

  /// The name as a C string.
  package static func withCString<Result, Failure: Error>(
    _ text: String, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = encode(text).map { CChar(bitPattern: $0) } + [0]
    let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    defer { pointer.deallocate() }
    pointer.initialize(from: bytes, count: bytes.count)
    return try body(pointer)
  }

  /// The name as it is printed: bytes that are no text, control characters, and those that turn the direction
  /// of writing, as escapes.
  package static func shown(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) {
        shown.append(contentsOf: escape(byte).unicodeScalars)
      } else if isHarmless(scalar) {
        shown.append(scalar)
      } else if scalar.value < 0x80 {
        shown.append(contentsOf: escape(UInt8(scalar.value)).unicodeScalars)
      } else {
        shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(shown)
  }

  /// Text of several lines with its bytes that are no text as escapes.
  package static func shownBytes(_ text: String) -> String {
    guard !isUTF8(text) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) {
        shown.append(contentsOf: escape(byte).unicodeScalars)
      } else {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.count == 1 ? "0" : "") + digits
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
