import FaceKitTensor

/// Name, type and shape of a model input or output.
public struct TensorDescription: Sendable, Hashable {
  /// The model's name for it.
  public var name: String
  /// Element type.
  public var type: ElementType
  /// Extents.
  public var shape: Shape
  /// Scales and zero points of an integer tensor; `nil` if it has none.
  public var quantization: Quantization?
  /// Extents that may be changed with ``Session/resizeInput(_:to:)`` are −1; `nil` if all are fixed.
  public var shapeSignature: [Int]?
}
