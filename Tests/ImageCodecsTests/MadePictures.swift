// Pictures built byte by byte, so that these tests need no files.

/// A PNG of the given header with uncompressed pixel data, every chunk with its right CRC.
func makePNG(
  width: UInt32, height: UInt32, depth: UInt8, colourType: UInt8, rows: [[UInt8]] = [],
  extra: [(name: String, data: [UInt8])] = []
) -> [UInt8] {
  var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  png += chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colourType, 0, 0, 0])
  for (name, data) in extra { png += chunk(name, data) }
  png += chunk("IDAT", storedZlib(rows.flatMap { [0] + $0 }))
  png += chunk("IEND", [])
  return png
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
}

private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
  let body = Array(name.utf8) + data
  return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(~UInt32(0)) { crc, byte in
    (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
  }
}

/// A zlib stream of one stored block.
func storedZlib(_ bytes: [UInt8]) -> [UInt8] {
  let count = UInt16(bytes.count)
  let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in bytes {
    a = (a + UInt32(byte)) % 65521
    b = (b + a) % 65521
  }
  return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + bigEndian(b << 16 | a)
}

/// A TIFF block with one entry, the orientation.
func makeTIFF(orientation: UInt16, littleEndian: Bool, offset: UInt32 = 8, entries: UInt16 = 1)
  -> [UInt8]
{
  func number<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: littleEndian ? value.littleEndian : value.bigEndian) { Array($0) }
  }
  let header: [UInt8] =
    (littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(UInt16(42)) + number(offset)
  let entry: [UInt8] =
    number(UInt16(0x0112)) + number(UInt16(3)) + number(UInt32(1)) + number(orientation) + [0, 0]
  return header + number(entries) + entry + number(UInt32(0))
}
