import MicrokernelInterface

#if ISA_AVX512
  import VectorsAVX512
#elseif ISA_AVX2
  import VectorsAVX2
#else
  import VectorsBaseline
#endif

/// One output row of a depthwise convolution, block by block.
@inline(never)
func f32_depthwise_row(_ arguments: UnsafePointer<DepthwiseRow>) {
  // A copy: stores through pointers cannot change it, so its fields stay in registers.
  let row = arguments.pointee
  var block = 0
  var left = row.channels
  while left > 0 {
    if left <= channelBlock / 2 {
      // Half a block: compute the lower lanes, keep the upper ones zero.
      var lane = 0
      let isNarrow = row.pixelStride != channelBlock
      while lane < channelBlock / 2 {
        if isNarrow {
          f32_depthwise_strip(row, block, lane, Pixels<8, HalfVector>())
        } else {
          f32_depthwise_strip(row, block, lane, Pixels<16, HalfVector>())
        }
        lane += HalfVector.lanes
      }
      if row.clearsPadding && !isNarrow { clearUpperHalves(row, block) }
    } else {
      var lane = 0
      while lane < channelBlock {
        f32_depthwise_strip(row, block, lane, Pixels<16, Vector>())
        lane += Vector.lanes
      }
    }
    block += 1
    left -= channelBlock
  }
}

private func clearUpperHalves(_ row: DepthwiseRow, _ block: Int) {
  let upper = row.output + block * row.outputBlockStride + channelBlock / 2
  for x in 0..<row.pixels {
    var lane = 0
    while lane < channelBlock / 2 {
      HalfVector.zeros.store(upper + x * channelBlock + lane)
      lane += HalfVector.lanes
    }
  }
}

/// What is known of a row's pixels: how many floats apart they are, and in which registers they go.
private struct Pixels<let Distance: Int, V: FloatVector> {}

/// The lanes of one vector, along the whole row: borders pixel by pixel, the inside in tiles.
@inline(__always)
private func f32_depthwise_strip<let Distance: Int, V: FloatVector>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ pixels: Pixels<Distance, V>
) {
  if row.dilation == 1 {
    switch (row.kernelWidth, row.stride) {
    case (3, 1): if wholeRow(row, block, lane, Window<3, 1, Distance, V>()) { return }
    case (3, 2): if wholeRow(row, block, lane, Window<3, 2, Distance, V>()) { return }
    case (5, 1): if wholeRow(row, block, lane, Window<5, 1, Distance, V>()) { return }
    case (5, 2): if wholeRow(row, block, lane, Window<5, 2, Distance, V>()) { return }
    default: break
    }
  }
  anyRow(row, block, lane, pixels)
}

/// A row padded as SAME pads an even number of pixels: eight or four at a time, the first and the last
/// tile without the columns that are not there. Tiles overlap where the width is no multiple of eight.
/// `false` if the row is not of this kind.
@inline(__always)
private func wholeRow<
  let Width: Int, let Stride: Int, let Distance: Int, V: FloatVector
>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ window: Window<Width, Stride, Distance, V>
) -> Bool {
  if row.padLeft != (Width - Stride) / 2 || row.inputWidth != row.pixels * Stride { return false }
  // A tile that ends nearer to the row's end than this has columns beyond it.
  let reach = Width / 2
  if row.pixels >= 8 + reach {
    depthwiseTile(row, block, lane, 0, window, Edges<8, 1, 0>())
    var x = 8
    while x + 8 < row.pixels {
      let inside = row.pixels - 8 - reach
      depthwiseTile(row, block, lane, x < inside ? x : inside, window, Edges<8, 0, 0>())
      x += 8
    }
    depthwiseTile(row, block, lane, row.pixels - 8, window, Edges<8, 0, 1>())
    return true
  }
  switch row.pixels {
  case 8: depthwiseTile(row, block, lane, 0, window, Edges<8, 1, 1>())
  case 4: depthwiseTile(row, block, lane, 0, window, Edges<4, 1, 1>())
  case 2: depthwiseTile(row, block, lane, 0, window, Edges<2, 1, 1>())
  default: return false
  }
  return true
}

/// A row of any width, padding, stride and dilation: borders pixel by pixel.
@inline(__always)
private func anyRow<let Distance: Int, V: FloatVector>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ pixels: Pixels<Distance, V>
) {
  // The outputs whose window lies inside the row.
  let reach = (row.kernelWidth - 1) * row.dilation
  let padded = (row.padLeft + row.stride - 1) / row.stride
  let first = padded < row.pixels ? padded : row.pixels
  let lastStart = row.inputWidth - 1 - reach + row.padLeft
  let fitting = lastStart < 0 ? 0 : lastStart / row.stride + 1
  let end = fitting < row.pixels ? fitting : row.pixels

  for x in 0..<first { borderPixel(row, block, lane, x, pixels) }
  var x = first
  if row.dilation == 1 {
    switch (row.kernelWidth, row.stride) {
    case (3, 1): x = insidePixels(row, block, lane, x, end, Window<3, 1, Distance, V>())
    case (3, 2): x = insidePixels(row, block, lane, x, end, Window<3, 2, Distance, V>())
    case (5, 1): x = insidePixels(row, block, lane, x, end, Window<5, 1, Distance, V>())
    case (5, 2): x = insidePixels(row, block, lane, x, end, Window<5, 2, Distance, V>())
    default: break
    }
  }
  while x < row.pixels {
    borderPixel(row, block, lane, x, pixels)
    x += 1
  }
}

/// A window's constants: width, stride, and the floats from one pixel to the next.
private struct Window<
  let Width: Int, let Stride: Int, let Distance: Int, V: FloatVector
> {}

@inline(__always)
private func insidePixels<
  let Width: Int, let Stride: Int, let Distance: Int, V: FloatVector
>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ start: Int, _ end: Int,
  _ window: Window<Width, Stride, Distance, V>
) -> Int {
  var x = start
  // Eight sums hide the latency of the multiply–add; narrower maps end with four or one.
  while x + 8 <= end {
    depthwiseTile(row, block, lane, x, window, Edges<8, 0, 0>())
    x += 8
  }
  while x + 4 <= end {
    depthwiseTile(row, block, lane, x, window, Edges<4, 0, 0>())
    x += 4
  }
  while x < end {
    depthwiseTile(row, block, lane, x, window, Edges<1, 0, 0>())
    x += 1
  }
  return x
}

/// A tile's pixels, and whether (1 or 0) it is the first or the last of a row that ends there.
private struct Edges<let MR: Int, let First: Int, let Last: Int> {}

/// `MR` neighbouring outputs: every input column is loaded once and used by each output it touches.
@inline(__always)
private func depthwiseTile<
  let MR: Int, let First: Int, let Last: Int, let Width: Int, let Stride: Int, let Distance: Int,
  V: FloatVector
>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ x: Int,
  _ window: Window<Width, Stride, Distance, V>, _ edges: Edges<MR, First, Last>
) {
  var sums = InlineArray<MR, V>(repeating: V.load(row.bias + block * channelBlock + lane))
  let offset = block * row.inputBlockStride + (x * Stride - row.padLeft) * Distance + lane
  let weights =
    row.weights + block * row.weightBlockStride + row.firstRow * (Width * channelBlock) + lane
  for index in 0..<row.rowCount {
    accumulateKernelRow(
      &sums, row.rows[index] + offset, weights + index * (Width * channelBlock), window, edges)
  }
  let output = row.output + block * row.outputBlockStride + x * Distance + lane
  finishTile(row, block, lane, &sums)
  unroll(InlineArray<MR, Int>.self) { m in sums[m].store(output + m * Distance) }
}

@inline(__always)
private func accumulateKernelRow<
  let MR: Int, let First: Int, let Last: Int, let Width: Int, let Stride: Int, let Distance: Int,
  V: FloatVector
>(
  _ sums: inout InlineArray<MR, V>, _ input: UnsafePointer<Float>,
  _ weights: UnsafePointer<Float>, _ window: Window<Width, Stride, Distance, V>,
  _ edges: Edges<MR, First, Last>
) {
  var w = InlineArray<Width, V>(repeating: .zeros)
  unroll(InlineArray<Width, Int>.self) { k in w[k] = V.load(weights + k * channelBlock) }
  unroll(InlineArray<MR, Int>.self) { m in
    accumulateWindow(&sums[m], m, input, w, window, edges)
  }
}

/// Neighbouring windows overlap; the compiler loads each column once. Columns beyond the row's ends
/// are left out, which only a row padded as in ``wholeRow`` has.
@inline(__always)
private func accumulateWindow<
  let Width: Int, let MR: Int, let First: Int, let Last: Int, let Stride: Int, let Distance: Int,
  V: FloatVector
>(
  _ sum: inout V, _ m: Int, _ input: UnsafePointer<Float>, _ weights: InlineArray<Width, V>,
  _: Window<Width, Stride, Distance, V>, _: Edges<MR, First, Last>
) {
  unroll(InlineArray<Width, Int>.self) { k in
    // Of the tile's own columns; all constants after inlining.
    let column = m * Stride + k - (Width - Stride) / 2
    if (First == 0 || column >= 0) && (Last == 0 || column < MR * Stride) {
      sum = sum.adding(product: V.load(input + (m * Stride + k) * Distance), weights[k])
    }
  }
}

/// Any window, any stride, any dilation; taps outside the row are left out.
@inline(__always)
private func borderPixel<let Distance: Int, V: FloatVector>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ x: Int, _: Pixels<Distance, V>
) {
  var sums = InlineArray<1, V>(repeating: V.load(row.bias + block * channelBlock + lane))
  let weights =
    row.weights + block * row.weightBlockStride + row.firstRow * (row.kernelWidth * channelBlock)
    + lane
  for index in 0..<row.rowCount {
    let input = row.rows[index] + block * row.inputBlockStride + lane
    for k in 0..<row.kernelWidth {
      let column = x * row.stride - row.padLeft + k * row.dilation
      if column >= 0 && column < row.inputWidth {
        sums[0] = sums[0].adding(
          product: V.load(input + column * Distance),
          V.load(weights + (index * row.kernelWidth + k) * channelBlock))
      }
    }
  }
  finishTile(row, block, lane, &sums)
  sums[0].store(row.output + block * row.outputBlockStride + x * Distance + lane)
}

@inline(__always)
private func finishTile<let MR: Int, V: FloatVector>(
  _ row: DepthwiseRow, _ block: Int, _ lane: Int, _ sums: inout InlineArray<MR, V>
) {
  switch row.epilogue.kind {
  case Epilogue.clamp:
    let low = V.broadcast(row.epilogue.low)
    let high = V.broadcast(row.epilogue.high)
    unroll(InlineArray<MR, Int>.self) { m in sums[m] = sums[m].clamped(low, high) }
  case Epilogue.prelu:
    let alpha = V.load(row.epilogue.alpha + block * channelBlock + lane)
    unroll(InlineArray<MR, Int>.self) { m in sums[m] = sums[m].prelu(alpha) }
  default: break
  }
}
