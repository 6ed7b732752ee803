/// Arguments of the element-wise kernel: `output[i] = epilogue(a[i] ∘ b[i])`.
///
/// Slopes repeat every 16 elements: one call covers one block of channels, or one slope repeated.
public struct Elementwise {
  /// Which `∘`.
  public enum Operation {
    /// `a` alone; `b` is not read.
    public static let copy = 0
    public static let add = 1
    public static let multiply = 2
  }

  public var operation: Int
  public var a: UnsafePointer<Float>
  public var b: UnsafePointer<Float>
  /// May be `a` or `b`.
  public var output: UnsafeMutablePointer<Float>
  public var count: Int
  public var epilogue: RowEpilogue

  public init(
    operation: Int, a: UnsafePointer<Float>, b: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, count: Int, epilogue: RowEpilogue
  ) {
    self.operation = operation
    self.a = a
    self.b = b
    self.output = output
    self.count = count
    self.epilogue = epilogue
  }
}

/// Arguments of the max-pooling row, blocked layout. Windows are clipped to the row; rows above and
/// below the map are not in the list.
public struct PoolRow {
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
