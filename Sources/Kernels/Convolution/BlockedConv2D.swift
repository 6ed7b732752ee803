import Tensor

/// Where a convolution's input comes from.
public enum ConvInput: Sendable, Hashable {
  /// `[height][width][channels]`, as a picture arrives: the taps of a kernel row are contiguous.
  case rowMajor
  case blocked
}

/// conv2d with blocked output, one output row at a time.
public struct BlockedConv2D: Sendable {
  public let input: BlockedMap
  public let output: BlockedMap
  public let window: WindowGrid
  let layout: ConvInput
  let packed: PackedWeights
  let activation: PostActivation
  let kernel: @Sendable (UnsafePointer<ConvRow>) -> Void

  /// Packs the weights.
  ///
  /// - `weights`: OHWI, dense.
  /// - `bias`, `alpha`: one for each output channel; `nil` for zeros.
  public init(
    channels: (input: Int, output: Int), window: WindowGrid, layout: ConvInput,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?, alpha: UnsafePointer<Float>?,
    activation: PostActivation, isa: InstructionSet
  ) {
    input = BlockedMap(
      height: window.inputHeight, width: window.inputWidth, channels: channels.input)
    output = BlockedMap(
      height: window.outputHeight, width: window.outputWidth, channels: channels.output)
    self.window = window
    self.layout = layout
    self.activation = activation
    packed = PackedWeights(
      weights: weights, outputs: output.channels,
      rows: window.kernelHeight * window.kernelWidth * input.channels, bias: bias, alpha: alpha,
      isa: isa)
    kernel = Microkernels.running(isa).convRow
  }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    output.height * output.width * output.channels * input.channels
      * window.kernelHeight * window.kernelWidth
  }

  /// Working memory of one thread: the tap list.
  public var scratchBytes: Int {
    window.kernelHeight * window.kernelWidth * MemoryLayout<ConvTap>.stride
  }

  private var inputRowStride: Int {
    layout == .rowMajor ? input.width * input.channels : input.rowStride
  }

  /// Computes output rows `rows`.
  ///
  /// - `source`, `target`: the whole maps.
  /// - `residual`: a map of the output's height and width, added before the activation; may be
  ///   `target` itself, and may have fewer channels.
  /// - `scratch`: ``scratchBytes`` of this thread's own.
  public func run(
    rows: Range<Int>, from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    residual: (map: BlockedMap, data: UnsafePointer<Float>)? = nil,
    scratch: UnsafeMutableRawPointer
  ) {
    for y in rows {
      row(
        y, inputRow: { source + $0 * inputRowStride }, to: target + y * output.rowStride,
        residual: residual.map { ($0.map, $0.data + y * $0.map.rowStride) }, scratch: scratch)
    }
  }

  /// One output row; `inputRow` gives the address of an input row, which lets rows live in a ring.
  @inline(__always)
  func row(
    _ y: Int, inputRow: (Int) -> UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    residual: (map: BlockedMap, row: UnsafePointer<Float>)?, scratch: UnsafeMutableRawPointer,
    clearsPadding: Bool = true
  ) {
    let taps = scratch.assumingMemoryBound(to: ConvTap.self)
    let pixelFloats = layout == .rowMajor ? input.channels : channelBlock
    var call = ConvRow(
      taps: UnsafePointer(taps), tapCount: 0, channels: input.channels,
      inputBlockStride: layout == .rowMajor ? channelBlock : input.blockStride,
      inputPixelStride: window.strideWidth * pixelFloats, panels: packed.panels,
      panelCount: packed.panelCount, bias: packed.bias, output: target,
      outputBlockStride: output.blockStride, pixels: 0,
      epilogue: activation.epilogue(alpha: packed.alpha), clearsPadding: clearsPadding)
    if let residual {
      call.residual = residual.row
      call.residualBlockStride = residual.map.blockStride
      call.residualBlocks = residual.map.blocks
    }
    let kernelRows = window.kernelRows(outputRow: y)
    let inside = window.insideColumns
    // Inside, one call covers all pixels. In a row-major map a kernel row is one contiguous tap.
    let contiguous = layout == .rowMajor && window.dilationWidth == 1
    let columns = contiguous ? 1 : window.kernelWidth
    var count = 0
    for k in kernelRows {
      let base = inputRow(window.inputRow(outputRow: y, kernelRow: k))
      for column in 0..<columns {
        let x =
          inside.lowerBound * window.strideWidth - window.paddingLeft + column
          * window.dilationWidth
        taps[count] = ConvTap(
          input: base + x * pixelFloats,
          firstRow: (k * window.kernelWidth + column) * input.channels)
        count += 1
      }
    }
    call.tapCount = count
    if contiguous { call.channels = window.kernelWidth * input.channels }
    compute(&call, inside, target, residual?.row)

    // At the borders each pixel has its own list of taps.
    call.channels = input.channels
    for x in 0..<output.width where !inside.contains(x) {
      count = 0
      for k in kernelRows {
        let base = inputRow(window.inputRow(outputRow: y, kernelRow: k))
        for column in 0..<window.kernelWidth {
          let position = x * window.strideWidth - window.paddingLeft + column * window.dilationWidth
          if position < 0 || position >= input.width { continue }
          taps[count] = ConvTap(
            input: base + position * pixelFloats,
            firstRow: (k * window.kernelWidth + column) * input.channels)
          count += 1
        }
      }
      call.tapCount = count
      compute(&call, x..<(x + 1), target, residual?.row)
    }
  }

  @inline(__always)
  private func compute(
    _ call: inout ConvRow, _ columns: Range<Int>, _ target: UnsafeMutablePointer<Float>,
    _ residual: UnsafePointer<Float>?
  ) {
    if columns.isEmpty { return }
    call.pixels = columns.count
    call.output = target + columns.lowerBound * channelBlock
    if let residual { call.residual = residual + columns.lowerBound * channelBlock }
    kernel(&call)
  }
}
