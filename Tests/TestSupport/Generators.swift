/// The 64-bit linear congruential generator of the goldens: every input that is not a picture is made
/// with it, by us and by the scripts that asked the peers.
///
/// It first advances, then uses the state; values come in row-major order.
public struct LinearCongruentialGenerator: RandomNumberGenerator, Sendable {
  public private(set) var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// A seed as the manifests write it: hexadecimal digits.
  public init(hexSeed: String) throws {
    guard let seed = UInt64(hexSeed, radix: 16) else {
      throw GoldenError("seed '\(hexSeed)' is not hexadecimal")
    }
    self.init(seed: seed)
  }

  /// The generator whose seed is the FNV-1a hash of a name, so that each case has its own.
  public init(named name: String) { self.init(seed: fnv1a64(name.utf8)) }

  public mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }

  /// A float in `lo..<hi`: 24 bits of the state, computed in double precision and rounded once.
  public mutating func float(_ lo: Double, _ hi: Double) -> Float {
    Float(lo + (hi - lo) * (Double(next() >> 40) / 16_777_216))
  }

  /// An integer in `lo...hi`.
  public mutating func int(_ lo: Int, _ hi: Int) -> Int { lo + Int(next() >> 32) % (hi - lo + 1) }

  public mutating func bool() -> Bool { next() >> 63 == 1 }

  public mutating func floats(_ count: Int, _ lo: Double = -1, _ hi: Double = 1) -> [Float] {
    var values = [Float]()
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(float(lo, hi)) }
    return values
  }

  public mutating func ints(_ count: Int, _ lo: Int, _ hi: Int) -> [Int] {
    var values = [Int]()
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(int(lo, hi)) }
    return values
  }
}

/// FNV-1a, 64 bits.
public func fnv1a64(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}

/// The raw little-endian bytes of values.
public func littleEndianBytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
  values.withUnsafeBytes { [UInt8]($0) }
}

/// Values from raw little-endian bytes.
public func values<Value: BitwiseCopyable>(
  of _: Value.Type = Value.self, in bytes: [UInt8]
) throws -> [Value] {
  let stride = MemoryLayout<Value>.stride
  guard bytes.count.isMultiple(of: stride) else {
    throw GoldenError("\(bytes.count) bytes are no whole number of \(Value.self)")
  }
  return bytes.withUnsafeBytes { raw in
    (0..<bytes.count / stride).map {
      raw.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
    }
  }
}

extension UInt64 {
  /// Sixteen hexadecimal digits, as the manifests write seeds and hashes.
  public var hex16: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
