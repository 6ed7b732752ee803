import Tensor

/// Depthwise conv2d on blocked maps, one output row at a time. Channel multiplier 1.
public struct BlockedDepthwise: Sendable {
  public let input: BlockedMap
  public let output: BlockedMap
  public let window: WindowGrid
  let activation: PostActivation
  let kernel: @Sendable (UnsafePointer<DepthwiseRow>) -> Void
  // Written in `init` and never again: `[block][tap][16]` weights, then bias, then slopes.
  private let storage: Storage
  private let biasOffset: Int

  /// Packs the weights.
  ///
  /// - `weights`: `[kernelHeight][kernelWidth][channels]`, as TFLite's 1HWC is.
  /// - `bias`, `alpha`: one for each channel; `nil` for zeros.
  public init(
    channels: Int, window: WindowGrid,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?, alpha: UnsafePointer<Float>?,
    activation: PostActivation, isa: InstructionSet
  ) {
    input = BlockedMap(
      height: window.inputHeight, width: window.inputWidth, channels: channels)
    output = BlockedMap(
      height: window.outputHeight, width: window.outputWidth, channels: channels)
    self.window = window
    self.activation = activation
    kernel = Microkernels.running(isa).depthwiseRow
    let taps = window.kernelHeight * window.kernelWidth
    let padded = input.blocks * channelBlock
    biasOffset = taps * padded
    storage = Storage(count: (taps + 2) * padded * 4)
    let floats = storage.base.assumingMemoryBound(to: Float.self)
    for channel in 0..<input.channels {
      let block = channel / channelBlock
      let lane = channel % channelBlock
      for tap in 0..<taps {
        floats[(block * taps + tap) * channelBlock + lane] =
          weights[tap * input.channels + channel]
      }
      if let bias { floats[biasOffset + channel] = bias[channel] }
      if let alpha { floats[biasOffset + padded + channel] = alpha[channel] }
    }
  }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    output.height * output.width * output.channels * window.kernelHeight * window.kernelWidth
  }

  /// Working memory of one thread: the list of row addresses.
  public var scratchBytes: Int {
    window.kernelHeight * MemoryLayout<UnsafePointer<Float>>.stride
  }

  /// Computes output rows `rows` of whole maps.
  public func run(
    rows: Range<Int>, from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer
  ) {
    for y in rows {
      row(
        y, inputRow: { source + $0 * input.rowStride }, to: target + y * output.rowStride,
        scratch: scratch)
    }
  }

  /// One output row; `inputRow` gives the address of an input row, which lets rows live in a ring.
  @inline(__always)
  func row(
    _ y: Int, inputRow: (Int) -> UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, clearsPadding: Bool = true
  ) {
    let rows = scratch.assumingMemoryBound(to: UnsafePointer<Float>.self)
    let kernelRows = window.kernelRows(outputRow: y)
    var count = 0
    for k in kernelRows {
      rows[count] = inputRow(window.inputRow(outputRow: y, kernelRow: k))
      count += 1
    }
    let floats = UnsafePointer(storage.base.assumingMemoryBound(to: Float.self))
    var call = DepthwiseRow(
      rows: UnsafePointer(rows), rowCount: count, firstRow: kernelRows.lowerBound,
      kernelWidth: window.kernelWidth, stride: window.strideWidth,
      dilation: window.dilationWidth, padLeft: window.paddingLeft, inputWidth: input.width,
      inputBlockStride: input.blockStride, channels: input.channels, weights: floats,
      weightBlockStride: window.kernelHeight * window.kernelWidth * channelBlock,
      bias: floats + biasOffset, output: target, outputBlockStride: output.blockStride,
      pixels: output.width,
      epilogue: activation.epilogue(alpha: floats + biasOffset + input.blocks * channelBlock),
      clearsPadding: clearsPadding)
    kernel(&call)
  }
}
