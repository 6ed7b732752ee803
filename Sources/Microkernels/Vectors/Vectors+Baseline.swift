#if ISA_BASELINE
  /// The register of this instruction set.
  typealias Vector = SIMD4<Float>
  /// Half of half a channel block: two of them make eight channels.
  typealias HalfVector = SIMD4<Float>

  extension SIMD4<Float>: FloatVector {
    @inline(__always)
    static var lanes: Int { 4 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Float) -> Self { Self(value, value, value, value) }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(product a: Self, _ b: Self) -> Self { self + a * b }
    @inline(__always)
    static func maximum(_ a: Self, _ b: Self) -> Self { select(a, b, a .> b) }
    @inline(__always)
    static func minimum(_ a: Self, _ b: Self) -> Self { select(a, b, a .< b) }

    /// `a` where the mask is set, else `b`, on the bit patterns: one AND, one ANDNOT, one OR.
    @inline(__always)
    static func select(_ a: Self, _ b: Self, _ mask: SIMDMask<SIMD4<Int32>>) -> Self {
      let bits = unsafeBitCast(mask, to: SIMD4<UInt32>.self)
      let chosen =
        (unsafeBitCast(a, to: SIMD4<UInt32>.self) & bits)
        | (unsafeBitCast(b, to: SIMD4<UInt32>.self) & ~bits)
      return unsafeBitCast(chosen, to: Self.self)
    }
  }

  /// The register of this instruction set, as words.
  typealias Words = SIMD4<Int32>

  extension SIMD4<Int32>: WordVector {
    @inline(__always)
    static var lanes: Int { 4 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Int32) -> Self { Self(value, value, value, value) }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(pairs a: Self, _ b: Self) -> Self {
      // Shifts sign-extend the halves; every instruction set has them.
      let half = Self(16, 16, 16, 16)
      let low = ((a &<< half) &>> half) &* ((b &<< half) &>> half)
      return self &+ low &+ (a &>> half) &* (b &>> half)
    }
  }
#endif
