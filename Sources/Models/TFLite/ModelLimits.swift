/// What a model may ask for before it is refused.
///
/// Checked with overflow-reporting arithmetic before memory is reserved. The defaults let every
/// published vision model through with room to spare; raise them for models you trust.
public struct ModelLimits: Hashable, Sendable {
  /// Tensors of the main graph.
  public var tensors = 32_768
  /// Operators of the main graph. Planning memory takes time quadratic in these two.
  public var operators = 16_384
  /// Extents of one tensor.
  public var rank = 8
  /// Bytes of one tensor.
  public var tensorBytes = 1 << 29
  /// Bytes of all activations and scratch memory of a session together.
  public var arenaBytes = 1 << 30
  /// Bytes of all constants that have to be unpacked or moved when a graph is made.
  public var constantBytes = 1 << 30

  public init() {}

  public static let `default` = ModelLimits()
}
