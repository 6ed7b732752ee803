import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

/// Dot products of 16-bit values, summed in 32 bits: panels outside, pixel tiles inside.
@inline(never)
func i16_dot_row(_ arguments: UnsafePointer<DotRow>) {
  let row = arguments.pointee
  for panel in 0..<row.panels {
    // Eight accumulators in every tier.
    #if ISA_AVX512
      var x = tiles(row, panel, from: 0, shape: Shape<8, 1>())
      x = tiles(row, panel, from: x, shape: Shape<2, 1>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 1>())
    #elseif ISA_AVX2
      let x = tiles(row, panel, from: 0, shape: Shape<4, 2>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 2>())
    #else
      let x = tiles(row, panel, from: 0, shape: Shape<2, 4>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 4>())
    #endif
  }
}

/// `MR` pixels by the `NV` registers that make a panel.
private struct Shape<let MR: Int, let NV: Int> {}

/// Covers the row from pixel `start` with whole tiles of this shape; returns the first pixel left.
@inline(__always)
private func tiles<let MR: Int, let NV: Int>(
  _ row: DotRow, _ panel: Int, from start: Int, shape: Shape<MR, NV>
) -> Int {
  var x = start
  while x + MR <= row.pixels {
    tile(row, panel, x, shape)
    x += MR
  }
  return x
}

@inline(__always)
private func tile<let MR: Int, let NV: Int>(
  _ row: DotRow, _ panel: Int, _ x: Int, _ shape: Shape<MR, NV>
) {
  let bias = row.bias + panel * dotPanelWidth
  var sums = Tile<MR, NV, Words>(
    repeating: InlineArray<NV, Words>(repeating: Words.broadcast(0)))
  unroll(InlineArray<NV, Int>.self) { n in
    setColumn(&sums, n, Words.load(bias + n * Words.lanes))
  }
  var weights = row.weights + panel * row.groups * dotPanelWidth
  var patch = row.patches + x * row.groups
  for _ in 0..<row.groups {
    var w = InlineArray<NV, Words>(repeating: Words.broadcast(0))
    unroll(InlineArray<NV, Int>.self) { n in w[n] = Words.load(weights + n * Words.lanes) }
    unroll(InlineArray<MR, Int>.self) { m in
      accumulate(&sums[m], Words.broadcast(patch[m * row.groups]), w)
    }
    weights += dotPanelWidth
    patch += 1
  }
  let output = row.output + (x * row.panels + panel) * dotPanelWidth
  unroll(InlineArray<NV, Int>.self) { n in
    storeColumn(sums, n, output + n * Words.lanes, row.panels * dotPanelWidth)
  }
}

@inline(__always)
private func setColumn<let MR: Int, let NV: Int>(
  _ sums: inout Tile<MR, NV, Words>, _ n: Int, _ value: Words
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n] = value }
}

@inline(__always)
private func accumulate<let NV: Int>(
  _ sums: inout InlineArray<NV, Words>, _ patch: Words, _ weights: InlineArray<NV, Words>
) {
  unroll(InlineArray<NV, Int>.self) { n in sums[n] = sums[n].adding(pairs: patch, weights[n]) }
}

@inline(__always)
private func storeColumn<let MR: Int, let NV: Int>(
  _ sums: Tile<MR, NV, Words>, _ n: Int, _ target: UnsafeMutablePointer<Int32>, _ stride: Int
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n].store(target + m * stride) }
}
