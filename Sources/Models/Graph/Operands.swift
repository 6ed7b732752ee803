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
