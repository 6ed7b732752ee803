import MicrokernelInterface

/// One output row of max pooling.
@inline(never)
public func f32_max_pool_row(_ arguments: UnsafePointer<MaxPoolRowArguments>) {
  let p = arguments.pointee
  let low = Vector.broadcast(p.low)
  let high = Vector.broadcast(p.high)
  // The usual window: 2×2, and no pixel's leaves the row.
  if p.rowCount == 2 && p.kernelWidth == 2 && p.padLeft == 0
    && (p.pixels - 1) * p.stride + 2 <= p.inputWidth
  {
    for block in 0..<p.blocks {
      let top = p.rows[0] + block * p.inputBlockStride
      let bottom = p.rows[1] + block * p.inputBlockStride
      let output = p.output + block * p.outputBlockStride
      for x in 0..<p.pixels {
        var lane = 0
        while lane < channelBlock {
          let place = x * p.stride * channelBlock + lane
          let upper = Vector.maximum(.load(top + place), .load(top + place + channelBlock))
          let lower = Vector.maximum(.load(bottom + place), .load(bottom + place + channelBlock))
          Vector.maximum(upper, lower).clamped(low, high).store(output + x * channelBlock + lane)
          lane += Vector.lanes
        }
      }
    }
    return
  }
  for block in 0..<p.blocks {
    for x in 0..<p.pixels {
      let start = x * p.stride - p.padLeft
      let first = start < 0 ? 0 : start
      let end = start + p.kernelWidth > p.inputWidth ? p.inputWidth : start + p.kernelWidth
      var lane = 0
      while lane < channelBlock {
        var best = Vector.broadcast(-Float.greatestFiniteMagnitude)
        for index in 0..<p.rowCount {
          let input = p.rows[index] + block * p.inputBlockStride + lane
          for column in first..<end {
            best = Vector.maximum(best, Vector.load(input + column * channelBlock))
          }
        }
        best.clamped(low, high).store(
          p.output + block * p.outputBlockStride + x * channelBlock + lane)
        lane += Vector.lanes
      }
    }
  }
}
