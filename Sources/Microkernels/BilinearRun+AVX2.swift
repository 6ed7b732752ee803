#if ISA_AVX2
  import MicrokernelInterface
  import _Builtin_intrinsics.intel

  @inline(never)
  public func u8_bilinear_run(_ arguments: UnsafePointer<BilinearRunArguments>) {
    let run = arguments.pointee
    let (low, high) = tapOrder(run)
    let order = _mm256_set_epi64x(high, low, high, low)
    let spread = _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0)
    let spreadUpper = _mm256_set_epi32(3, 3, 3, 3, 2, 2, 2, 2)
    let packed = _mm256_set_epi32(7, 7, 6, 5, 4, 2, 1, 0)
    let evens = _mm256_set_epi32(7, 7, 7, 7, 6, 4, 2, 0)
    let scale = _mm256_set1_ps(run.scale)
    let offset = _mm256_set1_ps(run.offset)
    let magic = _mm256_set1_pd(0x1.8p52)
    let rowStride = _mm_set1_epi32(Int32(truncatingIfNeeded: run.rowStride))
    let pixelStride = _mm_set1_epi32(Int32(truncatingIfNeeded: run.pixelStride))
    let below = run.rowStride
    var addressWords = _mm_setzero_si128()
    withUnsafeMutableBytes(of: &addressWords) { bytes in
      let addresses = bytes.baseAddress!
      var i = _mm256_add_pd(_mm256_set1_pd(run.first), _mm256_set_pd(3, 2, 1, 0))
      // Where the mapping is affine, one quotient serves all columns.
      var w = _mm256_div_pd(_mm256_set1_pd(32), _mm256_set1_pd(run.w0))
      var output = run.output
      var left = run.count
      while left > 0 {
        if run.dw != 0 {
          let divisor = _mm256_add_pd(
            _mm256_set1_pd(run.w0), _mm256_mul_pd(_mm256_set1_pd(run.dw), i))
          w = _mm256_div_pd(_mm256_set1_pd(32), divisor)
        }
        // The integer, rounded half to even, is in the low bits of the significand.
        let x = lowWords(_mm256_add_pd(coordinate(run.x0, run.dx, i, w), magic), evens)
        let y = lowWords(_mm256_add_pd(coordinate(run.y0, run.dy, i, w), magic), evens)
        addresses.storeBytes(
          of: _mm_add_epi32(
            _mm_mullo_epi32(_mm_srai_epi32(y, 5), rowStride),
            _mm_mullo_epi32(_mm_srai_epi32(x, 5), pixelStride)), as: __m128i.self)
        // Columns past the end may lie outside the picture: they read its first pixel.
        var column = left
        while column < 4 {
          addresses.storeBytes(of: 0, toByteOffset: 4 * column, as: Int32.self)
          column += 1
        }
        let fraction = _mm_set1_epi32(31)
        // Bytes 32 − f, f twice; then 16-bit 32 − f, f.
        let across = _mm256_castsi128_si256(
          _mm_add_epi32(
            _mm_set1_epi32(0x0020_0020),
            _mm_mullo_epi32(_mm_and_si128(x, fraction), _mm_set1_epi32(0x00FF_00FF))))
        let down = _mm256_castsi128_si256(
          _mm_add_epi32(
            _mm_set1_epi32(32),
            _mm_mullo_epi32(_mm_and_si128(y, fraction), _mm_set1_epi32(0xFFFF))))
        for half in 0..<2 {
          let count = left - 2 * half
          if count <= 0 { break }
          let pixels = _mm256_shuffle_epi8(
            twoPixels(run.base, addresses + half * 8, below), order)
          let places = half == 0 ? spread : spreadUpper
          let columns = _mm256_maddubs_epi16(
            pixels, _mm256_permutevar8x32_epi32(across, places))
          let sums = _mm256_madd_epi16(columns, _mm256_permutevar8x32_epi32(down, places))
          let bytes = _mm256_srai_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(512)), 10)
          let values = _mm256_permutevar8x32_ps(
            _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(bytes), scale), offset), packed)
          let to = UnsafeMutableRawPointer(output)
          if count >= 3 {
            // The two lanes too many are overwritten by the next pixels.
            to.storeBytes(of: values, as: __m256.self)
          } else {
            let last = count == 1 ? 3 : 6
            var lane = 0
            while lane < last {
              output[lane] = values[lane]
              lane += 1
            }
          }
          output += 6
        }
        i = _mm256_add_pd(i, _mm256_set1_pd(4))
        left -= 4
      }
    }
  }

  /// `(start + step · i) · w`, each step rounded.
  @inline(__always)
  private func coordinate(_ start: Double, _ step: Double, _ i: __m256d, _ w: __m256d) -> __m256d {
    _mm256_mul_pd(
      _mm256_add_pd(_mm256_set1_pd(start), _mm256_mul_pd(_mm256_set1_pd(step), i)), w)
  }

  /// The low halves of four 64-bit lanes.
  @inline(__always)
  private func lowWords(_ value: __m256d, _ evens: __m256i) -> __m128i {
    _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(value), evens))
  }

  @inline(__always)
  private func twoPixels(
    _ base: UnsafePointer<UInt8>, _ addresses: UnsafeMutableRawPointer, _ below: Int
  ) -> __m256i {
    let p0 = base + Int(addresses.load(as: Int32.self))
    let p1 = base + Int(addresses.load(fromByteOffset: 4, as: Int32.self))
    return _mm256_set_epi64x(taps(p1 + below), taps(p1), taps(p0 + below), taps(p0))
  }
#endif
