/// The container formats this room reads.
enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, pnm

  /// The format of `bytes` by their first ones; names and extensions play no part.
  static func of(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
    func starts(with signature: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + signature.count
        && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
    }
    if starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts(with: Array("RIFF".utf8)), starts(with: Array("WEBP".utf8), at: 8) { return .webp }
    if bytes.count >= 3, bytes[0] == UInt8(ascii: "P"), "2356".utf8.contains(bytes[1]),
      PNMDecoder.isSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#")
    {
      return .pnm
    }
    return nil
  }

  /// The name as messages print it.
  var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .pnm: "PNM"
    }
  }
}
