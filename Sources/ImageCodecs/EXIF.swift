import FaceKitImages

/// The one thing needed from EXIF metadata: which way is up.
enum EXIF {
  private static let orientationTag: UInt32 = 0x0112

  /// The orientation in a TIFF block (`II*\0…` or `MM\0*…`, after any `Exif\0\0`).
  ///
  /// Metadata that is damaged or absent leaves the picture as it is stored, as every viewer does.
  static func orientation(tiff: UnsafeRawBufferPointer) -> ImageOrientation {
    var tiff = tiff
    // Some writers keep JPEG's prefix in PNG and WebP chunks.
    if tiff.count >= 6, Array("Exif\0\0".utf8).elementsEqual(tiff.prefix(6)) {
      tiff = UnsafeRawBufferPointer(rebasing: tiff.dropFirst(6))
    }
    guard tiff.count >= 8 else { return .up }
    let littleEndian: Bool
    switch (tiff[0], tiff[1]) {
    case (UInt8(ascii: "I"), UInt8(ascii: "I")): littleEndian = true
    case (UInt8(ascii: "M"), UInt8(ascii: "M")): littleEndian = false
    default: return .up
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
      return .up
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
    return .up
  }
}
