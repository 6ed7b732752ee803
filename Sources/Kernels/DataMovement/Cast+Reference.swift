import FaceKitTensor

extension Reference {
  /// CAST: floats to integers by truncation, saturated, NaN to 0; integers to integers by their low
  /// bits; to truth values by `≠ 0`.
  ///
  /// - Returns: `false` if one of the types is not a number.
  public static func cast(
    from type: ElementType, _ input: UnsafeRawPointer, to outputType: ElementType,
    _ output: UnsafeMutableRawPointer, count: Int
  ) -> Bool {
    for i in 0..<count {
      guard let number = load(input, type, i), store(number, output, outputType, i)
      else { return false }
    }
    return true
  }

  /// A number of any type: integers exact, floats exact.
  private enum Number {
    case integer(Int64)
    case real(Double)
  }

  @inline(__always)
  private static func load(_ base: UnsafeRawPointer, _ type: ElementType, _ i: Int) -> Number? {
    func at<Element: BitwiseCopyable>(_: Element.Type) -> Element {
      base.load(fromByteOffset: i * MemoryLayout<Element>.stride, as: Element.self)
    }
    switch type {
    case .float32: return .real(Double(at(Float.self)))
    case .float64: return .real(at(Double.self))
    case .float16: return .real(Double(Half.widen(at(UInt16.self))))
    case .int8: return .integer(Int64(at(Int8.self)))
    case .uint8: return .integer(Int64(at(UInt8.self)))
    case .bool: return .integer(at(UInt8.self) == 0 ? 0 : 1)
    case .int16: return .integer(Int64(at(Int16.self)))
    case .uint16: return .integer(Int64(at(UInt16.self)))
    case .int32: return .integer(Int64(at(Int32.self)))
    case .uint32: return .integer(Int64(at(UInt32.self)))
    case .int64: return .integer(at(Int64.self))
    default: return nil
    }
  }

  @inline(__always)
  private static func store(
    _ number: Number, _ base: UnsafeMutableRawPointer, _ type: ElementType, _ i: Int
  ) -> Bool {
    func put<Element: BitwiseCopyable>(_ element: Element) {
      base.storeBytes(
        of: element, toByteOffset: i * MemoryLayout<Element>.stride, as: Element.self)
    }
    func whole<Element: FixedWidthInteger & BitwiseCopyable>(_: Element.Type) {
      switch number {
      case .integer(let value): put(Element(truncatingIfNeeded: value))
      case .real(let value): put(saturated(value, Element.self))
      }
    }
    var real: Double {
      switch number {
      case .integer(let value): Double(value)
      case .real(let value): value
      }
    }
    switch type {
    case .float32:
      // Straight from the integer: by way of Double, a large one would be rounded twice.
      if case .integer(let value) = number { put(Float(value)) } else { put(Float(real)) }
    case .float64: put(real)
    case .float16: put(Half.narrow(Float(real)))
    case .bool: put(UInt8(real != 0 ? 1 : 0))
    case .int8: whole(Int8.self)
    case .uint8: whole(UInt8.self)
    case .int16: whole(Int16.self)
    case .uint16: whole(UInt16.self)
    case .int32: whole(Int32.self)
    case .uint32: whole(UInt32.self)
    case .int64: whole(Int64.self)
    default: return false
    }
    return true
  }

  /// The integer part, held within the type's range.
  private static func saturated<Element: FixedWidthInteger>(
    _ value: Double, _: Element.Type
  ) -> Element {
    if value.isNaN { return 0 }
    // Both bounds are exact in Double, or round away from the range.
    if value <= Double(Element.min) { return .min }
    if value >= Double(Element.max) { return .max }
    return Element(value)
  }
}
