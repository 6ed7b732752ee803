#if ISA_AVX2 || ISA_AVX512
  import MicrokernelInterface

  // Bilinear sampling of 8-bit pixels. A pixel's four taps are sixteen bytes, eight of each row; one shuffle
  // orders them by channel, then one multiply–add blends columns and the next one rows:
  //
  //     r00 r01 r10 r11 g00 … → r0 r1 g0 g1 … (16 bits) → r g b · (32 bits)
  //
  // All of it is integer arithmetic, so every order of it gives the same bits.

  /// The order of a pixel's sixteen bytes, as two words; 0x80 gives a zero.
  @inline(__always)
  func tapOrder(_ run: BilinearRunArguments) -> (low: Int64, high: Int64) {
    @inline(__always)
    func taps(_ channel: Int) -> Int64 {
      let first = Int64(truncatingIfNeeded: channel)
      let next = first &+ Int64(truncatingIfNeeded: run.pixelStride)
      return first | next << 8 | (first &+ 8) << 16 | (next &+ 8) << 24
    }
    return (taps(run.red) | taps(run.green) << 32, taps(run.blue) | 0x8080_8080 << 32)
  }

  @inline(__always)
  func taps(_ pixel: UnsafePointer<UInt8>) -> Int64 {
    UnsafeRawPointer(pixel).loadUnaligned(as: Int64.self)
  }
#endif
