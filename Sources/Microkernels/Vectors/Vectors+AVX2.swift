#if ISA_AVX2
  import _Builtin_intrinsics.intel

  /// The register of this instruction set.
  typealias Vector = SIMD8<Float>
  /// Half a channel block: here a whole register.
  typealias HalfVector = SIMD8<Float>

  /// The register of this instruction set, as words.
  typealias Words = SIMD8<Int32>

  extension SIMD8<Int32>: WordVector {
    @inline(__always)
    static var lanes: Int { 8 }
    @inline(__always)
    static func load(_ address: UnsafePointer<Int32>) -> Self {
      UnsafeRawPointer(address).loadUnaligned(as: Self.self)
    }
    @inline(__always)
    static func broadcast(_ value: Int32) -> Self {
      unsafeBitCast(_mm256_set1_epi32(value), to: Self.self)
    }
    @inline(__always)
    func store(_ address: UnsafeMutablePointer<Int32>) {
      UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
    }
    @inline(__always)
    func adding(pairs a: Self, _ b: Self) -> Self {
      let products = _mm256_madd_epi16(
        unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self))
      return unsafeBitCast(
        _mm256_add_epi32(unsafeBitCast(self, to: __m256i.self), products), to: Self.self)
    }
  }
#endif
