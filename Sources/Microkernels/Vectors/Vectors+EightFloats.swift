#if ISA_AVX2 || ISA_AVX512
  import _Builtin_intrinsics.intel

  extension SIMD8<Float>: FloatVector, HalfLoadingVector {
    @inline(__always)
    static var lanes: Int { 8 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Float>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Float) -> Self { _mm256_set1_ps(value) }
    @inline(__always)
    static func load(half address: UnsafePointer<UInt16>) -> Self {
      _mm256_cvtph_ps(UnsafeRawPointer(address).loadUnaligned(as: __m128i.self))
    }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(product a: Self, _ b: Self) -> Self { _mm256_fmadd_ps(a, b, self) }
    @inline(__always)
    static func maximum(_ a: Self, _ b: Self) -> Self { _mm256_max_ps(a, b) }
    @inline(__always)
    static func minimum(_ a: Self, _ b: Self) -> Self { _mm256_min_ps(a, b) }
    #if ISA_AVX512
      @inline(__always)
      func prelu(_ alpha: Self) -> Self {
        _mm256_mask_mul_ps(
          self, _mm256_movepi32_mask(unsafeBitCast(self, to: __m256i.self)), self, alpha)
      }
    #endif
  }
#endif
