import FaceKitTensor

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

  /// The defaults.
  public init() {}

  /// What models are read with if nothing else is said.
  public static let `default` = ModelLimits()
}

extension ModelLimits {
  /// The bytes of a tensor; `nil` if these limits do not let it be.
  ///
  /// An empty extent counts as one: loops walk the other extents of an empty tensor too, and
  /// `[2³¹, 2³¹, 0]` would keep them busy for years.
  func bytes(of type: ElementType, _ shape: Shape) -> Int? {
    guard shape.rank <= rank, let count = shape.checkedCount,
      let walked = Shape(shape.extents.map { max($0, 1) }).checkedCount,
      let bound = type.bytes(for: walked), bound <= tensorBytes
    else { return nil }
    return type.bytes(for: count)
  }
}
