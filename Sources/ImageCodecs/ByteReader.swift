/// Little-endian numbers from bytes that may end anywhere.
struct ByteReader {
  private let source: UnsafeRawBufferPointer
  /// The format's name, for messages.
  private let name: String
  private(set) var offset = 0

  init(_ source: UnsafeRawBufferPointer, _ name: String) {
    self.source = source
    self.name = name
  }

  private func need(_ count: Int) throws(ImageError) {
    guard count <= source.count - offset else {
      throw ImageError(.truncated, "the \(name) ends before its picture", byte: source.count)
    }
  }

  mutating func seek(to position: Int) throws(ImageError) {
    guard position >= 0, position <= source.count else {
      throw ImageError(.truncated, "the \(name) ends before its picture", byte: source.count)
    }
    offset = position
  }

  mutating func skip(_ count: Int) throws(ImageError) {
    try need(count)
    offset += count
  }

  /// The unsigned number in the next `width` bytes, at most four.
  mutating func number(_ width: Int) throws(ImageError) -> Int {
    try need(width)
    var value = 0
    for i in 0..<width { value |= Int(source[offset + i]) << (8 * i) }
    offset += width
    return value
  }

  /// The signed number in the next four bytes.
  mutating func signed() throws(ImageError) -> Int {
    Int(Int32(truncatingIfNeeded: try number(4)))
  }

  mutating func bytes(_ count: Int) throws(ImageError) -> [UInt8] {
    try need(count)
    defer { offset += count }
    return Array(source[offset..<(offset + count)])
  }

  /// The next `count` bytes, where they are.
  mutating func view(_ count: Int) throws(ImageError) -> UnsafeRawBufferPointer {
    try need(count)
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: source[offset..<(offset + count)])
  }
}
