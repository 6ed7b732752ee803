import FaceKitKernels
import FaceKitTensor

/// The operators that passes look for, with the attributes they need; all others are `.other`.
public enum RewritePattern: Sendable {
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
