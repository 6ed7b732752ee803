/// Channels in one block of the blocked layout: the widest vector register in floats.
public let channelBlock = 16

/// One tap of a convolution: where it reads, and where its weights start within a panel.
public struct ConvolutionTap {
  /// First channel of the first output pixel's input pixel.
  public var input: UnsafePointer<Float>
  /// Rows to skip in a weight panel.
  public var firstRow: Int

  public init(input: UnsafePointer<Float>, firstRow: Int) {
    self.input = input
    self.firstRow = firstRow
  }
}

/// Arguments of the row convolution: `pixels` outputs of one row, the output channels of some panels.
///
/// `output[p][o] = epilogue(bias[o] + Σ input[tap][p][c] · weight[tap][c][o] + residual[p][o])`
public struct Conv2DRowArguments {
  public var taps: UnsafePointer<ConvolutionTap>
  public var tapCount: Int
  /// Input channels of one tap.
  public var channels: Int
  /// Floats from one block of 16 input channels to the next; 16 where channels are contiguous.
  public var inputBlockStride: Int
  /// Floats from one output pixel's input to the next one's.
  public var inputPixelStride: Int

  /// The first panel: `[tap][channel][panelWidth]`, floats or half-precision bits as the kernel takes them.
  public var weights: UnsafeRawPointer
  /// Output channels of a panel. A kernel is made for one width, and traps on another.
  public var panelWidth: Int
  /// Rows of a panel, those of taps that this row leaves out included.
  public var panelRows: Int
  /// Panels of this width, one after the other.
  public var panelCount: Int
  /// The first panel's first output channel: a multiple of 16.
  public var firstChannel: Int
  /// One value for each output channel, padded to whole blocks.
  public var bias: UnsafePointer<Float>

  /// Blocked output row.
  public var output: UnsafeMutablePointer<Float>
  /// Floats from one output pixel to the next: 16, or 8 in a narrow row of at most eight channels.
  public var outputPixelStride: Int
  public var outputBlockStride: Int
  public var pixels: Int

  /// Added before the epilogue, to the first `residualBlocks` blocks; may be the output itself.
  public var residual: UnsafePointer<Float>?
  public var residualBlockStride: Int
  public var residualBlocks: Int

  public var epilogue: Epilogue
  /// One PReLU slope for each output channel, padded to whole blocks. Read by no other epilogue.
  public var slopes: UnsafePointer<Float>
  /// Whether the upper half of a half-full last block is to be zeroed; not in rows that are read
  /// only channel by channel.
  public var clearsPadding: Bool

  public init(
    taps: UnsafePointer<ConvolutionTap>, tapCount: Int, channels: Int, inputBlockStride: Int,
    inputPixelStride: Int, weights: UnsafeRawPointer, panelWidth: Int, panelRows: Int,
    panelCount: Int, firstChannel: Int, bias: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, outputPixelStride: Int = channelBlock,
    outputBlockStride: Int, pixels: Int, residual: UnsafePointer<Float>? = nil,
    residualBlockStride: Int = 0, residualBlocks: Int = 0, epilogue: Epilogue,
    slopes: UnsafePointer<Float>, clearsPadding: Bool = true
  ) {
    self.taps = taps
    self.tapCount = tapCount
    self.channels = channels
    self.inputBlockStride = inputBlockStride
    self.inputPixelStride = inputPixelStride
    self.weights = weights
    self.panelWidth = panelWidth
    self.panelRows = panelRows
    self.panelCount = panelCount
    self.firstChannel = firstChannel
    self.bias = bias
    self.output = output
    self.outputPixelStride = outputPixelStride
    self.outputBlockStride = outputBlockStride
    self.pixels = pixels
    self.residual = residual
    self.residualBlockStride = residualBlockStride
    self.residualBlocks = residualBlocks
    self.epilogue = epilogue
    self.slopes = slopes
    self.clearsPadding = clearsPadding
  }
}
