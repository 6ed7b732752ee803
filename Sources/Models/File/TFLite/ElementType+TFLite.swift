import FaceKitTensor

extension ElementType {
  /// The type for a number of the schema's enum `TensorType`; `nil` if it has no such number.
  init?(tfliteCode code: Int) {
    switch code {
    case 0: self = .float32
    case 1: self = .float16
    case 2: self = .int32
    case 3: self = .uint8
    case 4: self = .int64
    case 5: self = .string
    case 6: self = .bool
    case 7: self = .int16
    case 8: self = .complex64
    case 9: self = .int8
    case 10: self = .float64
    case 11: self = .complex128
    case 12: self = .uint64
    case 15: self = .uint32
    case 16: self = .uint16
    case 17: self = .int4
    case 18: self = .bfloat16
    case 19: self = .int2
    case 20: self = .uint4
    // Resources, variants and the two 8-bit floats.
    case 13, 14, 21, 22: self = .opaque
    default: return nil
    }
  }

  /// The values an integer of this type can have, as far as `Int` reaches.
  var integerRange: ClosedRange<Int>? {
    switch self {
    case .int2: -2...1
    case .int4: -8...7
    case .int8: -128...127
    case .int16: -32_768...32_767
    case .int32: Int(Int32.min)...Int(Int32.max)
    case .int64, .uint64: Int.min...Int.max
    case .uint4: 0...15
    case .uint8: 0...255
    case .uint16: 0...65_535
    case .uint32: 0...Int(truncatingIfNeeded: min(UInt64(UInt32.max), UInt64(Int.max)))
    default: nil
    }
  }
}

extension String {
  /// Whether both are the same bytes. Canonical equivalence is not wanted for names in files, and
  /// needs tables that bare metal does not have.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// A name out of a file, made fit for one line of an error: short, and without control characters.
  var printable: String {
    let limit = 64
    var bytes = [UInt8]()
    for byte in utf8.prefix(limit) { bytes.append(byte < 0x20 || byte == 0x7F ? 0x3F : byte) }
    return String(decoding: bytes, as: UTF8.self) + (utf8.count > limit ? "…" : "")
  }
}
