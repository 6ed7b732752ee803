/// Writes ZIP archives with stored entries, for tests, and can lie about any of it.
public struct ZipBuilder: Sendable {
  public struct Entry: Sendable {
    public var name: [UInt8]
    public var data: [UInt8]
    public var method: UInt16 = 0
    public var flags: UInt16 = 0
    /// The checksum in both headers; the right one unless set.
    public var checksum: UInt32?
    /// What the central directory says of both sizes.
    public var size: UInt32?
    public var headerOffset: UInt32?
    /// The name in the entry's own header.
    public var localName: [UInt8]?

    public init(_ name: String, _ data: [UInt8]) {
      self.name = Array(name.utf8)
      self.data = data
    }
  }

  public var entries: [Entry] = []
  public var comment: [UInt8] = []
  public var prefix: [UInt8] = []
  public var disk: UInt16 = 0
  public var count: UInt16?

  public init(_ entries: [Entry] = []) { self.entries = entries }

  public var bytes: [UInt8] {
    var out = prefix
    func put<T: FixedWidthInteger>(_ value: T) {
      withUnsafeBytes(of: value.littleEndian) { out.append(contentsOf: $0) }
    }
    var offsets = [UInt32]()
    for entry in entries {
      offsets.append(UInt32(out.count))
      let name = entry.localName ?? entry.name
      put(UInt32(0x0403_4B50))
      for field in [20, entry.flags, entry.method, 0, 0] { put(field) }
      put(entry.checksum ?? ZipBuilder.checksum(entry.data))
      put(UInt32(entry.data.count))
      put(UInt32(entry.data.count))
      put(UInt16(name.count))
      put(UInt16(0))
      out += name + entry.data
    }
    let directory = UInt32(out.count)
    for (entry, offset) in zip(entries, offsets) {
      put(UInt32(0x0201_4B50))
      for field in [20, 20, entry.flags, entry.method, 0, 0] { put(field) }
      put(entry.checksum ?? ZipBuilder.checksum(entry.data))
      put(entry.size ?? UInt32(entry.data.count))
      put(entry.size ?? UInt32(entry.data.count))
      put(UInt16(entry.name.count))
      for _ in 0..<4 { put(UInt16(0)) }
      put(UInt32(0))
      put(entry.headerOffset ?? offset)
      out += entry.name
    }
    let size = UInt32(out.count) - directory
    put(UInt32(0x0605_4B50))
    put(disk)
    put(UInt16(0))
    put(count ?? UInt16(entries.count))
    put(count ?? UInt16(entries.count))
    put(size)
    put(directory)
    put(UInt16(comment.count))
    return out + comment
  }

  /// CRC-32 bit by bit, independent of the package's own.
  public static func checksum(_ data: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
