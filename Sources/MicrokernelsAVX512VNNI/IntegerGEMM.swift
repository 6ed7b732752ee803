import MicrokernelInterface
import _Builtin_intrinsics.intel

// One kernel for those processors with AVX-512 that have VNNI too. Its target is its own because an
// instruction set is a matter of the whole module (docs/decisions/0002).

/// Products of unsigned bytes with signed ones, summed in 32 bits.
@inline(never)
public func u8i8_gemm_row(_ arguments: UnsafePointer<IntegerGEMMArguments>) {
  let row = arguments.pointee
  let stride = row.panels * integerPanelWidth
  for panel in 0..<row.panels {
    let weights = row.weights + panel * row.groups * integerPanelWidth
    let bias = load(row.bias + panel * integerPanelWidth)
    let output = row.output + panel * integerPanelWidth
    var x = 0
    while x + 8 <= row.pixels {
      tile8(row.patches + x * row.groups, row.groups, weights, bias, output + x * stride, stride)
      x += 8
    }
    while x < row.pixels {
      tile1(row.patches + x * row.groups, row.groups, weights, bias, output + x * stride)
      x += 1
    }
  }
}

@inline(__always)
private func load(_ address: UnsafePointer<Int32>) -> __m512i {
  UnsafeRawPointer(address).loadUnaligned(as: __m512i.self)
}

@inline(__always)
private func store(_ value: __m512i, _ address: UnsafeMutablePointer<Int32>) {
  UnsafeMutableRawPointer(address).storeBytes(of: value, as: __m512i.self)
}

/// Eight pixels by one panel: eight sums hide the latency of the instruction.
@inline(__always)
private func tile8(
  _ patches: UnsafePointer<Int32>, _ groups: Int, _ weights: UnsafePointer<Int32>,
  _ bias: __m512i, _ output: UnsafeMutablePointer<Int32>, _ stride: Int
) {
  var (s0, s1, s2, s3) = (bias, bias, bias, bias)
  var (s4, s5, s6, s7) = (bias, bias, bias, bias)
  for k in 0..<groups {
    let w = load(weights + k * integerPanelWidth)
    let patch = patches + k
    s0 = _mm512_dpbusd_epi32(s0, _mm512_set1_epi32(patch[0]), w)
    s1 = _mm512_dpbusd_epi32(s1, _mm512_set1_epi32(patch[groups]), w)
    s2 = _mm512_dpbusd_epi32(s2, _mm512_set1_epi32(patch[2 * groups]), w)
    s3 = _mm512_dpbusd_epi32(s3, _mm512_set1_epi32(patch[3 * groups]), w)
    s4 = _mm512_dpbusd_epi32(s4, _mm512_set1_epi32(patch[4 * groups]), w)
    s5 = _mm512_dpbusd_epi32(s5, _mm512_set1_epi32(patch[5 * groups]), w)
    s6 = _mm512_dpbusd_epi32(s6, _mm512_set1_epi32(patch[6 * groups]), w)
    s7 = _mm512_dpbusd_epi32(s7, _mm512_set1_epi32(patch[7 * groups]), w)
  }
  store(s0, output)
  store(s1, output + stride)
  store(s2, output + 2 * stride)
  store(s3, output + 3 * stride)
  store(s4, output + 4 * stride)
  store(s5, output + 5 * stride)
  store(s6, output + 6 * stride)
  store(s7, output + 7 * stride)
}

@inline(__always)
private func tile1(
  _ patches: UnsafePointer<Int32>, _ groups: Int, _ weights: UnsafePointer<Int32>,
  _ bias: __m512i, _ output: UnsafeMutablePointer<Int32>
) {
  var sum = bias
  for k in 0..<groups {
    sum = _mm512_dpbusd_epi32(
      sum, _mm512_set1_epi32(patches[k]), load(weights + k * integerPanelWidth))
  }
  store(sum, output)
}
