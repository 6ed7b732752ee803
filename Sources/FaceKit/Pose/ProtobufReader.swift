import FaceKitTensor

/// Reads the fields of one protocol-buffer message, checking every length.
struct ProtobufReader {
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(StorageView)
    case fixed32(UInt32)
  }

  struct Field {
    var number: Int
    var value: Value

    /// A repeated float, packed or one by one.
    func appendFloats(to values: inout [Float]) throws(FaceKitError) {
      switch value {
      case .fixed32(let bits): values.append(Float(bitPattern: bits))
      case .bytes(let bytes):
        guard bytes.count % 4 == 0 else { throw .geometry("a packed float field is cut") }
        for bits in bytes.array(of: UInt32.self) {
          values.append(Float(bitPattern: UInt32(littleEndian: bits)))
        }
      default: throw .geometry("field \(number) does not hold floats")
      }
    }

    /// A repeated integer, packed or one by one.
    func appendIntegers(to values: inout [UInt64]) throws(FaceKitError) {
      switch value {
      case .varint(let integer): values.append(integer)
      case .bytes(let bytes):
        var reader = ProtobufReader(bytes)
        while reader.offset < bytes.count { values.append(try reader.varint()) }
      default: throw .geometry("field \(number) does not hold integers")
      }
    }
  }

  private let view: StorageView
  private var offset = 0

  init(_ view: StorageView) { self.view = view }

  /// The next field; `nil` at the end.
  mutating func next() throws(FaceKitError) -> Field? {
    if offset == view.count { return nil }
    let key = try varint()
    // Field numbers have 29 bits.
    let number = Int(key >> 3 & 0x1FFF_FFFF)
    switch key & 7 {
    case 0: return Field(number: number, value: .varint(try varint()))
    case 1: return Field(number: number, value: .fixed64(try fixed(8)))
    case 2:
      let length = try varint()
      guard length <= UInt64(view.count - offset) else {
        throw .geometry("field \(number) at byte \(offset) is cut")
      }
      let bytes = view.slice(offset: offset, count: Int(length))
      offset += Int(length)
      return Field(number: number, value: .bytes(bytes))
    case 5: return Field(number: number, value: .fixed32(UInt32(try fixed(4))))
    default: throw .geometry("wire type \(key & 7) at byte \(offset)")
    }
  }

  private mutating func varint() throws(FaceKitError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < view.count, shift < 64 {
      let byte = view.bytes[offset]
      offset += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return result }
      shift += 7
    }
    throw .geometry("an integer at byte \(offset) is cut")
  }

  /// A little-endian integer of `count` bytes.
  private mutating func fixed(_ count: Int) throws(FaceKitError) -> UInt64 {
    guard count <= view.count - offset else { throw .geometry("a value at byte \(offset) is cut") }
    var result: UInt64 = 0
    for index in (0..<count).reversed() {
      result = result << 8 | UInt64(view.bytes[offset + index])
    }
    offset += count
    return result
  }
}
