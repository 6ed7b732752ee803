/// Output channels in one panel of integer weights.
public let dotPanelWidth = 16

/// Arguments of the integer dot products: `pixels` outputs, all output channels.
///
/// `output[p][o] = bias[o] + Σ patch[p][k] · weight[k][o]`, wrapping at 32 bits.
///
/// The terms of a sum come in groups of 32 bits, as the multiply–add instructions take them. What is in
/// a group is the kernel's affair: two signed 16-bit values on both sides (`dotRow`), or four unsigned
/// bytes of the patch and four signed bytes of the weights (`dotRowAVX512VNNI`).
public struct DotRow {
  /// A pixel's window, tap by tap: `groups` words.
  public var patches: UnsafePointer<Int32>
  public var pixels: Int
  public var groups: Int
  /// `[panel][group][16]`.
  public var weights: UnsafePointer<Int32>
  public var panels: Int
  /// Padded to whole panels.
  public var bias: UnsafePointer<Int32>
  /// `[pixel][panel][16]`: sums, padding channels included.
  public var output: UnsafeMutablePointer<Int32>

  public init(
    patches: UnsafePointer<Int32>, pixels: Int, groups: Int, weights: UnsafePointer<Int32>,
    panels: Int, bias: UnsafePointer<Int32>, output: UnsafeMutablePointer<Int32>
  ) {
    self.patches = patches
    self.pixels = pixels
    self.groups = groups
    self.weights = weights
    self.panels = panels
    self.bias = bias
    self.output = output
  }
}
