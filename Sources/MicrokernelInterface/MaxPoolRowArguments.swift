/// Arguments of the max-pooling row, blocked layout. Windows are clipped to the row; rows above and
/// below the map are not in the list.
public struct MaxPoolRowArguments {
  public var rows: UnsafePointer<UnsafePointer<Float>>
  public var rowCount: Int
  public var kernelWidth: Int
  public var stride: Int
  public var padLeft: Int
  public var inputWidth: Int
  public var inputBlockStride: Int
  public var blocks: Int
  public var output: UnsafeMutablePointer<Float>
  public var outputBlockStride: Int
  public var pixels: Int
  public var low: Float
  public var high: Float

  public init(
    rows: UnsafePointer<UnsafePointer<Float>>, rowCount: Int, kernelWidth: Int, stride: Int,
    padLeft: Int, inputWidth: Int, inputBlockStride: Int, blocks: Int,
    output: UnsafeMutablePointer<Float>, outputBlockStride: Int, pixels: Int, low: Float,
    high: Float
  ) {
    self.rows = rows
    self.rowCount = rowCount
    self.kernelWidth = kernelWidth
    self.stride = stride
    self.padLeft = padLeft
    self.inputWidth = inputWidth
    self.inputBlockStride = inputBlockStride
    self.blocks = blocks
    self.output = output
    self.outputBlockStride = outputBlockStride
    self.pixels = pixels
    self.low = low
    self.high = high
  }
}
