import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

/// `rounds` turns of eight independent multiply–adds in registers: what the core can do at most.
/// - Returns: floating-point operations done, two for each multiply–add and lane.
@inline(never)
func f32_fma_peak(_ rounds: Int) -> Int {
  var sums = InlineArray<8, Vector>(repeating: .broadcast(1))
  // Below 1, so that the sums stay finite for ever; not a constant, or the loop would be folded.
  let factor = Vector.broadcast(rounds > 0 ? 0.999 : 0.5)
  let one = Vector.broadcast(0.001)
  for _ in 0..<rounds {
    unroll(InlineArray<8, Int>.self) { i in sums[i] = one.adding(product: sums[i], factor) }
  }
  var total = Vector.zeros
  unroll(InlineArray<8, Int>.self) { i in total = total + sums[i] }
  // The result must depend on the sums, or the loop is not there.
  return withUnsafeTemporarySum(total) > -1 ? rounds * 8 * Vector.lanes * 2 : 0
}

@inline(__always)
private func withUnsafeTemporarySum(_ vector: Vector) -> Float {
  var scratch = InlineArray<16, Float>(repeating: 0)
  var mutable = scratch.mutableSpan
  return mutable.withUnsafeMutableBufferPointer { buffer in
    vector.store(buffer.baseAddress!)
    return buffer[0]
  }
}
