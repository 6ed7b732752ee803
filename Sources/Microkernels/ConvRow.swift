import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

/// One row of a convolution as a matrix product: panels outside, pixel tiles inside, so that a panel
/// stays in the first-level cache while the row's pixels pass by.
@inline(never)
func f32_conv_row(_ arguments: UnsafePointer<ConvRow>) {
  // A copy: stores through pointers cannot change it, so its fields stay in registers.
  let row = arguments.pointee
  for index in 0..<row.panelCount {
    let panel = row.panels[index]
    if row.weightsAreHalf {
      f32_conv_panel_f16(row, panel)
      continue
    }
    // Twelve to sixteen accumulators keep the multipliers busy; more only spill.
    #if ISA_AVX512
      switch panel.width {
      case 64: f32_conv_panel_4x4(row, panel)
      case 48: f32_conv_panel_8x3(row, panel)
      case 32: f32_conv_panel_8x2(row, panel)
      case 16: f32_conv_panel_8x1(row, panel)
      default: f32_conv_panel_half(row, panel)
      }
    #elseif ISA_AVX2
      switch panel.width {
      case 16: f32_conv_panel_6x2(row, panel)
      default: f32_conv_panel_half(row, panel)
      }
    #else
      switch panel.width {
      case 16: f32_conv_panel_3x4(row, panel)
      default: f32_conv_panel_half(row, panel)
      }
    #endif
  }
}

/// A weight as it is packed.
private protocol PackedWeight {
  static func load<V: FloatVector>(_ address: UnsafePointer<Self>, _: V.Type) -> V
}

extension Float: PackedWeight {
  @inline(__always)
  static func load<V: FloatVector>(_ address: UnsafePointer<Float>, _: V.Type) -> V {
    V.load(address)
  }
}

/// The bits of a half-precision number.
extension UInt16: PackedWeight {
  @inline(__always)
  static func load<V: FloatVector>(_ address: UnsafePointer<UInt16>, _: V.Type) -> V {
    V.loadHalf(address)
  }
}

/// Half-precision weights are for layers of one pixel.
@inline(never)
private func f32_conv_panel_f16(_ row: ConvRow, _ panel: WeightPanel) {
  let vectors = panel.width / Vector.lanes
  switch vectors {
  case 4: _ = tiles(row, panel, from: 0, shape: Shape<1, 4, 0, 16, Vector, UInt16>())
  case 3: _ = tiles(row, panel, from: 0, shape: Shape<1, 3, 0, 16, Vector, UInt16>())
  case 2: _ = tiles(row, panel, from: 0, shape: Shape<1, 2, 0, 16, Vector, UInt16>())
  case 1: _ = tiles(row, panel, from: 0, shape: Shape<1, 1, 0, 16, Vector, UInt16>())
  default: _ = tiles(row, panel, from: 0, shape: Shape<1, 1, 0, 16, HalfVector, UInt16>())
  }
}

#if ISA_AVX512
  @inline(never)
  private func f32_conv_panel_4x4(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tiles(row, panel, from: 0, shape: Shape<4, 4, 16, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<4, 4, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 4, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_8x3(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tiles(row, panel, from: 0, shape: Shape<8, 3, 16, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<4, 3, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 3, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_8x2(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tiles(row, panel, from: 0, shape: Shape<8, 2, 16, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<8, 2, 0, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<4, 2, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 2, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_8x1(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tilesToTheEnd(row, panel, from: 0, shape: Shape<8, 1, 16, 16, Vector, Float>())
    x = tilesToTheEnd(row, panel, from: x, shape: Shape<8, 1, 8, 16, Vector, Float>())
    x = tilesToTheEnd(row, panel, from: x, shape: Shape<8, 1, 0, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<4, 1, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 1, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_half(_ row: ConvRow, _ panel: WeightPanel) {
    if row.outputPixelStride == channelBlock {
      var x = tilesToTheEnd(row, panel, from: 0, shape: Shape<8, 1, 16, 16, HalfVector, Float>())
      x = tilesToTheEnd(row, panel, from: x, shape: Shape<8, 1, 0, 16, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<4, 1, 0, 16, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 1, 0, 16, HalfVector, Float>())
    } else {
      var x = sixteenChannels(row, panel, from: 0, shape: Shape<8, 1, 16, 8, HalfVector, Float>())
      x = tilesToTheEnd(row, panel, from: x, shape: Shape<8, 1, 16, 8, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<4, 1, 0, 8, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 1, 0, 8, HalfVector, Float>())
    }
  }
#elseif ISA_AVX2
  @inline(never)
  private func f32_conv_panel_6x2(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tiles(row, panel, from: 0, shape: Shape<6, 2, 16, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<6, 2, 0, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<2, 2, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 2, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_half(_ row: ConvRow, _ panel: WeightPanel) {
    if row.outputPixelStride == channelBlock {
      var x = tilesToTheEnd(row, panel, from: 0, shape: Shape<8, 1, 16, 16, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<4, 1, 0, 16, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 1, 0, 16, HalfVector, Float>())
    } else {
      var x = tilesToTheEnd(row, panel, from: 0, shape: Shape<8, 1, 16, 8, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<4, 1, 0, 8, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 1, 0, 8, HalfVector, Float>())
    }
  }
#else
  @inline(never)
  private func f32_conv_panel_3x4(_ row: ConvRow, _ panel: WeightPanel) {
    var x = tiles(row, panel, from: 0, shape: Shape<3, 4, 16, 16, Vector, Float>())
    x = tiles(row, panel, from: x, shape: Shape<3, 4, 0, 16, Vector, Float>())
    _ = tiles(row, panel, from: x, shape: Shape<1, 4, 0, 16, Vector, Float>())
  }

  @inline(never)
  private func f32_conv_panel_half(_ row: ConvRow, _ panel: WeightPanel) {
    if row.outputPixelStride == channelBlock {
      var x = tiles(row, panel, from: 0, shape: Shape<6, 2, 16, 16, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<2, 2, 0, 16, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 2, 0, 16, HalfVector, Float>())
    } else {
      var x = tiles(row, panel, from: 0, shape: Shape<6, 2, 16, 8, HalfVector, Float>())
      x = tiles(row, panel, from: x, shape: Shape<2, 2, 0, 8, HalfVector, Float>())
      _ = tiles(row, panel, from: x, shape: Shape<1, 2, 0, 8, HalfVector, Float>())
    }
  }
#endif

/// A tile's constants: `MR` pixels, `NV` vectors of output channels, the distance of two input pixels
/// in floats if it is known (16 in the blocked layout at stride 1, 8 in narrow rows; 0: read it), and
/// that of two output pixels.
private struct Shape<
  let MR: Int, let NV: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector,
  W: PackedWeight
> {}

/// Covers the row from pixel `start` with whole tiles of this shape; returns the first pixel left.
@inline(__always)
private func tiles<
  let MR: Int, let NV: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector,
  W: PackedWeight
>(
  _ row: ConvRow, _ panel: WeightPanel, from start: Int,
  shape: Shape<MR, NV, PixelStride, OutputStride, V, W>
) -> Int {
  var x = start
  if PixelStride != 0 && row.inputPixelStride != PixelStride { return x }
  while x + MR <= row.pixels {
    tile(row, panel, x, shape)
    x += MR
  }
  return x
}

/// As ``tiles``, but the row's last pixels are computed as a whole tile that overlaps the one before.
/// Worth it where a narrower tile waits for its few sums; not where a residual would be added twice.
@inline(__always)
private func tilesToTheEnd<
  let MR: Int, let NV: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector,
  W: PackedWeight
>(
  _ row: ConvRow, _ panel: WeightPanel, from start: Int,
  shape: Shape<MR, NV, PixelStride, OutputStride, V, W>
) -> Int {
  let x = tiles(row, panel, from: start, shape: shape)
  if x == start || row.pixels - x < 2 || row.residual != nil { return x }
  tile(row, panel, row.pixels - MR, shape)
  return row.pixels
}

@inline(__always)
private func tile<
  let MR: Int, let NV: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector,
  W: PackedWeight
>(
  _ row: ConvRow, _ panel: WeightPanel, _ x: Int,
  _ shape: Shape<MR, NV, PixelStride, OutputStride, V, W>
) {
  let pixelStride = PixelStride == 0 ? row.inputPixelStride : PixelStride
  let bias = row.bias + panel.firstChannel
  var sums = Tile<MR, NV, V>(repeating: InlineArray<NV, V>(repeating: .zeros))
  unroll(InlineArray<NV, Int>.self) { n in setColumn(&sums, n, V.load(bias + n * V.lanes)) }

  for tap in 0..<row.tapCount {
    let source = row.taps[tap]
    var input = source.input + x * pixelStride
    var weights = panel.weights.assumingMemoryBound(to: W.self) + source.firstRow * (NV * V.lanes)
    var left = row.channels
    while left >= channelBlock {
      for k in 0..<channelBlock {
        accumulate(&sums, input + k, pixelStride, weights + k * (NV * V.lanes))
      }
      input += row.inputBlockStride
      weights += channelBlock * (NV * V.lanes)
      left -= channelBlock
    }
    for k in 0..<left {
      accumulate(&sums, input + k, pixelStride, weights + k * (NV * V.lanes))
    }
  }
  finish(row, panel, x, &sums, shape)
}

/// Tiles of a 1×1 convolution with sixteen input channels: all weights stay in registers, and every load
/// left is a broadcast folded into its multiply–add.
@inline(__always)
private func sixteenChannels<
  let MR: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector, W: PackedWeight
>(
  _ row: ConvRow, _ panel: WeightPanel, from start: Int,
  shape: Shape<MR, 1, PixelStride, OutputStride, V, W>
) -> Int {
  var x = start
  if row.inputPixelStride != PixelStride || row.channels != 16 || row.tapCount != 1 { return x }
  let weights = panel.weights.assumingMemoryBound(to: W.self)
  var low = InlineArray<8, V>(repeating: .zeros)
  var high = InlineArray<8, V>(repeating: .zeros)
  unroll(InlineArray<8, Int>.self) { k in low[k] = W.load(weights + k * V.lanes, V.self) }
  unroll(InlineArray<8, Int>.self) { k in high[k] = W.load(weights + (8 + k) * V.lanes, V.self) }
  let bias = V.load(row.bias + panel.firstChannel)
  let input = row.taps[0].input
  while x + MR <= row.pixels {
    var sums = Tile<MR, 1, V>(repeating: InlineArray<1, V>(repeating: bias))
    let source = input + x * PixelStride
    unroll(InlineArray<8, Int>.self) { k in
      accumulateColumn(&sums, source + k, PixelStride, low[k])
    }
    unroll(InlineArray<8, Int>.self) { k in
      accumulateColumn(&sums, source + 8 + k, PixelStride, high[k])
    }
    finish(row, panel, x, &sums, shape)
    x += MR
  }
  return x
}

@inline(__always)
private func accumulateColumn<let MR: Int, V: FloatVector>(
  _ sums: inout Tile<MR, 1, V>, _ input: UnsafePointer<Float>, _ pixelStride: Int, _ weights: V
) {
  unroll(InlineArray<MR, Int>.self) { m in
    sums[m][0] = sums[m][0].adding(product: V.broadcast(input[m * pixelStride]), weights)
  }
}

@inline(__always)
private func setColumn<let MR: Int, let NV: Int, V>(
  _ sums: inout Tile<MR, NV, V>, _ n: Int, _ value: V
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n] = value }
}

/// One input channel: `NV` weight vectors times `MR` broadcast pixels.
@inline(__always)
private func accumulate<let MR: Int, let NV: Int, V: FloatVector, W: PackedWeight>(
  _ sums: inout Tile<MR, NV, V>, _ input: UnsafePointer<Float>, _ pixelStride: Int,
  _ weights: UnsafePointer<W>
) {
  var w = InlineArray<NV, V>(repeating: .zeros)
  unroll(InlineArray<NV, Int>.self) { n in w[n] = W.load(weights + n * V.lanes, V.self) }
  unroll(InlineArray<MR, Int>.self) { m in
    accumulateRow(&sums[m], V.broadcast(input[m * pixelStride]), w)
  }
}

@inline(__always)
private func accumulateRow<let NV: Int, V: FloatVector>(
  _ sums: inout InlineArray<NV, V>, _ pixel: V, _ weights: InlineArray<NV, V>
) {
  unroll(InlineArray<NV, Int>.self) { n in sums[n] = sums[n].adding(product: pixel, weights[n]) }
}

/// Residual, activation, store.
@inline(__always)
private func finish<
  let MR: Int, let NV: Int, let PixelStride: Int, let OutputStride: Int, V: FloatVector,
  W: PackedWeight
>(
  _ row: ConvRow, _ panel: WeightPanel, _ x: Int, _ sums: inout Tile<MR, NV, V>,
  _: Shape<MR, NV, PixelStride, OutputStride, V, W>
) {
  let firstBlock = panel.firstChannel / channelBlock
  if let residual = row.residual {
    let blocks = row.residualBlocks
    let stride = row.residualBlockStride
    unroll(InlineArray<NV, Int>.self) { n in
      let block = firstBlock + n * V.lanes / channelBlock
      if block < blocks {
        addColumn(
          &sums, n,
          residual + block * stride + x * channelBlock + n * V.lanes % channelBlock)
      }
    }
  }
  let epilogue = row.epilogue
  switch epilogue.kind {
  case Epilogue.clamp:
    let low = V.broadcast(epilogue.low)
    let high = V.broadcast(epilogue.high)
    unroll(InlineArray<NV, Int>.self) { n in clampColumn(&sums, n, low, high) }
  case Epilogue.prelu:
    let alpha = epilogue.alpha + panel.firstChannel
    unroll(InlineArray<NV, Int>.self) { n in
      preluColumn(&sums, n, V.load(alpha + n * V.lanes))
    }
  default: break
  }
  let output = row.output + x * OutputStride
  let stride = row.outputBlockStride
  unroll(InlineArray<NV, Int>.self) { n in
    storeColumn(
      sums, n,
      output + (firstBlock + n * V.lanes / channelBlock) * stride + n * V.lanes % channelBlock,
      OutputStride)
  }
  // Padding lanes stay zero: others add them, pool them and pad with them.
  if NV * V.lanes == channelBlock / 2 && OutputStride == channelBlock && row.clearsPadding {
    let upper = output + firstBlock * stride + channelBlock / 2
    unroll(InlineArray<MR, Int>.self) { m in
      clearHalf(upper + m * channelBlock)
    }
  }
}

@inline(__always)
private func addColumn<let MR: Int, let NV: Int, V: FloatVector>(
  _ sums: inout Tile<MR, NV, V>, _ n: Int, _ source: UnsafePointer<Float>
) {
  unroll(InlineArray<MR, Int>.self) { m in
    sums[m][n] = sums[m][n] + V.load(source + m * channelBlock)
  }
}

@inline(__always)
private func clampColumn<let MR: Int, let NV: Int, V: FloatVector>(
  _ sums: inout Tile<MR, NV, V>, _ n: Int, _ low: V, _ high: V
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n] = sums[m][n].clamped(low, high) }
}

@inline(__always)
private func preluColumn<let MR: Int, let NV: Int, V: FloatVector>(
  _ sums: inout Tile<MR, NV, V>, _ n: Int, _ alpha: V
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n] = sums[m][n].prelu(alpha) }
}

@inline(__always)
private func storeColumn<let MR: Int, let NV: Int, V: FloatVector>(
  _ sums: Tile<MR, NV, V>, _ n: Int, _ target: UnsafeMutablePointer<Float>, _ distance: Int
) {
  unroll(InlineArray<MR, Int>.self) { m in sums[m][n].store(target + m * distance) }
}

@inline(__always)
private func clearHalf(_ target: UnsafeMutablePointer<Float>) {
  HalfVector.zeros.store(target)
  if HalfVector.lanes < channelBlock / 2 { HalfVector.zeros.store(target + HalfVector.lanes) }
}
