/// The checksum of ZIP entries: CRC-32 with the polynomial 0xEDB88320 (reflected), as in IEEE 802.3.
///
/// Eight bytes a step ("slicing by 8", Kounavis and Berry, 2005), since models are megabytes.
enum CRC32 {
  /// Entry `256·k + b` is the checksum of byte `b` followed by `k` zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
      tables[byte] = sum
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = (before >> 8) ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    tables.withUnsafeBufferPointer { table in
      var sum = UInt32.max
      var at = 0
      while at + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        let mixed = word ^ UInt64(sum)
        sum = 0
        for k in 0..<8 {
          sum ^= table[256 * (7 - k) + Int(truncatingIfNeeded: (mixed >> UInt64(8 * k)) & 0xFF)]
        }
        at += 8
      }
      while at < bytes.count {
        sum = (sum >> 8) ^ table[Int((sum ^ UInt32(bytes[at])) & 0xFF)]
        at += 1
      }
      return ~sum
    }
  }
}
