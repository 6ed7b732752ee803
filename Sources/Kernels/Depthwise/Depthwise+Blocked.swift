import FaceKitTensor

/// Depthwise conv2d on blocked maps, one output row at a time. Channel multiplier 1.
public struct BlockedDepthwise: Sendable {
  public let input: BlockedMap
  public let output: BlockedMap
  public let window: WindowGrid
  let epilogue: Epilogue
  let kernel: Microkernels.Kernel<DepthwiseRowArguments>
  // Written in `init` and never again: `[block][tap][16]` weights, then bias, then slopes.
  private let storage: Storage
  private let biasOffset: Int

  /// Packs the weights.
  ///
  /// - `weights`: `[kernelHeight][kernelWidth][channels]`, as TFLite's 1HWC is.
  /// - `bias`, `slopes`: one for each channel; `nil` for zeros. Slopes are those of `Epilogue.prelu`.
  public init(
    channels: Int, window: WindowGrid,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?, slopes: UnsafePointer<Float>?,
    epilogue: Epilogue, isa: InstructionSet
  ) {
    input = BlockedMap(
      height: window.inputHeight, width: window.inputWidth, channels: channels)
    output = BlockedMap(
      height: window.outputHeight, width: window.outputWidth, channels: channels)
    self.window = window
    self.epilogue = epilogue
    kernel = Microkernels.running(isa).depthwise
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
      if let slopes { floats[biasOffset + padded + channel] = slopes[channel] }
    }
  }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    output.height * output.width * output.channels * window.kernelHeight * window.kernelWidth
  }

  /// Working memory of one thread: the addresses of the input's rows, and of those under the window.
  public var scratchBytes: Int {
    (input.height + window.kernelHeight) * MemoryLayout<UnsafePointer<Float>>.stride
  }

  /// Computes output rows `rows` of whole maps.
  public func run(
    rows: Range<Int>, from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer
  ) {
    var call = makeCall(scratch: scratch)
    call.locate(inputRows(rows), in: source, rowStride: input.rowStride)
    let outputStride = output.rowStride
    for y in rows { row(y, &call, to: target + y &* outputStride) }
  }

  /// The input rows that output rows `rows` need.
  func inputRows(_ rows: Range<Int>) -> Range<Int> {
    let first = max(0, rows.lowerBound &* window.strideHeight &- window.paddingTop)
    let last = window.inputRow(outputRow: rows.upperBound &- 1, kernelRow: window.kernelHeight &- 1)
    return first..<max(first, min(input.height, last &+ 1))
  }

  /// What stays the same from row to row.
  ///
  /// - `pixelStride`: floats from one pixel to the next; 8 for narrow rows of at most eight channels.
  func makeCall(
    pixelStride: Int = channelBlock, clearsPadding: Bool = true, scratch: UnsafeMutableRawPointer
  ) -> RowCall {
    let addresses = scratch.assumingMemoryBound(to: UnsafePointer<Float>.self)
    let floats = UnsafePointer(storage.base.assumingMemoryBound(to: Float.self))
    let arguments = DepthwiseRowArguments(
      rows: UnsafePointer(addresses), rowCount: 0, firstRow: 0, kernelWidth: window.kernelWidth,
      stride: window.strideWidth, dilation: window.dilationWidth, padLeft: window.paddingLeft,
      inputWidth: input.width, pixelStride: pixelStride, inputBlockStride: input.blockStride,
      channels: input.channels, weights: floats,
      weightBlockStride: window.kernelHeight * window.kernelWidth * channelBlock,
      bias: floats + biasOffset, output: UnsafeMutablePointer(mutating: floats),
      outputBlockStride: output.blockStride, pixels: output.width,
      epilogue: epilogue, slopes: floats + biasOffset + input.blocks * channelBlock,
      clearsPadding: clearsPadding)
    return RowCall(
      arguments: arguments, addresses: addresses, gathered: addresses + input.height)
  }

  /// The kernel's arguments while rows are computed one after the other.
  struct RowCall {
    var arguments: DepthwiseRowArguments
    /// Where each row of the input is, of those that are needed: in a map or in a ring.
    let addresses: UnsafeMutablePointer<UnsafePointer<Float>>
    /// The rows under a dilated window.
    let gathered: UnsafeMutablePointer<UnsafePointer<Float>>

    func locate(_ rows: Range<Int>, in map: UnsafePointer<Float>, rowStride: Int) {
      for row in rows { addresses[row] = map + row * rowStride }
    }
  }

  /// One output row.
  @inline(__always)
  func row(_ y: Int, _ call: inout RowCall, to target: UnsafeMutablePointer<Float>) {
    let kernelRows = window.kernelRows(outputRow: y)
    let first = window.inputRow(outputRow: y, kernelRow: kernelRows.lowerBound)
    call.arguments.rowCount = kernelRows.count
    call.arguments.firstRow = kernelRows.lowerBound
    if window.dilationHeight == 1 || kernelRows.count < 2 {
      call.arguments.rows = UnsafePointer(call.addresses + max(first, 0))
    } else {
      for k in 0..<kernelRows.count {
        call.gathered[k] = call.addresses[first &+ k &* window.dilationHeight]
      }
      call.arguments.rows = UnsafePointer(call.gathered)
    }
    call.arguments.output = target
    kernel(&call.arguments)
  }
}
