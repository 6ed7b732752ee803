/// The last step of a kernel, applied to every sum before it is stored.
public enum Epilogue: Sendable, Hashable {
  /// The sum is stored as it is.
  case none
  /// The sum is clamped to `low ... high`.
  case clamp(low: Float, high: Float)
  /// A negative sum is multiplied by its channel's slope, which is part of the kernel's arguments.
  case prelu
}
