#if ISA_AVX512
  import _Builtin_intrinsics.intel

  /// The register of this instruction set.
  typealias Vector = SIMD16<Float>
  /// Half a channel block, for maps of eight channels: no lanes wasted.
  typealias HalfVector = SIMD8<Float>

  extension SIMD16<Float>: FloatVector, HalfLoadingVector {
    @inline(__always)
    static var lanes: Int { 16 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Float) -> Self { _mm512_set1_ps(value) }
    @inline(__always)
    static func load(half address: UnsafePointer<UInt16>) -> Self {
      _mm512_cvtph_ps(UnsafeRawPointer(address).loadUnaligned(as: __m256i.self))
    }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(product a: Self, _ b: Self) -> Self { _mm512_fmadd_ps(a, b, self) }
    @inline(__always)
    static func maximum(_ a: Self, _ b: Self) -> Self { _mm512_max_ps(a, b) }
    @inline(__always)
    static func minimum(_ a: Self, _ b: Self) -> Self { _mm512_min_ps(a, b) }
    // The sign bits are the mask of the product.
    @inline(__always)
    func prelu(_ alpha: Self) -> Self {
      _mm512_mask_mul_ps(
        self, _mm512_movepi32_mask(unsafeBitCast(self, to: __m512i.self)), self, alpha)
    }
  }

  /// The register of this instruction set, as words.
  typealias Words = SIMD16<Int32>

  extension SIMD16<Int32>: WordVector {
    @inline(__always)
    static var lanes: Int { 16 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Int32) -> Self {
      unsafeBitCast(_mm512_set1_epi32(value), to: Self.self)
    }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(pairs a: Self, _ b: Self) -> Self {
      let products = _mm512_madd_epi16(
        unsafeBitCast(a, to: __m512i.self), unsafeBitCast(b, to: __m512i.self))
      return unsafeBitCast(
        _mm512_add_epi32(unsafeBitCast(self, to: __m512i.self), products), to: Self.self)
    }
  }
#endif
