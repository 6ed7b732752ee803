/// What is wrong with a JSON text.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package let what: String
  package let byte: Int

  package var description: String { "\(what) — byte \(byte) — check the JSON text" }
}

extension JSON {
  /// Reads one JSON value and nothing after it.
  package init(parsing text: some Collection<UInt8>) throws(JSONError) {
    var parser = JSONParser(bytes: Array(text))
    self = try parser.document()
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  private var offset = 0
  /// Nesting is limited, because the parser recurses and stacks are finite.
  private static let deepest = 100

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONError) -> JSON {
    let value = try value(depth: 0)
    skipSpace()
    if offset < bytes.count { throw fault("there is more after the value") }
    return value
  }

  private func fault(_ what: String) -> JSONError { JSONError(what: what, byte: offset) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    if depth > JSONParser.deepest { throw fault("the value is nested too deeply") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw fault("the text ends early")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    guard bytes[offset...].starts(with: word.utf8) else { throw fault("this is not a value") }
    offset += word.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var members: [JSON.Member] = []
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a member needs a name") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
      members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("the object does not end") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(JSONError) -> JSON {
    offset += 1
    var values: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array([]) }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("the array does not end") }
    return .array(values)
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = offset
    while let byte = next, "+-.0123456789eE".utf8.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if let value = Int(text) { return .integer(value) }
    guard !text.isEmpty, let value = Double(text), value.isFinite else {
      offset = start
      throw fault("this is not a value")
    }
    return .double(value)
  }

  private mutating func string() throws(JSONError) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else {
          throw fault("the string is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): try text.append(contentsOf: escape())
      case 0..<0x20: throw fault("a control character stands in a string")
      default: text.append(byte)
      }
    }
    throw fault("the string does not end")
  }

  private mutating func escape() throws(JSONError) -> [UInt8] {
    guard let byte = next else { throw fault("the string does not end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      // Characters beyond 16 bits come as two escapes.
      if (0xD800..<0xDC00).contains(unit), bytes[offset...].starts(with: [0x5C, 0x75]) {
        offset += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw fault("half a surrogate pair") }
        unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw fault("half a surrogate pair") }
      return Array(String(Character(scalar)).utf8)
    default: throw fault("there is no such escape")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count,
      bytes[offset..<(offset + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are needed") }
    offset += 4
    return value
  }
}
