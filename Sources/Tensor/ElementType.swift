/// The type of one tensor element.
///
/// Widths are in bits because 4-bit and 2-bit elements exist; `bytes(for:)` does the rounding.
public enum ElementType: UInt8, Hashable, Sendable, CaseIterable {
  case float32, float16, bfloat16, float64
  case int2, int4, int8, int16, int32, int64
  case uint4, uint8, uint16, uint32, uint64
  case bool
  case string
  case complex64, complex128
  /// A type this engine can name but never computes with (resource handles, variants, float8).
  case opaque

  /// Bits of one element; 0 where elements have no fixed width.
  public var bitWidth: Int {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .int8, .uint8, .bool: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32: 32
    case .float64, .int64, .uint64, .complex64: 64
    case .complex128: 128
    case .string, .opaque: 0
    }
  }

  /// Bytes of one element; 0 for elements that share a byte or have no fixed width.
  public var byteWidth: Int { bitWidth / 8 }

  /// Bytes of `count` packed elements, or `nil` on overflow.
  public func bytes(for count: Int) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    return overflow ? nil : (bits / 8) + (bits % 8 == 0 ? 0 : 1)
  }

  /// Whether elements are whole numbers of any width, signed or not. `bool` is not.
  public var isInteger: Bool {
    switch self {
    case .int2, .int4, .int8, .int16, .int32, .int64, .uint4, .uint8, .uint16, .uint32, .uint64:
      true
    default: false
    }
  }

  /// The name as the command line and the reports print it: `float32`, `int8` …
  public var name: String {
    switch self {
    case .float32: "float32"
    case .float16: "float16"
    case .bfloat16: "bfloat16"
    case .float64: "float64"
    case .int2: "int2"
    case .int4: "int4"
    case .int8: "int8"
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .uint4: "uint4"
    case .uint8: "uint8"
    case .uint16: "uint16"
    case .uint32: "uint32"
    case .uint64: "uint64"
    case .bool: "bool"
    case .string: "string"
    case .complex64: "complex64"
    case .complex128: "complex128"
    case .opaque: "opaque"
    }
  }
}
