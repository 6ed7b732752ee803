import MicrokernelInterface

/// One output row of a depthwise convolution, block by block.
@inline(never)
public func f32_depthwise_row(_ arguments: UnsafePointer<DepthwiseRowArguments>) {
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
          row.strip(block, lane, NarrowPixels.self, HalfVector.self)
        } else {
          row.strip(block, lane, BlockedPixels.self, HalfVector.self)
        }
        lane += HalfVector.lanes
      }
      if row.clearsPadding && !isNarrow { row.clearUpperHalves(block) }
    } else {
      var lane = 0
      while lane < channelBlock {
        row.strip(block, lane, BlockedPixels.self, Vector.self)
        lane += Vector.lanes
      }
    }
    block += 1
    left -= channelBlock
  }
}

/// A number as a type, so that each value gets code of its own: as an argument the compiler shares one copy
/// among several, which then computes addresses at run time (palm detection took a quarter longer so).
private protocol Constant {
  static var value: Int { get }
}

private enum Stride1: Constant {
  @inline(__always) static var value: Int { 1 }
}

private enum Stride2: Constant {
  @inline(__always) static var value: Int { 2 }
}

/// Floats from one pixel to the next in rows of at most eight channels.
private enum NarrowPixels: Constant {
  @inline(__always) static var value: Int { 8 }
}

/// Floats from one pixel to the next in blocked maps.
private enum BlockedPixels: Constant {
  @inline(__always) static var value: Int { 16 }
}

/// The constants of a window: its stride, and the floats from one pixel to the next. Its width is the number
/// of registers that hold a kernel row's weights.
private enum Window<Weights: Registers, Stride: Constant, Pixels: Constant>
where Weights.Element: FloatVector {
  @inline(__always)
  static var stride: Int { Stride.value }
  @inline(__always)
  static var pixelStride: Int { Pixels.value }
  /// The padding of a row as SAME pads it where the input is `stride` times as wide as the output.
  @inline(__always)
  static var padding: Int { (Weights.count - stride) / 2 }
}

extension DepthwiseRowArguments {
  fileprivate func clearUpperHalves(_ block: Int) {
    let upper = output + block * outputBlockStride + channelBlock / 2
    for x in 0..<pixels {
      var lane = 0
      while lane < channelBlock / 2 {
        HalfVector.zeros.store(upper + x * channelBlock + lane)
        lane += HalfVector.lanes
      }
    }
  }

  /// The lanes of one register, along the whole row.
  @inline(__always)
  fileprivate func strip<Register: FloatVector, Pixels: Constant>(
    _ block: Int, _ lane: Int, _: Pixels.Type, _: Register.Type
  ) {
    if dilation == 1 {
      switch (kernelWidth, stride) {
      case (3, 1):
        windows(block, lane, Window<Three<Register>, Stride1, Pixels>.self)
        return
      case (3, 2):
        windows(block, lane, Window<Three<Register>, Stride2, Pixels>.self)
        return
      case (5, 1):
        windows(block, lane, Window<Five<Register>, Stride1, Pixels>.self)
        return
      case (5, 2):
        windows(block, lane, Window<Five<Register>, Stride2, Pixels>.self)
        return
      default: break
      }
    }
    for x in 0..<pixels { pixel(block, lane, x, Pixels.value, Register.self) }
  }

  /// A row whose window is known.
  @inline(__always)
  private func windows<Weights: Registers, Stride: Constant, Pixels: Constant>(
    _ block: Int, _ lane: Int, _ window: Window<Weights, Stride, Pixels>.Type
  ) where Weights.Element: FloatVector {
    if padLeft == window.padding && inputWidth == pixels * window.stride {
      // A tile that ends nearer to the row's end than this has columns beyond it.
      let reach = Weights.count / 2
      if pixels >= 8 + reach { return wideRow(block, lane, reach, window) }
      switch pixels {
      case 8: return tile(block, lane, 0, window, Eight.self, skips: (left: true, right: true))
      case 4: return tile(block, lane, 0, window, Four.self, skips: (left: true, right: true))
      case 2: return tile(block, lane, 0, window, Two.self, skips: (left: true, right: true))
      default: break
      }
    }
    anyRow(block, lane, window)
  }

  /// A row padded on both sides, in tiles of eight pixels: the first and the last leave out the columns
  /// beyond the row's ends. Tiles overlap where the width is no multiple of eight.
  @inline(__always)
  private func wideRow<Weights: Registers, Stride: Constant, Pixels: Constant>(
    _ block: Int, _ lane: Int, _ reach: Int, _ window: Window<Weights, Stride, Pixels>.Type
  ) where Weights.Element: FloatVector {
    tile(block, lane, 0, window, Eight.self, skips: (left: true, right: false))
    var x = 8
    while x + 8 < pixels {
      let inside = pixels - 8 - reach
      let start = x < inside ? x : inside
      tile(block, lane, start, window, Eight.self, skips: (left: false, right: false))
      x += 8
    }
    tile(block, lane, pixels - 8, window, Eight.self, skips: (left: false, right: true))
  }

  /// A row of any width and padding: borders pixel by pixel, the inside in tiles.
  @inline(__always)
  private func anyRow<Weights: Registers, Stride: Constant, Pixels: Constant>(
    _ block: Int, _ lane: Int, _ window: Window<Weights, Stride, Pixels>.Type
  ) where Weights.Element: FloatVector {
    // The outputs whose window lies inside the row.
    let padded = (padLeft + stride - 1) / stride
    let first = padded < pixels ? padded : pixels
    let lastStart = inputWidth - kernelWidth + padLeft
    let fitting = lastStart < 0 ? 0 : lastStart / stride + 1
    let end = fitting < pixels ? fitting : pixels

    var x = 0
    while x < first {
      pixel(block, lane, x, window.pixelStride, Weights.Element.self)
      x += 1
    }
    // Eight sums hide the latency of the multiply–add; narrower maps end with four or one.
    while x + 8 <= end {
      tile(block, lane, x, window, Eight.self, skips: (left: false, right: false))
      x += 8
    }
    while x + 4 <= end {
      tile(block, lane, x, window, Four.self, skips: (left: false, right: false))
      x += 4
    }
    while x < pixels {
      pixel(block, lane, x, window.pixelStride, Weights.Element.self)
      x += 1
    }
  }

  /// Neighbouring outputs: every input column is loaded once and used by each output it touches.
  ///
  /// - `skips`: whether the row ends on that side of the tile, so that columns beyond are left out; only for
  ///   rows padded as ``Window/padding`` says.
  @inline(__always)
  private func tile<
    Sums: Registers, Weights: Registers, Stride: Constant, Pixels: Constant
  >(
    _ block: Int, _ lane: Int, _ x: Int, _ window: Window<Weights, Stride, Pixels>.Type,
    _: Sums.Type, skips: (left: Bool, right: Bool)
  ) where Sums.Element == Weights.Element, Sums.Element: FloatVector {
    let (stride, pixelStride) = (window.stride, window.pixelStride)
    let bias = Sums.Element.load(self.bias + block * channelBlock + lane)
    var sums = Sums { _ in bias }
    let offset = block * inputBlockStride + (x * stride - padLeft) * pixelStride + lane
    let rowWeights = Weights.count * channelBlock
    let weights = self.weights + block * weightBlockStride + firstRow * rowWeights + lane
    for index in 0..<rowCount {
      let input = rows[index] + offset
      let row = Weights { k in .load(weights + (index * rowWeights + k * channelBlock)) }
      // Neighbouring windows overlap; the compiler loads each column once.
      sums.update { m, sum in
        row.forEach { k, weight in
          let column = m * stride + k - window.padding
          let isSkipped = skips.left && column < 0 || skips.right && column >= Sums.count * stride
          if !isSkipped {
            sum = sum.adding(product: .load(input + (m * stride + k) * pixelStride), weight)
          }
        }
      }
    }
    finish(block, lane, &sums)
    let output = self.output + block * outputBlockStride + x * pixelStride + lane
    sums.forEach { m, sum in sum.store(output + m * pixelStride) }
  }

  /// One output, any window, any stride, any dilation; taps outside the row are left out.
  @inline(__always)
  private func pixel<Register: FloatVector>(
    _ block: Int, _ lane: Int, _ x: Int, _ pixelStride: Int, _: Register.Type
  ) {
    var sums = One { _ in Register.load(bias + block * channelBlock + lane) }
    let weights =
      self.weights + block * weightBlockStride + firstRow * (kernelWidth * channelBlock) + lane
    for index in 0..<rowCount {
      let input = rows[index] + block * inputBlockStride + lane
      for k in 0..<kernelWidth {
        let column = x * stride - padLeft + k * dilation
        if column >= 0 && column < inputWidth {
          let weight = Register.load(weights + (index * kernelWidth + k) * channelBlock)
          sums.update { _, sum in
            sum = sum.adding(product: .load(input + column * pixelStride), weight)
          }
        }
      }
    }
    finish(block, lane, &sums)
    let output = self.output + block * outputBlockStride + x * pixelStride + lane
    sums.forEach { _, sum in sum.store(output) }
  }

  @inline(__always)
  private func finish<Sums: Registers>(_ block: Int, _ lane: Int, _ sums: inout Sums)
  where Sums.Element: FloatVector {
    switch epilogue {
    case .none: break
    case .clamp(let low, let high):
      let (low, high) = (Sums.Element.broadcast(low), Sums.Element.broadcast(high))
      sums.update { _, sum in sum = sum.clamped(low, high) }
    case .prelu:
      let slope = Sums.Element.load(slopes + block * channelBlock + lane)
      sums.update { _, sum in sum = sum.prelu(slope) }
    }
  }
}
