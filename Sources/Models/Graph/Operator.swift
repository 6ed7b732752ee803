import FaceKitKernels
import FaceKitTensor

/// Type and shape of a value.
public struct TensorType: Hashable, Sendable {
  public var type: ElementType
  public var shape: Shape

  public init(_ type: ElementType, _ shape: Shape) {
    self.type = type
    self.shape = shape
  }
}

/// What an operator may know of a value while shapes are inferred and kernels chosen.
public struct Operand: Sendable {
  public var type: ElementType
  public var shape: Shape
  public var quantization: Quantization?
  /// Row-major bytes, if the value is already known.
  public var constant: StorageView?

  public init(
    type: ElementType, shape: Shape, quantization: Quantization? = nil,
    constant: StorageView? = nil
  ) {
    self.type = type
    self.shape = shape
    self.quantization = quantization
    self.constant = constant
  }
}

/// The inputs of one operator, with checked access.
public struct Operands: Sendable {
  public let all: [Operand?]

  public init(_ all: [Operand?]) { self.all = all }

  public var count: Int { all.count }

  /// An optional input: `nil` if left out, at the end of the list or by index −1.
  public func optional(_ index: Int) -> Operand? { index < all.count ? all[index] : nil }

  /// A required input.
  public subscript(index: Int) -> Operand {
    get throws(ModelError) {
      guard index < all.count, let operand = all[index] else {
        throw ModelError(.graph, "input \(index) is missing")
      }
      return operand
    }
  }

  /// A shape, axis or index input whose values the output's shape depends on, as integers.
  ///
  /// - Throws: `ModelError.dataDependent` if the values are known only at run time; the session then
  ///   plans while it runs.
  public func integers(_ index: Int) throws(ModelError) -> [Int] {
    let operand = try self[index]
    guard let constant = operand.constant else { throw .dataDependent(input: index) }
    switch operand.type {
    case .int32: return constant.array(of: Int32.self).map(Int.init)
    case .int64: return constant.array(of: Int64.self).map { Int(truncatingIfNeeded: $0) }
    default:
      throw ModelError(
        .type, "input \(index) is \(operand.type.name), but int32 or int64 is needed")
    }
  }
}

/// One operator: its attributes, its shapes, its choice of kernel.
///
/// Conforming types live in `Operators/`, one file for each family. To add one: conform, and add a
/// line to ``OperatorRegistry/builtin``.
public protocol Operator: Sendable {
  /// The field's name for it, as in the TFLite schema: `CONV_2D`.
  var name: String { get }

  /// Types and shapes of the outputs; rejects what the operator cannot take.
  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType]

  /// Chooses a kernel, prepares its constants, and returns the work of one inference.
  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel

  /// What graph passes may recognise it as.
  var pattern: RewritePattern { get }

  /// Which layouts its SIMD kernels understand; asked only where those may be used.
  func layoutPolicy(_ inputs: Operands) -> LayoutPolicy

  /// Inputs whose memory the first output may take over, if nothing reads them afterwards: the
  /// kernel then gets the same address for both.
  var overwritableInputs: [Int] { get }

  /// Multiply–accumulates of one run, for reports.
  func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int

  /// Name and value of each attribute, for reports.
  var attributes: [Attribute] { get }
}

/// An attribute as reports print it.
public struct Attribute: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Which layouts an operator's kernels understand in the SIMD back end.
public enum LayoutPolicy: Sendable, Hashable {
  /// Row-major in and out.
  case rowMajor
  /// Blocked out; activations blocked in, except that the first may be row-major if so stated.
  case blocked(acceptsRowMajor: Bool)
  /// Element by element: whatever layout all activations of the output's shape have.
  case follows
}

extension Operator {
  public var pattern: RewritePattern { .other }
  public func layoutPolicy(_ inputs: Operands) -> LayoutPolicy { .rowMajor }
  public var overwritableInputs: [Int] { [] }
  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int { 0 }
  public var attributes: [Attribute] { [] }

  /// The operator with its type erased; existentials are not available in Embedded Swift.
  public var erased: AnyOperator {
    AnyOperator(
      name: name, pattern: pattern, attributes: attributes, overwritableInputs: overwritableInputs,
      layoutPolicy: { layoutPolicy($0) },
      infer: { (inputs) throws(ModelError) in try infer(inputs) },
      lower: { (context) throws(ModelError) in try lower(&context) },
      multiplyAccumulates: { multiplyAccumulates($0, $1) })
  }
}

/// An ``Operator`` without its type.
public struct AnyOperator: Sendable {
  public let name: String
  public let pattern: RewritePattern
  public let attributes: [Attribute]
  public let overwritableInputs: [Int]
  public let layoutPolicy: @Sendable (Operands) -> LayoutPolicy
  public let infer: @Sendable (Operands) throws(ModelError) -> [TensorType]
  public let lower: @Sendable (inout LoweringContext) throws(ModelError) -> NodeKernel
  public let multiplyAccumulates: @Sendable (Operands, [TensorType]) -> Int
}

/// The operators that passes look for, with their attributes; all others are `.other`.
public enum RewritePattern: Sendable {
  case conv2D(Conv2D)
  case depthwiseConv2D(DepthwiseConv2D)
  case add(Activation)
  case activation(Activation)
  case prelu
  case pad
  case pool(Pool2D)
  case binary(BinaryFunction)
  case unary(UnaryFunction)
  case mean(keepsDimensions: Bool)
  // Made by passes.
  case fusedConvolution(FusedConvolution)
  case blockedAdd(BlockedElementwise)
  case blockedActivation(BlockedElementwise)
  case other
}

/// A fused or free-standing clamp.
public enum Activation: UInt8, Hashable, Sendable {
  case none, relu, reluN1To1, relu6

  /// The interval values are clamped to.
  public var bounds: ClosedRange<Float> {
    switch self {
    case .none: -Float.infinity...Float.infinity
    case .relu: 0...Float.infinity
    case .reluN1To1: -1...1
    case .relu6: 0...6
    }
  }

  public var name: String {
    switch self {
    case .none: "none"
    case .relu: "relu"
    case .reluN1To1: "relu_n1_to_1"
    case .relu6: "relu6"
    }
  }
}
