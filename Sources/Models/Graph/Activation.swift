import FaceKitKernels
import FaceKitTensor

/// What a layer does to its sums before they are stored: a clamp, or PReLU.
package enum Activation: Hashable, Sendable {
  case none, relu, reluN1To1, relu6
  /// A slope for negative values, one for each channel, in an input of its own. Made by passes: a file
  /// has PRELU as an operator.
  case prelu

  /// The activation that the schema's enum `ActivationFunctionType` calls `code`; `nil` for TANH and
  /// SIGN_BIT, which no runtime computes, and for numbers it does not have.
  init?(schemaCode code: Int) {
    switch code {
    case 0: self = .none
    case 1: self = .relu
    case 2: self = .reluN1To1
    case 3: self = .relu6
    default: return nil
    }
  }

  /// The interval values are clamped to; everything for `.none` and `.prelu`.
  package var bounds: ClosedRange<Float> {
    switch self {
    case .none, .prelu: -Float.infinity...Float.infinity
    case .relu: 0...Float.infinity
    case .reluN1To1: -1...1
    case .relu6: 0...6
    }
  }

  /// As reports print it.
  package var name: String {
    switch self {
    case .none: "none"
    case .relu: "relu"
    case .reluN1To1: "relu_n1_to_1"
    case .relu6: "relu6"
    case .prelu: "prelu"
    }
  }

  /// What the kernels do for it.
  var epilogue: Epilogue {
    switch self {
    case .none: .none
    case .prelu: .prelu
    case .relu, .reluN1To1, .relu6: .clamp(low: bounds.lowerBound, high: bounds.upperBound)
    }
  }
}
