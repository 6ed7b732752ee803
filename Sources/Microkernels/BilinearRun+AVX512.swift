#if ISA_AVX512
  import MicrokernelInterface
  import _Builtin_intrinsics.intel

  @inline(never)
  public func u8_bilinear_run(_ arguments: UnsafePointer<BilinearRunArguments>) {
    let run = arguments.pointee
    let (low, high) = tapOrder(run)
    let order = _mm512_set_epi64(high, low, high, low, high, low, high, low)
    // A weight for each of a pixel's four words.
    let spread = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0)
    let spreadUpper = _mm512_set_epi32(7, 7, 7, 7, 6, 6, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4)
    let packed = _mm512_set_epi32(15, 15, 15, 15, 14, 13, 12, 10, 9, 8, 6, 5, 4, 2, 1, 0)
    let scale = _mm512_set1_ps(run.scale)
    let offset = _mm512_set1_ps(run.offset)
    let magic = _mm512_set1_pd(0x1.8p52)
    let rowStride = _mm256_set1_epi32(Int32(truncatingIfNeeded: run.rowStride))
    let pixelStride = _mm256_set1_epi32(Int32(truncatingIfNeeded: run.pixelStride))
    let below = run.rowStride
    // Memory for a step's eight addresses.
    var addressWords = _mm256_setzero_si256()
    withUnsafeMutableBytes(of: &addressWords) { bytes in
      let addresses = bytes.baseAddress!
      var i = _mm512_add_pd(
        _mm512_set1_pd(run.first), _mm512_set_pd(7, 6, 5, 4, 3, 2, 1, 0))
      // Where the mapping is affine, one quotient serves all columns.
      var w = _mm512_div_pd(_mm512_set1_pd(32), _mm512_set1_pd(run.w0))
      var output = run.output
      var left = run.count
      while left > 0 {
        if run.dw != 0 {
          let divisor = _mm512_add_pd(
            _mm512_set1_pd(run.w0), _mm512_mul_pd(_mm512_set1_pd(run.dw), i))
          w = _mm512_div_pd(_mm512_set1_pd(32), divisor)
        }
        // The integer, rounded half to even, is in the low bits of the significand.
        let x = _mm512_cvtepi64_epi32(
          _mm512_castpd_si512(
            _mm512_add_pd(coordinate(run.x0, run.dx, i, w), magic)))
        let y = _mm512_cvtepi64_epi32(
          _mm512_castpd_si512(
            _mm512_add_pd(coordinate(run.y0, run.dy, i, w), magic)))
        let address = _mm256_add_epi32(
          _mm256_mullo_epi32(_mm256_srai_epi32(y, 5), rowStride),
          _mm256_mullo_epi32(_mm256_srai_epi32(x, 5), pixelStride))
        // Columns past the end may lie outside the picture: they read its first pixel.
        let valid = UInt8(truncatingIfNeeded: left >= 8 ? 0xFF : (1 << left) - 1)
        addresses.storeBytes(of: _mm256_maskz_mov_epi32(valid, address), as: __m256i.self)
        let fraction = _mm256_set1_epi32(31)
        // Bytes 32 − f, f twice; then 16-bit 32 − f, f.
        let across = _mm512_castsi256_si512(
          _mm256_add_epi32(
            _mm256_set1_epi32(0x0020_0020),
            _mm256_mullo_epi32(_mm256_and_si256(x, fraction), _mm256_set1_epi32(0x00FF_00FF))))
        let down = _mm512_castsi256_si512(
          _mm256_add_epi32(
            _mm256_set1_epi32(32),
            _mm256_mullo_epi32(_mm256_and_si256(y, fraction), _mm256_set1_epi32(0xFFFF))))
        for half in 0..<2 {
          let count = left - 4 * half
          if count <= 0 { break }
          let at = addresses + half * 16
          let pixels = _mm512_shuffle_epi8(
            fourPixels(run.base, at, below), order)
          let places = half == 0 ? spread : spreadUpper
          let columns = _mm512_maddubs_epi16(
            pixels, _mm512_permutexvar_epi32(places, across))
          let sums = _mm512_madd_epi16(columns, _mm512_permutexvar_epi32(places, down))
          let bytes = _mm512_srai_epi32(_mm512_add_epi32(sums, _mm512_set1_epi32(512)), 10)
          let values = _mm512_permutexvar_ps(
            packed,
            _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(bytes), scale), offset))
          if count >= 6 {
            // The four lanes too many are overwritten by the next pixels.
            UnsafeMutableRawPointer(output).storeBytes(of: values, as: __m512.self)
          } else {
            let lanes = UInt16(truncatingIfNeeded: (1 << (3 * (count < 4 ? count : 4))) - 1)
            _mm512_mask_storeu_ps(output, lanes, values)
          }
          output += 12
        }
        i = _mm512_add_pd(i, _mm512_set1_pd(8))
        left -= 8
      }
    }
  }

  /// `(start + step · i) · w`, each step rounded.
  @inline(__always)
  private func coordinate(_ start: Double, _ step: Double, _ i: __m512d, _ w: __m512d) -> __m512d {
    _mm512_mul_pd(
      _mm512_add_pd(_mm512_set1_pd(start), _mm512_mul_pd(_mm512_set1_pd(step), i)), w)
  }

  @inline(__always)
  private func fourPixels(
    _ base: UnsafePointer<UInt8>, _ addresses: UnsafeMutableRawPointer, _ below: Int
  ) -> __m512i {
    let p0 = base + Int(addresses.load(as: Int32.self))
    let p1 = base + Int(addresses.load(fromByteOffset: 4, as: Int32.self))
    let p2 = base + Int(addresses.load(fromByteOffset: 8, as: Int32.self))
    let p3 = base + Int(addresses.load(fromByteOffset: 12, as: Int32.self))
    return _mm512_set_epi64(
      taps(p3 + below), taps(p3), taps(p2 + below), taps(p2), taps(p1 + below), taps(p1),
      taps(p0 + below), taps(p0))
  }
#endif
