import MicrokernelInterface

// One row of a convolution as a matrix product: panels outside, pixel tiles inside, so that a panel stays in
// the first-level cache while the row's pixels pass by. Here are the loops; which tiles an instruction set
// has, named for their pixels by output channels, is in the files beside this one.

/// How a kernel reads its packed weights.
protocol WeightReader {
  associatedtype Register: FloatVector
  /// Bytes of a weight.
  static var size: Int { get }
  static func load(_ address: UnsafeRawPointer) -> Register
}

/// Single-precision weights.
protocol FloatWeightReader: WeightReader {}

extension FloatWeightReader {
  @inline(__always)
  static var size: Int { 4 }
  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> Register {
    .load(address.assumingMemoryBound(to: Float.self))
  }
}

enum FloatWeights: FloatWeightReader { typealias Register = Vector }
/// For panels of half a block.
enum NarrowFloatWeights: FloatWeightReader { typealias Register = HalfVector }

/// Half-precision weights, widened as they are loaded: half the memory to read.
protocol HalfWeightReader: WeightReader where Register: HalfLoadingVector {}

extension HalfWeightReader {
  @inline(__always)
  static var size: Int { 2 }
  @inline(__always)
  static func load(_ address: UnsafeRawPointer) -> Register {
    .load(half: address.assumingMemoryBound(to: UInt16.self))
  }
}

#if !ISA_BASELINE
  enum HalfWeights: HalfWeightReader { typealias Register = Vector }
  /// For panels of half a block.
  enum NarrowHalfWeights: HalfWeightReader { typealias Register = HalfVector }
#endif

/// Calls `body` with the arguments of each panel: `Columns` registers wide, weights read as `Weights` does.
@inline(__always)
func forEachPanel<Columns: Registers, Weights: WeightReader>(
  _ arguments: UnsafePointer<Conv2DRowArguments>, _: Columns.Type, _: Weights.Type,
  _ body: (Conv2DRowArguments) -> Void
) where Columns.Element == Weights.Register {
  // A copy: stores through pointers cannot change it, so its fields stay in registers.
  var row = arguments.pointee
  let width = Columns.count * Weights.Register.lanes
  // Weights packed for another tile would give wrong numbers.
  if row.panelWidth != width { fatalError("a kernel for panels of another width") }
  for _ in 0..<row.panelCount {
    body(row)
    row.weights += row.panelRows * width * Weights.size
    row.firstChannel += width
  }
}

extension Conv2DRowArguments {
  /// Covers the row from pixel `start` with whole tiles; returns the first pixel left.
  ///
  /// - `strides`: floats from one input pixel and one output pixel to the next. As constants, they make
  ///   addresses constant displacements. No tile is computed where the row's input stride is another one.
  @inline(__always)
  func tiles<Tile: Registers, Weights: WeightReader>(
    from start: Int, _ tile: Tile.Type, _ weights: Weights.Type,
    strides: (input: Int, output: Int) = (channelBlock, channelBlock)
  ) -> Int where Tile.Element: Registers, Tile.Element.Element == Weights.Register {
    var x = start
    if inputPixelStride != strides.input { return x }
    while x + Tile.count <= pixels {
      compute(x, tile, weights, strides)
      x += Tile.count
    }
    return x
  }

  /// As ``tiles``, but the row's last pixels are computed as a whole tile that overlaps the one before.
  /// Worth it where a narrower tile waits for its few sums; not where a residual would be added twice.
  @inline(__always)
  func tilesToTheEnd<Tile: Registers, Weights: WeightReader>(
    from start: Int, _ tile: Tile.Type, _ weights: Weights.Type,
    strides: (input: Int, output: Int) = (channelBlock, channelBlock)
  ) -> Int where Tile.Element: Registers, Tile.Element.Element == Weights.Register {
    let x = tiles(from: start, tile, weights, strides: strides)
    if x == start || pixels - x < 2 || residual != nil { return x }
    compute(pixels - Tile.count, tile, weights, strides)
    return pixels
  }

  /// One tile, from pixel `x` on.
  @inline(__always)
  private func compute<Tile: Registers, Weights: WeightReader>(
    _ x: Int, _: Tile.Type, _: Weights.Type, _ strides: (input: Int, output: Int)
  ) where Tile.Element: Registers, Tile.Element.Element == Weights.Register {
    let lanes = Weights.Register.lanes
    let rowBytes = Tile.Element.count * lanes * Weights.size
    let bias = Tile.Element { n in .load(self.bias + firstChannel + n * lanes) }
    var sums = Tile { _ in bias }
    for tap in 0..<tapCount {
      let source = taps[tap]
      var input = source.input + x * strides.input
      var weights = self.weights + source.firstRow * rowBytes
      var left = channels
      while left >= channelBlock {
        for k in 0..<channelBlock {
          accumulate(&sums, input + k, strides.input, weights + k * rowBytes, Weights.self)
        }
        input += inputBlockStride
        weights += channelBlock * rowBytes
        left -= channelBlock
      }
      for k in 0..<left {
        accumulate(&sums, input + k, strides.input, weights + k * rowBytes, Weights.self)
      }
    }
    finish(x, &sums, strides.output)
  }

  /// Tiles of a 1×1 convolution with sixteen input channels: all weights stay in registers, and every load
  /// left is a broadcast folded into its multiply–add.
  @inline(__always)
  func tilesOfSixteenChannels<Tile: Registers, Register: FloatVector>(
    from start: Int, _: Tile.Type, strides: (input: Int, output: Int)
  ) -> Int where Tile.Element == One<Register> {
    var x = start
    if inputPixelStride != strides.input || channels != 16 || tapCount != 1 { return x }
    let weights = self.weights.assumingMemoryBound(to: Float.self)
    let low = Eight<Register> { k in .load(weights + k * Register.lanes) }
    let high = Eight<Register> { k in .load(weights + (8 + k) * Register.lanes) }
    let bias = Register.load(self.bias + firstChannel)
    let input = taps[0].input
    while x + Tile.count <= pixels {
      var sums = Tile { _ in One { _ in bias } }
      let source = input + x * strides.input
      low.forEach { k, weight in accumulateColumn(&sums, source + k, strides.input, weight) }
      high.forEach { k, weight in accumulateColumn(&sums, source + 8 + k, strides.input, weight) }
      finish(x, &sums, strides.output)
      x += Tile.count
    }
    return x
  }

  /// Residual, epilogue, store.
  @inline(__always)
  private func finish<Tile: Registers>(_ x: Int, _ sums: inout Tile, _ outputStride: Int)
  where Tile.Element: Registers, Tile.Element.Element: FloatVector {
    typealias Register = Tile.Element.Element
    let firstBlock = firstChannel / channelBlock
    if let residual { add(residual + x * channelBlock, firstBlock, &sums) }
    switch epilogue {
    case .none: break
    case .clamp(let low, let high):
      let (low, high) = (Register.broadcast(low), Register.broadcast(high))
      sums.update { _, pixel in pixel.update { _, sum in sum = sum.clamped(low, high) } }
    case .prelu:
      let slopes = Tile.Element { n in .load(self.slopes + firstChannel + n * Register.lanes) }
      sums.update { _, pixel in
        pixel.update(with: slopes) { sum, slope in sum = sum.prelu(slope) }
      }
    }
    let output = self.output + (firstBlock * outputBlockStride + x * outputStride)
    sums.forEach { m, pixel in
      pixel.forEach { n, sum in
        let (block, lane) = (n * Register.lanes / channelBlock, n * Register.lanes % channelBlock)
        sum.store(output + (block * outputBlockStride + m * outputStride + lane))
      }
    }
    // Padding lanes stay zero: others add them, pool them and pad with them.
    let isHalfBlock = Tile.Element.count * Register.lanes == channelBlock / 2
    if isHalfBlock && outputStride == channelBlock && clearsPadding {
      let upper = output + channelBlock / 2
      sums.forEach { m, pixel in
        pixel.forEach { n, _ in
          Register.zeros.store(upper + m * channelBlock + n * Register.lanes)
        }
      }
    }
  }

  @inline(__always)
  private func add<Tile: Registers>(
    _ residual: UnsafePointer<Float>, _ firstBlock: Int, _ sums: inout Tile
  ) where Tile.Element: Registers, Tile.Element.Element: FloatVector {
    let lanes = Tile.Element.Element.lanes
    let residual = residual + firstBlock * residualBlockStride
    // The residual may have fewer channels.
    let blocks = residualBlocks - firstBlock
    sums.update { m, pixel in
      pixel.update { n, sum in
        let (block, lane) = (n * lanes / channelBlock, n * lanes % channelBlock)
        if block < blocks {
          sum = sum + .load(residual + (block * residualBlockStride + m * channelBlock + lane))
        }
      }
    }
  }
}

/// One input channel: a row of weights times each pixel, broadcast.
@inline(__always)
private func accumulate<Tile: Registers, Weights: WeightReader>(
  _ sums: inout Tile, _ input: UnsafePointer<Float>, _ pixelStride: Int,
  _ weights: UnsafeRawPointer, _: Weights.Type
) where Tile.Element: Registers, Tile.Element.Element == Weights.Register {
  let row = Tile.Element { n in Weights.load(weights + n * Weights.Register.lanes * Weights.size) }
  sums.update { m, pixel in
    let value = Weights.Register.broadcast(input[m * pixelStride])
    pixel.update(with: row) { sum, weight in sum = sum.adding(product: value, weight) }
  }
}

/// One input channel of a tile of one column.
@inline(__always)
private func accumulateColumn<Tile: Registers, Register: FloatVector>(
  _ sums: inout Tile, _ input: UnsafePointer<Float>, _ pixelStride: Int, _ weight: Register
) where Tile.Element == One<Register> {
  sums.update { m, pixel in
    pixel.update { _, sum in
      sum = sum.adding(product: .broadcast(input[m * pixelStride]), weight)
    }
  }
}
