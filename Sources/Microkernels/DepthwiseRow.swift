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
  let blocks = (arguments.pointee.channels + channelBlock - 1) / channelBlock
  for block in 0..<blocks {
    let real = min(channelBlock, arguments.pointee.channels - block * channelBlock)
    if real <= channelBlock / 2 {
      // Half a block: compute the lower lanes, keep the upper ones zero.
      var lane = 0
      while lane < channelBlock / 2 {
        strip(arguments, block, lane, HalfVector.self)
        lane += HalfVector.lanes
      }
      clearUpperHalves(arguments, block)
    } else {
      var lane = 0
      while lane < channelBlock {
        strip(arguments, block, lane, Vector.self)
        lane += Vector.lanes
      }
    }
  }
}

private func clearUpperHalves(_ row: UnsafePointer<DepthwiseRow>, _ block: Int) {
  let upper = row.pointee.output + block * row.pointee.outputBlockStride + channelBlock / 2
  for x in 0..<row.pointee.pixels {
    var lane = 0
    while lane < channelBlock / 2 {
      HalfVector.zeros.store(upper + x * channelBlock + lane)
      lane += HalfVector.lanes
    }
  }
}

/// The lanes of one vector, along the whole row: borders pixel by pixel, the inside in tiles.
@inline(__always)
private func strip<V: FloatVector>(
  _ row: UnsafePointer<DepthwiseRow>, _ block: Int, _ lane: Int, _: V.Type
) {
  let r = row.pointee
  // First and last output whose window lies inside the row.
  let reach = (r.kernelWidth - 1) * r.dilation
  let firstInside = min(r.pixels, (r.padLeft + r.stride - 1) / r.stride)
  let lastStart = r.inputWidth - 1 - reach + r.padLeft
  let insideEnd = lastStart < 0 ? firstInside : max(firstInside, min(r.pixels, lastStart / r.stride + 1))

  for x in 0..<firstInside { borderPixel(row, block, lane, x, V.self) }
  var x = firstInside
  if r.dilation == 1 {
    switch (r.kernelWidth, r.stride) {
    case (3, 1): x = insidePixels(row, block, lane, x, insideEnd, Window<3, 1, V>())
    case (3, 2): x = insidePixels(row, block, lane, x, insideEnd, Window<3, 2, V>())
    case (5, 1): x = insidePixels(row, block, lane, x, insideEnd, Window<5, 1, V>())
    case (5, 2): x = insidePixels(row, block, lane, x, insideEnd, Window<5, 2, V>())
    default: break
    }
  }
  while x < r.pixels {
    borderPixel(row, block, lane, x, V.self)
    x += 1
  }
}

private struct Window<let Width: Int, let Stride: Int, V: FloatVector> {}

@inline(__always)
private func insidePixels<let Width: Int, let Stride: Int, V: FloatVector>(
  _ row: UnsafePointer<DepthwiseRow>, _ block: Int, _ lane: Int, _ start: Int, _ end: Int,
  _ window: Window<Width, Stride, V>
) -> Int {
  var x = start
  while x + 4 <= end {
    depthwiseTile(row, block, lane, x, window, InlineArray<4, Int>.self)
    x += 4
  }
  while x < end {
    depthwiseTile(row, block, lane, x, window, InlineArray<1, Int>.self)
    x += 1
  }
  return x
}

/// `MR` neighbouring outputs: every input column is loaded once and used by each output it touches.
@inline(__always)
private func depthwiseTile<let MR: Int, let Width: Int, let Stride: Int, V: FloatVector>(
  _ row: UnsafePointer<DepthwiseRow>, _ block: Int, _ lane: Int, _ x: Int,
  _: Window<Width, Stride, V>, _: InlineArray<MR, Int>.Type
) {
  let bias = V.load(row.pointee.bias + block * channelBlock + lane)
  var sums = InlineArray<MR, V>(repeating: bias)
  let column = (x * Stride - row.pointee.padLeft) * channelBlock
  var weights =
    row.pointee.weights + block * row.pointee.weightBlockStride
    + row.pointee.firstRow * (Width * channelBlock) + lane
  for index in 0..<row.pointee.rowCount {
    let input =
      row.pointee.rows[index] + block * row.pointee.inputBlockStride + column + lane
    var w = InlineArray<Width, V>(repeating: .zeros)
    unroll(InlineArray<Width, Int>.self) { k in w[k] = V.load(weights + k * channelBlock) }
    unroll(InlineArray<MR, Int>.self) { m in
      accumulateWindow(&sums[m], input + m * (Stride * channelBlock), w)
    }
    weights += Width * channelBlock
  }
  let output =
    row.pointee.output + block * row.pointee.outputBlockStride + x * channelBlock + lane
  unroll(InlineArray<MR, Int>.self) { m in
    finishPixel(row, block, lane, sums[m], output + m * channelBlock)
  }
}

/// Neighbouring windows overlap; the compiler loads each column once.
@inline(__always)
private func accumulateWindow<let Width: Int, V: FloatVector>(
  _ sum: inout V, _ input: UnsafePointer<Float>, _ weights: InlineArray<Width, V>
) {
  unroll(InlineArray<Width, Int>.self) { k in
    sum = sum.adding(product: V.load(input + k * channelBlock), weights[k])
  }
}

/// Any window, any stride, any dilation; taps outside the row are left out.
@inline(__always)
private func borderPixel<V: FloatVector>(
  _ row: UnsafePointer<DepthwiseRow>, _ block: Int, _ lane: Int, _ x: Int, _: V.Type
) {
  let r = row.pointee
  var sum = V.load(r.bias + block * channelBlock + lane)
  let weights =
    r.weights + block * r.weightBlockStride + r.firstRow * (r.kernelWidth * channelBlock) + lane
  for index in 0..<r.rowCount {
    let input = r.rows[index] + block * r.inputBlockStride + lane
    for k in 0..<r.kernelWidth {
      let column = x * r.stride - r.padLeft + k * r.dilation
      if column >= 0 && column < r.inputWidth {
        sum = sum.adding(
          product: V.load(input + column * channelBlock),
          V.load(weights + (index * r.kernelWidth + k) * channelBlock))
      }
    }
  }
  finishPixel(
    row, block, lane, sum, r.output + block * r.outputBlockStride + x * channelBlock + lane)
}

@inline(__always)
private func finishPixel<V: FloatVector>(
  _ row: UnsafePointer<DepthwiseRow>, _ block: Int, _ lane: Int, _ sum: V,
  _ target: UnsafeMutablePointer<Float>
) {
  switch row.pointee.epilogue.kind {
  case Epilogue.clamp:
    sum.clamped(
      .broadcast(row.pointee.epilogue.low), .broadcast(row.pointee.epilogue.high)
    ).store(target)
  case Epilogue.prelu:
    sum.prelu(V.load(row.pointee.epilogue.alpha + block * channelBlock + lane)).store(target)
  default: sum.store(target)
  }
}
