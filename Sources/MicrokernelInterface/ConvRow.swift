/// Channels in one block of the blocked layout: the widest vector register in floats.
public let channelBlock = 16

/// What happens to a sum before it is stored. Plain integers: microkernels know no other types.
public enum Epilogue {
  /// Stored as it is.
  public static let none = 0
  /// Clamped to `low ... high`.
  public static let clamp = 1
  /// Negatives multiplied by `alpha`, one for each channel.
  public static let prelu = 2
}

/// The last step of a kernel, applied to every sum before it is stored.
public struct RowEpilogue {
  public var kind: Int
  public var low: Float
  public var high: Float
  /// One slope for each output channel, padded to whole blocks. Read only by `Epilogue.prelu`.
  public var alpha: UnsafePointer<Float>

  public init(kind: Int, low: Float, high: Float, alpha: UnsafePointer<Float>) {
    self.kind = kind
    self.low = low
    self.high = high
    self.alpha = alpha
  }
}

/// One tap of a convolution: where it reads, and where its weights start within a panel.
public struct ConvTap {
  /// First channel of the first output pixel's input pixel.
  public var input: UnsafePointer<Float>
  /// Rows to skip in a weight panel.
  public var firstRow: Int

  public init(input: UnsafePointer<Float>, firstRow: Int) {
    self.input = input
    self.firstRow = firstRow
  }
}

/// One panel of packed weights: `width` output channels, `[tap][channel][width]`.
public struct WeightPanel {
  /// `Float`s, or half-precision bits where ``ConvRow/weightsAreHalf``.
  public var weights: UnsafeRawPointer
  /// Weights in a row of the panel: a multiple of eight.
  public var width: Int
  /// A multiple of 16.
  public var firstChannel: Int

  public init(weights: UnsafeRawPointer, width: Int, firstChannel: Int) {
    self.weights = weights
    self.width = width
    self.firstChannel = firstChannel
  }
}

/// Arguments of the row convolution: `pixels` outputs of one row, all output channels.
///
/// `output[p][o] = epilogue(bias[o] + Σ input[tap][p][c] · weight[tap][c][o] + residual[p][o])`
public struct ConvRow {
  public var taps: UnsafePointer<ConvTap>
  public var tapCount: Int
  /// Input channels of one tap.
  public var channels: Int
  /// Floats from one block of 16 input channels to the next; 16 where channels are contiguous.
  public var inputBlockStride: Int
  /// Floats from one output pixel's input to the next one's.
  public var inputPixelStride: Int

  public var panels: UnsafePointer<WeightPanel>
  public var panelCount: Int
  /// Whether weights are half-precision, widened as they are loaded: half the memory to read, for layers
  /// that use each weight once.
  public var weightsAreHalf: Bool
  /// Padded to whole blocks.
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

  public var epilogue: RowEpilogue
  /// Whether the upper half of a half-full last block is to be zeroed; not in rows that are read
  /// only channel by channel.
  public var clearsPadding: Bool

  public init(
    taps: UnsafePointer<ConvTap>, tapCount: Int, channels: Int, inputBlockStride: Int,
    inputPixelStride: Int, panels: UnsafePointer<WeightPanel>, panelCount: Int,
    weightsAreHalf: Bool = false,
    bias: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    outputPixelStride: Int = channelBlock, outputBlockStride: Int, pixels: Int,
    residual: UnsafePointer<Float>? = nil, residualBlockStride: Int = 0,
    residualBlocks: Int = 0, epilogue: RowEpilogue, clearsPadding: Bool = true
  ) {
    self.taps = taps
    self.tapCount = tapCount
    self.channels = channels
    self.inputBlockStride = inputBlockStride
    self.inputPixelStride = inputPixelStride
    self.panels = panels
    self.panelCount = panelCount
    self.weightsAreHalf = weightsAreHalf
    self.bias = bias
    self.output = output
    self.outputPixelStride = outputPixelStride
    self.outputBlockStride = outputBlockStride
    self.pixels = pixels
    self.residual = residual
    self.residualBlockStride = residualBlockStride
    self.residualBlocks = residualBlocks
    self.epilogue = epilogue
    self.clearsPadding = clearsPadding
  }
}
