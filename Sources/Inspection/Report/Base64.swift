package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Source: RFC 4648, section 4.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let rest = bytes.count - index
      let (a, b, c) = (
        bytes[index], rest > 1 ? bytes[index + 1] : 0, rest > 2 ? bytes[index + 2] : 0
      )
      text.append(letters[Int(a >> 2)])
      text.append(letters[Int((a & 3) << 4 | b >> 4)])
      text.append(rest > 1 ? letters[Int((b & 15) << 2 | c >> 6)] : UInt8(ascii: "="))
      text.append(rest > 2 ? letters[Int(c & 63)] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
