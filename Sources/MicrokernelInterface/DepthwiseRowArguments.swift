/// Arguments of the depthwise row: one output row, all channel blocks.
///
/// Pixels whose window leaves the row on either side are computed with fewer taps; rows above and
/// below the map are simply not in the list.
public struct DepthwiseRowArguments {
  /// First pixel of each input row under the window, top to bottom.
  public var rows: UnsafePointer<UnsafePointer<Float>>
  public var rowCount: Int
  /// Index of the first row in the window: above 0 at the top edge.
  public var firstRow: Int
  public var kernelWidth: Int
  public var stride: Int
  public var dilation: Int
  public var padLeft: Int
  public var inputWidth: Int
  /// Floats from one pixel to the next, in the input and in the output: 16, or 8 in narrow rows of at
  /// most eight channels.
  public var pixelStride: Int
  public var inputBlockStride: Int
  /// Real channels: a last block of at most eight is computed in half a register.
  public var channels: Int
  /// `[block][row][column][16]`.
  public var weights: UnsafePointer<Float>
  public var weightBlockStride: Int
  /// Padded to whole blocks.
  public var bias: UnsafePointer<Float>
  public var output: UnsafeMutablePointer<Float>
  public var outputBlockStride: Int
  public var pixels: Int
  public var epilogue: Epilogue
  /// One PReLU slope for each channel, padded to whole blocks. Read by no other epilogue.
  public var slopes: UnsafePointer<Float>
  /// As in ``Conv2DRowArguments/clearsPadding``.
  public var clearsPadding: Bool

  public init(
    rows: UnsafePointer<UnsafePointer<Float>>, rowCount: Int, firstRow: Int, kernelWidth: Int,
    stride: Int, dilation: Int, padLeft: Int, inputWidth: Int,
    pixelStride: Int = channelBlock, inputBlockStride: Int, channels: Int,
    weights: UnsafePointer<Float>, weightBlockStride: Int,
    bias: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, outputBlockStride: Int,
    pixels: Int, epilogue: Epilogue, slopes: UnsafePointer<Float>, clearsPadding: Bool = true
  ) {
    self.rows = rows
    self.rowCount = rowCount
    self.firstRow = firstRow
    self.kernelWidth = kernelWidth
    self.stride = stride
    self.dilation = dilation
    self.padLeft = padLeft
    self.inputWidth = inputWidth
    self.pixelStride = pixelStride
    self.inputBlockStride = inputBlockStride
    self.channels = channels
    self.weights = weights
    self.weightBlockStride = weightBlockStride
    self.bias = bias
    self.output = output
    self.outputBlockStride = outputBlockStride
    self.pixels = pixels
    self.epilogue = epilogue
    self.slopes = slopes
    self.clearsPadding = clearsPadding
  }
}
