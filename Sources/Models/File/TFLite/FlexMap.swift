import FaceKitTensor

/// A FlexBuffers map: how converters store the options of custom operators.
///
/// Read in place with every access checked. Only what options need is here: scalars, strings and
/// vectors of numbers at the top level of a map.
///
/// Source: FlexBuffers' binary format, https://flatbuffers.dev/internals/#flexbuffers.
public struct FlexMap: Sendable {
  private let buffer: StorageView
  private let values: Vector
  private let keys: Vector

  /// - Throws: ``ModelError/Code/malformed`` if the bytes are not a map.
  public init(bytes: StorageView) throws(ModelError) {
    buffer = bytes
    guard bytes.count >= 3 else { throw FlexMap.malformed("too few bytes", 0) }
    // The root's width is the last byte, its type the one before, its value in front of that.
    let width = Int(bytes.bytes[bytes.count - 1])
    guard FlexMap.isWidth(width), bytes.count - 2 >= width else {
      throw FlexMap.malformed("bad width of the root", bytes.count - 1)
    }
    let packed = Int(bytes.bytes[bytes.count - 2])
    guard packed >> 2 == Kind.map else { throw FlexMap.malformed("not a map", bytes.count - 2) }
    let start = try FlexMap.target(of: bytes.count - 2 - width, width: width, in: bytes)
    values = try FlexMap.vector(at: start, width: 1 << (packed & 3), tail: 1, in: bytes)
    let step = values.width
    guard start >= 3 * step else { throw FlexMap.malformed("a map without keys", start) }
    let keyWidth = try FlexMap.unsigned(at: start - 2 * step, width: step, in: bytes)
    guard keyWidth <= 8, FlexMap.isWidth(Int(keyWidth)) else {
      throw FlexMap.malformed("bad width of the keys", start)
    }
    let keyStart = try FlexMap.target(of: start - 3 * step, width: step, in: bytes)
    keys = try FlexMap.vector(at: keyStart, width: Int(keyWidth), tail: 0, in: bytes)
    guard keys.count == values.count else {
      throw FlexMap.malformed("\(keys.count) keys for \(values.count) values", start)
    }
  }

  /// An integer; floats are rounded towards zero. `nil` if there is no such key.
  public func int(_ key: StaticString) throws(ModelError) -> Int? {
    guard let value = try find(key) else { return nil }
    return try number(value).int(key)
  }

  /// A float; integers are converted. `nil` if there is no such key.
  public func float(_ key: StaticString) throws(ModelError) -> Float? {
    guard let value = try find(key) else { return nil }
    return try number(value).float
  }

  /// A truth value; numbers other than 0 are true. `nil` if there is no such key.
  public func bool(_ key: StaticString) throws(ModelError) -> Bool? {
    guard let value = try find(key) else { return nil }
    return try number(value).float != 0
  }

  /// A vector of integers. `nil` if there is no such key.
  public func ints(_ key: StaticString) throws(ModelError) -> [Int]? {
    guard let numbers = try numbers(key) else { return nil }
    var result = [Int]()
    result.reserveCapacity(numbers.count)
    for number in numbers { result.append(try number.int(key)) }
    return result
  }

  /// A vector of floats. `nil` if there is no such key.
  public func floats(_ key: StaticString) throws(ModelError) -> [Float]? {
    guard let numbers = try numbers(key) else { return nil }
    return numbers.map { $0.float }
  }

  /// A string. `nil` if there is no such key.
  public func string(_ key: StaticString) throws(ModelError) -> String? {
    guard let value = try find(key) else { return nil }
    guard value.type == Kind.string else { throw FlexMap.malformed("not a string", value.position) }
    let start = try FlexMap.target(of: value.position, width: value.width, in: buffer)
    let text = try FlexMap.vector(
      at: start, width: value.targetWidth, element: 1, tail: 0, in: buffer)
    return String(
      decoding: buffer.slice(offset: text.start, count: text.count).bytes, as: UTF8.self)
  }
}

extension FlexMap {
  private struct Vector: Sendable {
    var start: Int
    /// Bytes of an element, and of the count in front of the first.
    var width: Int
    var count: Int
  }

  private struct Value {
    var position: Int
    var width: Int
    var type: Int
    /// Width of the elements, where the value is an offset to something.
    var targetWidth: Int
  }

  /// The format's type numbers, as far as options use them.
  private enum Kind {
    static let int = 1
    static let uint = 2
    static let float = 3
    static let string = 5
    static let indirectInt = 6
    static let indirectUInt = 7
    static let indirectFloat = 8
    static let map = 9
    static let vector = 10
    static let intVector = 11
    static let uintVector = 12
    static let floatVector = 13
    static let bool = 26
    static let boolVector = 36
  }

  private enum Number {
    case int(Int64)
    case float(Double)

    var float: Float {
      switch self {
      case .int(let value): Float(value)
      case .float(let value): Float(value)
      }
    }

    func int(_ key: StaticString) throws(ModelError) -> Int {
      switch self {
      case .int(let value):
        if let int = Int(exactly: value) { return int }
      case .float(let value):
        if let int = Int(exactly: value.rounded(.towardZero)) { return int }
      }
      throw ModelError(.option, "option \(key) is not an integer")
    }
  }

  private static func malformed(_ what: String, _ position: Int) -> ModelError {
    ModelError(.malformed, "custom options: \(what) (byte \(position) of the options)")
  }

  private static func isWidth(_ width: Int) -> Bool {
    width == 1 || width == 2 || width == 4 || width == 8
  }

  private static func unsigned(
    at position: Int, width: Int, in buffer: StorageView
  ) throws(ModelError) -> UInt64 {
    guard position >= 0, position <= buffer.count - width else {
      throw malformed("a value lies outside", position)
    }
    var value: UInt64 = 0
    for i in 0..<width { value |= UInt64(buffer.bytes[position + i]) << UInt64(8 * i) }
    return value
  }

  /// Offsets point backwards from where they are stored.
  private static func target(
    of position: Int, width: Int, in buffer: StorageView
  ) throws(ModelError) -> Int {
    let offset = try unsigned(at: position, width: width, in: buffer)
    guard offset <= UInt64(position) else { throw malformed("an offset leads outside", position) }
    return position - Int(offset)
  }

  /// A vector whose first element is at `start`; its count lies in front, and `tail` bytes for each
  /// element behind.
  private static func vector(
    at start: Int, width: Int, element: Int? = nil, tail: Int, in buffer: StorageView
  ) throws(ModelError) -> Vector {
    guard start >= width else { throw malformed("a vector without a count", start) }
    let count = try unsigned(at: start - width, width: width, in: buffer)
    guard count <= UInt64((buffer.count - start) / ((element ?? width) + tail)) else {
      throw malformed("a vector of \(count) elements", start)
    }
    return Vector(start: start, width: width, count: Int(count))
  }

  private func find(_ key: StaticString) throws(ModelError) -> Value? {
    for i in 0..<keys.count {
      let start = try FlexMap.target(of: keys.start + i * keys.width, width: keys.width, in: buffer)
      if matches(key, at: start) { return value(of: values, i) }
    }
    return nil
  }

  private func matches(_ key: StaticString, at start: Int) -> Bool {
    let length = key.utf8CodeUnitCount
    guard length < buffer.count - start, buffer.bytes[start + length] == 0 else { return false }
    for i in 0..<length where buffer.bytes[start + i] != key.utf8Start[i] { return false }
    return true
  }

  /// An element of a vector that has types behind it.
  private func value(of vector: Vector, _ index: Int) -> Value {
    let packed = Int(buffer.bytes[vector.start + vector.count * vector.width + index])
    return Value(
      position: vector.start + index * vector.width, width: vector.width, type: packed >> 2,
      targetWidth: 1 << (packed & 3))
  }

  private func number(_ value: Value) throws(ModelError) -> Number {
    switch value.type {
    case Kind.indirectInt, Kind.indirectUInt, Kind.indirectFloat:
      let at = try FlexMap.target(of: value.position, width: value.width, in: buffer)
      // Indirect types are numbered as the direct ones, five further on.
      return try number(at, width: value.targetWidth, type: value.type - 5)
    default:
      return try number(value.position, width: value.width, type: value.type)
    }
  }

  private func number(_ position: Int, width: Int, type: Int) throws(ModelError) -> Number {
    let raw = try FlexMap.unsigned(at: position, width: width, in: buffer)
    switch type {
    case Kind.int:
      let unused = Int64(64 - 8 * width)
      return .int((Int64(bitPattern: raw) << unused) >> unused)
    case Kind.uint, Kind.bool: return .int(Int64(truncatingIfNeeded: raw))
    case Kind.float where width == 2: return .float(Double(Half.widen(UInt16(raw))))
    case Kind.float where width == 4: return .float(Double(Float(bitPattern: UInt32(raw))))
    case Kind.float where width == 8: return .float(Double(bitPattern: raw))
    default: throw FlexMap.malformed("not a number", position)
    }
  }

  private func numbers(_ key: StaticString) throws(ModelError) -> [Number]? {
    guard let value = try find(key) else { return nil }
    let element: Int? =
      switch value.type {
      case Kind.vector: nil
      case Kind.intVector: Kind.int
      case Kind.uintVector: Kind.uint
      case Kind.floatVector: Kind.float
      case Kind.boolVector: Kind.bool
      default: throw FlexMap.malformed("not a vector of numbers", value.position)
      }
    let start = try FlexMap.target(of: value.position, width: value.width, in: buffer)
    let vector = try FlexMap.vector(
      at: start, width: value.targetWidth, tail: element == nil ? 1 : 0, in: buffer)
    var result = [Number]()
    result.reserveCapacity(vector.count)
    for i in 0..<vector.count {
      if let element {
        result.append(
          try number(vector.start + i * vector.width, width: vector.width, type: element))
      } else {
        result.append(try number(self.value(of: vector, i)))
      }
    }
    return result
  }
}
