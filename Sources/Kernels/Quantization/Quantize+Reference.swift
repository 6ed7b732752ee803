import FaceKitTensor

/// `real = scale · (q − zeroPoint)`, the scale chosen by the index along one axis.
public struct Scaling: Sendable {
  public var scales: [Float]
  public var zeroPoints: [Int]
  /// Elements that share an index along the axis: those inside it.
  public var inner: Int

  public init(scales: [Float], zeroPoints: [Int], inner: Int) {
    precondition(scales.count == zeroPoints.count && !scales.isEmpty)
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.inner = inner
  }

  @inline(__always)
  func slice(_ index: Int) -> Int { scales.count == 1 ? 0 : index / inner % scales.count }
}

extension Reference {
  /// DEQUANTIZE of integers: the product is formed in `Double` and rounded once.
  ///
  /// - Returns: `false` if the type is not a quantised one.
  @discardableResult
  public static func dequantize(
    _ input: UnsafeRawPointer, type: ElementType, output: UnsafeMutablePointer<Float>, count: Int,
    scaling: Scaling
  ) -> Bool {
    for i in 0..<count {
      guard let q = integer(input, type, i) else { return false }
      let slice = scaling.slice(i)
      output[i] = Float(Double(scaling.scales[slice]) * Double(q - scaling.zeroPoints[slice]))
    }
    return true
  }

  /// Element `i` of an integer tensor; 4-bit elements lie two to a byte, the first in the low half,
  /// 2-bit elements four.
  @inline(__always)
  static func integer(_ base: UnsafeRawPointer, _ type: ElementType, _ i: Int) -> Int? {
    switch type {
    case .int8: return Int(base.load(fromByteOffset: i, as: Int8.self))
    case .uint8: return Int(base.load(fromByteOffset: i, as: UInt8.self))
    case .int16: return Int(base.loadUnaligned(fromByteOffset: i * 2, as: Int16.self))
    case .int32: return Int(base.loadUnaligned(fromByteOffset: i * 4, as: Int32.self))
    case .int4:
      let byte = base.load(fromByteOffset: i / 2, as: Int8.self)
      return Int(i % 2 == 0 ? (byte << 4) >> 4 : byte >> 4)
    case .uint4:
      let byte = base.load(fromByteOffset: i / 2, as: UInt8.self)
      return Int(i % 2 == 0 ? byte & 15 : byte >> 4)
    case .int2:
      let byte = base.load(fromByteOffset: i / 4, as: Int8.self)
      return Int((byte << Int8(6 - 2 * (i % 4))) >> 6)
    default: return nil
    }
  }

  /// DEQUANTIZE of half-precision floats: exact.
  public static func widenHalf(
    input: UnsafePointer<UInt16>, output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for i in 0..<count { output[i] = Half.widen(input[i]) }
  }

  /// QUANTIZE of floats: `round(x / scale) + zeroPoint`, ties away from zero, saturated.
  public static func quantize(
    input: UnsafePointer<Float>, output: UnsafeMutableRawPointer, type: ElementType, count: Int,
    scaling: Scaling
  ) {
    for i in 0..<count {
      let slice = scaling.slice(i)
      let steps = roundHalfAway(input[i] / scaling.scales[slice])
      // The clamp comes first: a float beyond Int's range has no integer. NaN gives the zero point.
      let bounded = steps.isNaN ? 0 : Swift.min(Swift.max(steps, -1e9), 1e9)
      store(Int(bounded) + scaling.zeroPoints[slice], output, type, i)
    }
  }

  /// Saturates to the type and stores.
  @inline(__always)
  static func store(_ value: Int, _ output: UnsafeMutableRawPointer, _ type: ElementType, _ i: Int)
  {
    switch type {
    case .int8: output.storeBytes(of: Int8(clamping: value), toByteOffset: i, as: Int8.self)
    case .uint8: output.storeBytes(of: UInt8(clamping: value), toByteOffset: i, as: UInt8.self)
    case .int16: output.storeBytes(of: Int16(clamping: value), toByteOffset: i * 2, as: Int16.self)
    default: output.storeBytes(of: Int32(clamping: value), toByteOffset: i * 4, as: Int32.self)
    }
  }

  /// QUANTIZE of integers, from one scale to another: `clamp((x − inputZero) · factor + outputZero)`.
  public static func requantize(
    _ input: UnsafeRawPointer, type: ElementType, output: UnsafeMutableRawPointer,
    type outputType: ElementType, count: Int, factor: FixedPointFactor, inputZero: Int,
    outputZero: Int, bounds: ClosedRange<Int>
  ) {
    for i in 0..<count {
      guard let q = integer(input, type, i) else { return }
      let value = Int(factor.multiply(Int32(truncatingIfNeeded: q - inputZero))) + outputZero
      store(clamp(value, bounds), output, outputType, i)
    }
  }
}
