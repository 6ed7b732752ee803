/// Output channels in one panel of integer weights.
public let integerPanelWidth = 16

/// What the factors of an integer matrix product are, and how they lie in a group of 32 bits.
public enum IntegerFactors: Sendable, Hashable {
  /// Two signed 16-bit values on both sides.
  case i16
  /// Four unsigned bytes of the patch, four signed bytes of the weights.
  case u8i8

  /// Values in a group of 32 bits.
  public var valuesInGroup: Int { self == .i16 ? 2 : 4 }
}

/// Arguments of the integer matrix product: `pixels` outputs of one row, all output channels.
///
/// `output[p][o] = bias[o] + Σ patch[p][k] · weight[k][o]`, wrapping at 32 bits.
///
/// The terms of a sum come in groups of 32 bits, as the multiply–add instructions take them: see
/// ``IntegerFactors``.
public struct IntegerGEMMArguments {
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
