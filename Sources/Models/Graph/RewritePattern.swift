import FaceKitKernels
import FaceKitTensor

/// What graph passes recognise an operator as.
public struct RewritePattern: Sendable {
  /// The operators that passes look for, with the attributes they need; all others are `.other`.
  package enum Kind: Sendable {
    case convolution(Conv2D)
    /// ADD, with its fused activation.
    case add(Activation)
    /// A free-standing RELU or its like.
    case activation(Activation)
    case prelu
    case pad
    /// A function of two inputs without a fused activation.
    case binary(BinaryFunction)
    case unary(UnaryFunction)
    case mean(keepsDimensions: Bool)
    case other
  }

  package let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// Nothing that a pass looks for: right for every custom operator.
  public static let other = RewritePattern(.other)
}
