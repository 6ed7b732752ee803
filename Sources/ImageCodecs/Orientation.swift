/// Which way is up, from whatever a file says about it.
///
/// The order is Pillow's `Image.getexif`: EXIF first; XMP where EXIF has no orientation.
struct OrientationMetadata {
  /// What EXIF says; `nil` without an orientation tag, `.up` for one of no meaning.
  var exif: ImageOrientation?
  /// What XMP says.
  var xmp: ImageOrientation?

  /// The orientation to apply.
  var resolved: ImageOrientation { exif ?? xmp ?? .up }
}

/// The one thing needed from EXIF metadata: which way is up.
enum EXIF {
  private static let orientationTag: UInt32 = 0x0112

  /// The orientation in a TIFF block (`II*\0…` or `MM\0*…`, after any `Exif\0\0`).
  ///
  /// Metadata that is damaged leaves the picture as it is stored, as every viewer does.
  ///
  /// - Returns: `nil` if the tag is not there, `.up` if it has no meaning.
  static func orientation(tiff: UnsafeRawBufferPointer) -> ImageOrientation? {
    var tiff = tiff
    // Some writers keep JPEG's prefix in PNG and WebP chunks.
    if tiff.count >= 6, Array("Exif\0\0".utf8).elementsEqual(tiff.prefix(6)) {
      tiff = UnsafeRawBufferPointer(rebasing: tiff.dropFirst(6))
    }
    guard tiff.count >= 8 else { return nil }
    let littleEndian: Bool
    switch (tiff[0], tiff[1]) {
    case (UInt8(ascii: "I"), UInt8(ascii: "I")): littleEndian = true
    case (UInt8(ascii: "M"), UInt8(ascii: "M")): littleEndian = false
    default: return nil
    }
    /// The unsigned number of `width` bytes at `offset`; `nil` beyond the end.
    func number(_ offset: Int, _ width: Int) -> UInt32? {
      guard offset >= 0, offset <= tiff.count - width else { return nil }
      var value: UInt32 = 0
      for i in 0..<width {
        value = value << 8 | UInt32(tiff[offset + (littleEndian ? width - 1 - i : i)])
      }
      return value
    }
    guard number(2, 2) == 42, let start = number(4, 4), let count = number(Int(start), 2) else {
      return nil
    }
    for entry in 0..<Int(count) {
      let at = Int(start) + 2 + 12 * entry
      guard let tag = number(at, 2), let type = number(at + 2, 2), number(at + 8, 4) != nil else {
        break
      }
      if tag != orientationTag { continue }
      // SHORT by the standard; some writers use LONG.
      let value = type == 3 ? number(at + 8, 2) : type == 4 ? number(at + 8, 4) : nil
      return value.flatMap { ImageOrientation(exif: Int($0)) } ?? .up
    }
    return nil
  }

  /// The orientation in the text that ImageMagick and ExifTool keep EXIF in: a line feed, the
  /// profile's name, its length, then the bytes as hexadecimal digits in lines.
  static func orientation(rawProfile text: UnsafeRawBufferPointer) -> ImageOrientation? {
    var lines = 0
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text {
      if lines < 3 {
        if byte == UInt8(ascii: "\n") { lines += 1 }
        continue
      }
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) else {
        continue
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes.withUnsafeBytes { orientation(tiff: $0) }
  }
}

/// The one thing needed from XMP metadata.
enum XMP {
  /// The orientation in an XMP packet: the first `tiff:Orientation`, as an attribute or an element.
  ///
  /// A search rather than a parser, as in Pillow: packets are read from strangers, and a property of
  /// that name means nothing else.
  ///
  /// - Returns: `nil` if the property is not there, `.up` if it has no meaning.
  static func orientation(_ packet: UnsafeRawBufferPointer) -> ImageOrientation? {
    let name = Array("tiff:Orientation".utf8)
    var start = 0
    while packet.count - start > name.count + 1 {
      guard packet[start] == name[0],
        name.elementsEqual(packet[start..<(start + name.count)])
      else {
        start += 1
        continue
      }
      start += name.count
      var digit: Int?
      if packet[start] == UInt8(ascii: ">") {
        digit = start + 1
      } else if packet.count - start > 2, packet[start] == UInt8(ascii: "="),
        packet[start + 1] == UInt8(ascii: "\"")
      {
        digit = start + 2
      }
      if let digit, (0x30...0x39).contains(packet[digit]) {
        return ImageOrientation(exif: Int(packet[digit]) - 0x30) ?? .up
      }
    }
    return nil
  }
}
