import FaceKitTensor

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
  let epilogue: Epilogue
  /// The output columns whose whole window lies inside a row.
  private let inside: Range<Int>
  private let isPointwise: Bool

  /// Packs the weights.
  ///
  /// - `weights`: OHWI, dense.
  /// - `bias`, `slopes`: one for each output channel; `nil` for zeros. Slopes are those of `Epilogue.prelu`.
  public init(
    channels: (input: Int, output: Int), window: WindowGrid, layout: ConvInput,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?, slopes: UnsafePointer<Float>?,
    epilogue: Epilogue, isa: InstructionSet
  ) {
    input = BlockedMap(
      height: window.inputHeight, width: window.inputWidth, channels: channels.input)
    output = BlockedMap(
      height: window.outputHeight, width: window.outputWidth, channels: channels.output)
    self.window = window
    self.layout = layout
    self.epilogue = epilogue
    packed = PackedWeights(
      weights: weights, outputs: output.channels,
      rows: window.kernelHeight * window.kernelWidth * input.channels, bias: bias,
      slopes: slopes,
      uses: window.outputHeight * window.outputWidth, isa: isa)
    inside = window.insideColumns
    isPointwise = window.isPointwise
  }

  /// Multiply–accumulates of one image.
  public var multiplyAccumulates: Int {
    output.height * output.width * output.channels * input.channels
      * window.kernelHeight * window.kernelWidth
  }

  /// Memory the packed weights take, without bias and slopes.
  public var weightBytes: Int { packed.weightBytes }

  /// Working memory of one thread: the tap list.
  public var scratchBytes: Int {
    window.kernelHeight * window.kernelWidth * MemoryLayout<ConvolutionTap>.stride
  }

  private var inputRowStride: Int {
    layout == .rowMajor ? input.width * input.channels : input.rowStride
  }

  private var pixelFloats: Int { layout == .rowMajor ? input.channels : channelBlock }

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
    var call = makeCall(residual: residual?.map, scratch: scratch)
    let residualStride = residual?.map.rowStride ?? 0
    // Computed properties, each once: a row takes a microsecond.
    let (inputStride, outputStride) = (inputRowStride, output.rowStride)
    for y in rows {
      row(
        y, &call, inputRow: { source + $0 &* inputStride }, to: target + y &* outputStride,
        residual: residual.map { $0.data + y &* residualStride })
    }
  }

  /// What stays the same from row to row.
  ///
  /// - `residual`: the map that is added, if any.
  /// - `pixelStrides`: floats from one pixel to the next, of the input and of the output, where a map of
  ///   at most eight channels lies in narrow rows.
  func makeCall(
    residual: BlockedMap?, pixelStrides: (input: Int, output: Int)? = nil,
    clearsPadding: Bool = true,
    scratch: UnsafeMutableRawPointer
  ) -> RowCall {
    let taps = scratch.assumingMemoryBound(to: ConvolutionTap.self)
    let strides = pixelStrides ?? (pixelFloats, channelBlock)
    let arguments = Conv2DRowArguments(
      taps: UnsafePointer(taps), tapCount: 1, channels: input.channels,
      inputBlockStride: layout == .rowMajor ? channelBlock : input.blockStride,
      inputPixelStride: window.strideWidth * strides.input, weights: packed.storage.base,
      panelWidth: 0, panelRows: packed.rows, panelCount: 0, firstChannel: 0, bias: packed.bias,
      output: UnsafeMutablePointer(mutating: packed.bias), outputPixelStride: strides.output,
      outputBlockStride: output.blockStride, pixels: output.width,
      residualBlockStride: residual?.blockStride ?? 0, residualBlocks: residual?.blocks ?? 0,
      epilogue: epilogue, slopes: packed.slopes, clearsPadding: clearsPadding)
    return RowCall(arguments: arguments, taps: taps)
  }

  /// The kernel's arguments while rows are computed one after the other: a row takes a microsecond, so
  /// only what changes is written anew.
  struct RowCall {
    var arguments: Conv2DRowArguments
    let taps: UnsafeMutablePointer<ConvolutionTap>
  }

  /// One output row; `inputRow` gives the address of an input row, which lets rows live in a ring.
  @inline(__always)
  func row(
    _ y: Int, _ call: inout RowCall, inputRow: (Int) -> UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>, residual: UnsafePointer<Float>?
  ) {
    if isPointwise {
      call.taps[0] = ConvolutionTap(input: inputRow(y), firstRow: 0)
      call.arguments.output = target
      call.arguments.residual = residual
      multiply(&call.arguments)
    } else {
      windowRow(y, &call, inputRow: inputRow, to: target, residual: residual)
    }
  }

  /// All output channels, panel by panel.
  @inline(__always)
  private func multiply(_ arguments: inout Conv2DRowArguments) {
    for group in packed.groups {
      arguments.weights = UnsafeRawPointer(packed.storage.base) + group.offset
      arguments.panelWidth = group.panelWidth
      arguments.panelCount = group.panelCount
      arguments.firstChannel = group.firstChannel
      group.kernel(&arguments)
    }
  }

  /// Inside, one call covers all pixels; at the borders each pixel has its own list of taps.
  private func windowRow(
    _ y: Int, _ call: inout RowCall, inputRow: (Int) -> UnsafePointer<Float>,
    to target: UnsafeMutablePointer<Float>, residual: UnsafePointer<Float>?
  ) {
    let kernelRows = window.kernelRows(outputRow: y)
    // In a row-major map a kernel row is one contiguous tap.
    let contiguous = layout == .rowMajor && window.dilationWidth == 1
    let columns = contiguous ? 1 : window.kernelWidth
    let start = inside.lowerBound * window.strideWidth - window.paddingLeft
    var count = 0
    for k in kernelRows {
      let base = inputRow(window.inputRow(outputRow: y, kernelRow: k)) + start * pixelFloats
      for column in 0..<columns {
        call.taps[count] = ConvolutionTap(
          input: base + column &* window.dilationWidth &* pixelFloats,
          firstRow: (k &* window.kernelWidth &+ column) &* input.channels)
        count &+= 1
      }
    }
    call.arguments.tapCount = count
    if contiguous { call.arguments.channels = window.kernelWidth * input.channels }
    compute(&call, inside, target, residual)

    call.arguments.channels = input.channels
    for x in 0..<output.width where !inside.contains(x) {
      count = 0
      for k in kernelRows {
        let base = inputRow(window.inputRow(outputRow: y, kernelRow: k))
        for column in 0..<window.kernelWidth {
          let position =
            x &* window.strideWidth &- window.paddingLeft &+ column &* window.dilationWidth
          if position < 0 || position >= input.width { continue }
          call.taps[count] = ConvolutionTap(
            input: base + position &* pixelFloats,
            firstRow: (k &* window.kernelWidth &+ column) &* input.channels)
          count &+= 1
        }
      }
      call.arguments.tapCount = count
      compute(&call, x..<(x + 1), target, residual)
    }
  }

  private func compute(
    _ call: inout RowCall, _ columns: Range<Int>, _ target: UnsafeMutablePointer<Float>,
    _ residual: UnsafePointer<Float>?
  ) {
    if columns.isEmpty { return }
    let offset = columns.lowerBound * channelBlock
    call.arguments.pixels = columns.count
    call.arguments.output = target + offset
    call.arguments.residual = residual.map { $0 + offset }
    multiply(&call.arguments)
  }
}
