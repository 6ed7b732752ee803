#if ISA_AVX2 || ISA_AVX512
  import _Builtin_intrinsics.intel
#endif

/// A SIMD register of 32-bit words, each also seen as two 16-bit halves.
public protocol WordVector {
  static var lanes: Int { get }
  static func load(_ address: UnsafePointer<Int32>) -> Self
  static func broadcast(_ value: Int32) -> Self
  func store(_ address: UnsafeMutablePointer<Int32>)
  /// In each word: `self + a.low · b.low + a.high · b.high` of the signed halves, wrapping. Two products
  /// of magnitudes up to 255 · 255 fit, so nothing saturates, unlike the 8-bit instruction of AVX2.
  func adding(pairs a: Self, _ b: Self) -> Self
}

#if ISA_AVX512

  /// The register of this instruction set, as words.
  public typealias Words = SIMD16<Int32>

  extension SIMD16<Int32>: WordVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 16 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Int32) -> Self {
      unsafeBitCast(_mm512_set1_epi32(value), to: Self.self)
    }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(pairs a: Self, _ b: Self) -> Self {
      let products = _mm512_madd_epi16(
        unsafeBitCast(a, to: __m512i.self), unsafeBitCast(b, to: __m512i.self))
      return unsafeBitCast(
        _mm512_add_epi32(unsafeBitCast(self, to: __m512i.self), products), to: Self.self)
    }
  }

#elseif ISA_AVX2

  /// The register of this instruction set, as words.
  public typealias Words = SIMD8<Int32>

  extension SIMD8<Int32>: WordVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 8 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Int32) -> Self {
      unsafeBitCast(_mm256_set1_epi32(value), to: Self.self)
    }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(pairs a: Self, _ b: Self) -> Self {
      let products = _mm256_madd_epi16(
        unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self))
      return unsafeBitCast(
        _mm256_add_epi32(unsafeBitCast(self, to: __m256i.self), products), to: Self.self)
    }
  }

#else

  /// The register of this instruction set, as words.
  public typealias Words = SIMD4<Int32>

  extension SIMD4<Int32>: WordVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 4 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Int32) -> Self { Self(value, value, value, value) }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(pairs a: Self, _ b: Self) -> Self {
      // Shifts sign-extend the halves; every instruction set has them.
      let half = Self(16, 16, 16, 16)
      let low = ((a &<< half) &>> half) &* ((b &<< half) &>> half)
      return self &+ low &+ (a &>> half) &* (b &>> half)
    }
  }

#endif
