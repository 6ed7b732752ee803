/// Writes FlatBuffers for tests, in a plain way: every table has its own field list in front of it,
/// and what it refers to follows in the order of the fields.
public struct FlatBuilder {
  /// A field's value.
  public indirect enum Value: Sendable {
    case int8(Int8), uint8(UInt8), int32(Int32), uint32(UInt32), uint64(UInt64), float(Float)
    case bool(Bool)
    case string(String)
    case bytes([UInt8])
    /// The data of a buffer, at a position with this remainder modulo 16.
    case placed([UInt8], remainder: Int)
    case int32s([Int32]), uint16s([UInt16]), int64s([Int64]), floats([Float])
    case table([Int: Value])
    case tables([[Int: Value]])
  }

  public private(set) var bytes: [UInt8] = []

  /// A buffer whose root table has these fields, by slot.
  public static func buffer(_ root: [Int: Value], identifier: String = "TFL3") -> [UInt8] {
    var builder = FlatBuilder()
    builder.bytes = [0, 0, 0, 0] + Array(identifier.utf8)
    let position = builder.table(root)
    builder.patch(0, position)
    return builder.bytes
  }

  private mutating func align(_ alignment: Int, remainder: Int = 0) {
    while bytes.count % alignment != remainder { bytes.append(0) }
  }

  private mutating func put<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Makes the offset stored at `at` point to `target`.
  private mutating func patch(_ at: Int, _ target: Int) {
    let offset = UInt32(target - at)
    for i in 0..<4 { bytes[at + i] = UInt8(truncatingIfNeeded: offset >> UInt32(8 * i)) }
  }

  private mutating func table(_ fields: [Int: Value]) -> Int {
    let slots = fields.keys.sorted()
    align(4)
    let vtable = bytes.count
    let slotCount = (slots.last ?? -1) + 1
    var offset = 4
    var offsets = [UInt16](repeating: 0, count: slotCount)
    for slot in slots {
      let width = fields[slot]!.inlineWidth
      offset = (offset + width - 1) / width * width
      offsets[slot] = UInt16(offset)
      offset += width
    }
    put(UInt16(4 + 2 * slotCount))
    put(UInt16(offset))
    for entry in offsets { put(entry) }
    align(4)
    let position = bytes.count
    put(Int32(position - vtable))
    bytes.append(contentsOf: [UInt8](repeating: 0, count: offset - 4))
    for slot in slots { write(fields[slot]!, at: position + Int(offsets[slot])) }
    return position
  }

  private mutating func write(_ value: Value, at: Int) {
    if let scalar = value.scalar {
      bytes.replaceSubrange(at..<(at + scalar.count), with: scalar)
      return
    }
    switch value {
    case .table(let fields): patch(at, table(fields))
    case .tables(let all):
      align(4)
      patch(at, bytes.count)
      put(UInt32(all.count))
      let start = bytes.count
      for _ in all { put(UInt32(0)) }
      for (index, fields) in all.enumerated() { patch(start + 4 * index, table(fields)) }
    case .placed(let data, let remainder):
      align(16, remainder: (remainder + 12) % 16)
      patch(at, vector(data.count, data))
    case .string(let text):
      align(4)
      patch(at, vector(text.utf8.count, Array(text.utf8) + [0]))
    case .bytes(let data):
      align(4)
      patch(at, vector(data.count, data))
    case .int32s(let values): patch(at, vector(of: values, align: 4))
    case .uint16s(let values): patch(at, vector(of: values, align: 4))
    case .int64s(let values): patch(at, vector(of: values, align: 4))
    case .floats(let values): patch(at, vector(of: values.map(\.bitPattern), align: 4))
    default: break
    }
  }

  private mutating func vector(_ count: Int, _ data: [UInt8]) -> Int {
    let position = bytes.count
    put(UInt32(count))
    bytes.append(contentsOf: data)
    return position
  }

  private mutating func vector<T: FixedWidthInteger>(of values: [T], align alignment: Int) -> Int {
    align(alignment)
    let position = bytes.count
    put(UInt32(values.count))
    for value in values { put(value) }
    return position
  }
}

extension FlatBuilder.Value {
  /// Bytes in the table itself.
  fileprivate var inlineWidth: Int { scalar?.count ?? 4 }

  fileprivate var scalar: [UInt8]? {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    return switch self {
    case .int8(let value): bytes(value)
    case .uint8(let value): bytes(value)
    case .bool(let value): [value ? 1 : 0]
    case .int32(let value): bytes(value)
    case .uint32(let value): bytes(value)
    case .uint64(let value): bytes(value)
    case .float(let value): bytes(value.bitPattern)
    default: nil
    }
  }
}
