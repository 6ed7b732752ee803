/// Max pooling on blocked maps, one output row at a time.
public struct BlockedPool: Sendable {
  public let input: BlockedMap
  public let output: BlockedMap
  public let window: WindowGrid
  let bounds: ClosedRange<Float>
  let kernel: Microkernels.Kernel<MaxPoolRowArguments>

  public init(channels: Int, window: WindowGrid, bounds: ClosedRange<Float>, isa: InstructionSet) {
    input = BlockedMap(
      height: window.inputHeight, width: window.inputWidth, channels: channels)
    output = BlockedMap(
      height: window.outputHeight, width: window.outputWidth, channels: channels)
    self.window = window
    self.bounds = bounds
    kernel = Microkernels.running(isa).maxPool
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
    let list = scratch.assumingMemoryBound(to: UnsafePointer<Float>.self)
    for y in rows {
      var count = 0
      for k in window.kernelRows(outputRow: y) {
        list[count] = source + window.inputRow(outputRow: y, kernelRow: k) * input.rowStride
        count += 1
      }
      var call = MaxPoolRowArguments(
        rows: UnsafePointer(list), rowCount: count, kernelWidth: window.kernelWidth,
        stride: window.strideWidth, padLeft: window.paddingLeft, inputWidth: input.width,
        inputBlockStride: input.blockStride, blocks: input.blocks,
        output: target + y * output.rowStride, outputBlockStride: output.blockStride,
        pixels: output.width, low: bounds.lowerBound, high: bounds.upperBound)
      kernel(&call)
    }
  }
}
