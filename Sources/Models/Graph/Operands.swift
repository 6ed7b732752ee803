import FaceKitKernels
import FaceKitTensor

/// Type and shape of a value.
public struct TensorType: Hashable, Sendable {
  /// Element type.
  public var type: ElementType
  /// Extents.
  public var shape: Shape

  /// A type and a shape.
  ///
  /// - Parameters:
  ///   - type: the element type.
  ///   - shape: the extents.
  public init(_ type: ElementType, _ shape: Shape) {
    self.type = type
    self.shape = shape
  }
}

/// What an operator may know of a value while shapes are inferred and kernels chosen.
public struct Operand: Sendable {
  /// Element type.
  public var type: ElementType
  /// Extents.
  public var shape: Shape
  /// Scales and zero points of an integer tensor; `nil` if it has none.
  public var quantization: Quantization?
  /// Row-major bytes, if the value is already known.
  public var constant: StorageView?

  /// What is known of a value.
  ///
  /// - Parameters:
  ///   - type: the element type.
  ///   - shape: the extents.
  ///   - quantization: scales and zero points, if there are any.
  ///   - constant: row-major bytes, if the value is known.
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
  /// In the operator's order; `nil` for an input left out.
  public let all: [Operand?]

  /// The inputs of an operator.
  ///
  /// - Parameter all: in the operator's order; `nil` for an input left out.
  public init(_ all: [Operand?]) { self.all = all }

  /// How many there are, left-out ones counted.
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
