// The few vector operations all microkernels are written in, one module for each instruction set.
// `@inlinable @inline(__always)` so that they are inlined even where this module itself was built
// without optimisation. No standard-library generics: see docs/decisions/0002-instruction-sets.md.

#if ISA_AVX2 || ISA_AVX512
  import _Builtin_intrinsics.intel
#endif

/// A SIMD register of floats.
public protocol FloatVector {
  static var lanes: Int { get }
  static func load(_ address: UnsafePointer<Float>) -> Self
  static func broadcast(_ value: Float) -> Self
  /// Half-precision bits at `address`, widened.
  static func loadHalf(_ address: UnsafePointer<UInt16>) -> Self
  func store(_ address: UnsafeMutablePointer<Float>)
  /// `self + a · b`, in one rounding where the instruction set has it.
  func adding(product a: Self, _ b: Self) -> Self
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func maximum(_ a: Self, _ b: Self) -> Self
  static func minimum(_ a: Self, _ b: Self) -> Self
  /// `self ≥ 0 ? self : self · alpha`.
  func prelu(_ alpha: Self) -> Self
}

extension FloatVector {
  @inlinable @inline(__always)
  public static var zeros: Self { broadcast(0) }

  // Rounded as the product is: one of the two terms is always zero.
  @inlinable @inline(__always)
  public func prelu(_ alpha: Self) -> Self {
    Self.maximum(self, .zeros).adding(product: alpha, Self.minimum(self, .zeros))
  }

  @inlinable @inline(__always)
  public func clamped(_ low: Self, _ high: Self) -> Self {
    Self.minimum(Self.maximum(self, low), high)
  }
}

#if ISA_AVX512

  /// The register of this instruction set.
  public typealias Vector = SIMD16<Float>
  /// Half a channel block, for maps of eight channels: no lanes wasted.
  public typealias HalfVector = SIMD8<Float>

  extension SIMD16<Float>: FloatVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 16 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Float) -> Self { _mm512_set1_ps(value) }
    @inlinable @inline(__always)
    public static func loadHalf(_ address: UnsafePointer<UInt16>) -> Self {
      _mm512_cvtph_ps(UnsafeRawPointer(address).loadUnaligned(as: __m256i.self))
    }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(product a: Self, _ b: Self) -> Self { _mm512_fmadd_ps(a, b, self) }
    @inlinable @inline(__always)
    public static func maximum(_ a: Self, _ b: Self) -> Self { _mm512_max_ps(a, b) }
    @inlinable @inline(__always)
    public static func minimum(_ a: Self, _ b: Self) -> Self { _mm512_min_ps(a, b) }
    // The sign bits are the mask of the product.
    @inlinable @inline(__always)
    public func prelu(_ alpha: Self) -> Self {
      _mm512_mask_mul_ps(
        self, _mm512_movepi32_mask(unsafeBitCast(self, to: __m512i.self)), self, alpha)
    }
  }

#elseif ISA_AVX2

  /// The register of this instruction set.
  public typealias Vector = SIMD8<Float>
  /// Half a channel block: here a whole register.
  public typealias HalfVector = SIMD8<Float>

#else

  /// The register of this instruction set.
  public typealias Vector = SIMD4<Float>
  public typealias HalfVector = SIMD4<Float>

  extension SIMD4<Float>: FloatVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 4 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Float) -> Self { Self(value, value, value, value) }
    @inlinable @inline(__always)
    public static func loadHalf(_ address: UnsafePointer<UInt16>) -> Self {
      Self(
        widenHalf(address[0]), widenHalf(address[1]), widenHalf(address[2]), widenHalf(address[3]))
    }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(product a: Self, _ b: Self) -> Self { self + a * b }
    @inlinable @inline(__always)
    public static func maximum(_ a: Self, _ b: Self) -> Self { select(a, b, a .> b) }
    @inlinable @inline(__always)
    public static func minimum(_ a: Self, _ b: Self) -> Self { select(a, b, a .< b) }

    /// `a` where the mask is set, else `b`, on the bit patterns: one AND, one ANDNOT, one OR.
    @inlinable @inline(__always)
    static func select(_ a: Self, _ b: Self, _ mask: SIMDMask<SIMD4<Int32>>) -> Self {
      let bits = unsafeBitCast(mask, to: SIMD4<UInt32>.self)
      let chosen =
        (unsafeBitCast(a, to: SIMD4<UInt32>.self) & bits)
        | (unsafeBitCast(b, to: SIMD4<UInt32>.self) & ~bits)
      return unsafeBitCast(chosen, to: Self.self)
    }
  }

  /// Half to single precision for finite values: shift the exponent into place, then let one
  /// multiplication by 2¹¹² correct the bias, which also normalises subnormals.
  @inlinable @inline(__always)
  func widenHalf(_ bits: UInt16) -> Float {
    let sign = UInt32(truncatingIfNeeded: bits & 0x8000) &<< 16
    let magnitude = UInt32(truncatingIfNeeded: bits & 0x7FFF) &<< 13
    let value = Float(bitPattern: magnitude) * Float(bitPattern: 0x7780_0000)
    return Float(bitPattern: sign | value.bitPattern)
  }

#endif

#if ISA_AVX2 || ISA_AVX512
  extension SIMD8<Float>: FloatVector {
    @inlinable @inline(__always)
    public static var lanes: Int { 8 }
    @inlinable @inline(__always)
    public static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inlinable @inline(__always)
    public static func broadcast(_ value: Float) -> Self { _mm256_set1_ps(value) }
    @inlinable @inline(__always)
    public static func loadHalf(_ address: UnsafePointer<UInt16>) -> Self {
      _mm256_cvtph_ps(UnsafeRawPointer(address).loadUnaligned(as: __m128i.self))
    }
    @inlinable @inline(__always)
    public func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inlinable @inline(__always)
    public func adding(product a: Self, _ b: Self) -> Self { _mm256_fmadd_ps(a, b, self) }
    @inlinable @inline(__always)
    public static func maximum(_ a: Self, _ b: Self) -> Self { _mm256_max_ps(a, b) }
    @inlinable @inline(__always)
    public static func minimum(_ a: Self, _ b: Self) -> Self { _mm256_min_ps(a, b) }
    #if ISA_AVX512
      @inlinable @inline(__always)
      public func prelu(_ alpha: Self) -> Self {
        _mm256_mask_mul_ps(
          self, _mm256_movepi32_mask(unsafeBitCast(self, to: __m256i.self)), self, alpha)
      }
    #endif
  }
#endif
