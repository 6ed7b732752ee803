import FaceKitKernels
import FaceKitTensor

// Operators that change a tensor's shape and none of its bytes.

extension TensorBinding {
  /// Bytes of the elements, packed ones rounded up; 0 for types without a fixed width.
  var byteCount: Int { type.bytes(for: count) ?? 0 }
}

extension Operand {
  /// Refuses elements that cannot be moved as bytes: strings and handles.
  func checkMovable(_ role: StaticString) throws(ModelError) {
    try check(role)
    if type.bitWidth == 0 {
      throw ModelError(.type, "\(role) is of type \(type.name), which has no fixed width")
    }
  }

  /// As ``checkMovable(_:)``, and each element has an address of its own.
  func checkAddressable(_ role: StaticString) throws(ModelError) {
    try checkMovable(role)
    if type.bitWidth < 8 {
      throw ModelError(.type, "\(role) has packed elements (\(type.name))")
    }
  }
}

extension LoweringContext {
  /// The bytes of input 0, copied to the output unless they are there already.
  func copyKernel() -> NodeKernel {
    let (input, output, bytes) = (input(0), output, output.byteCount)
    return { (workspace) throws(ModelError) in
      Reference.copy(
        from: input.pointer(workspace), to: output.pointer(workspace), bytes: bytes)
    }
  }
}

/// RESHAPE to a shape from its options or from a second input.
public struct Reshape: Operator {
  /// The shape in the options; `nil` if absent.
  public var newShape: [Int]?

  public init(newShape: [Int]? = nil) { self.newShape = newShape }

  public var name: String { "RESHAPE" }
  public var overwritableInputs: [Int] { [0] }

  public var attributes: [Attribute] {
    guard let newShape else { return [] }
    return [Attribute("new_shape", "\(Shape(newShape))")]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...2)
    let input = try inputs[0]
    try input.checkMovable("the input")
    return [TensorType(input.type, try shape(inputs, of: input.shape))]
  }

  /// The shape asked for, with its −1 filled in.
  private func shape(_ inputs: Operands, of input: Shape) throws(ModelError) -> Shape {
    var wanted: [Int]
    // A shape tensor of another rank or type is ignored, as in TensorFlow Lite.
    if let tensor = inputs.optional(1), tensor.type == .int32, tensor.shape.rank == 1 {
      wanted = try inputs.integers(1)
    } else if let newShape {
      // How old converters wrote "scalar".
      wanted = newShape == [0] ? [] : newShape
    } else {
      throw ModelError(.option, "neither a shape input nor a new_shape option")
    }
    guard wanted.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(wanted.count); at most 8 is supported")
    }
    let count = try input.safeCount()
    var known = 1
    var open: Int?
    for (axis, extent) in wanted.enumerated() {
      if extent == -1 && open == nil {
        open = axis
      } else if extent >= 0 {
        known = try known.times(extent)
      } else {
        throw ModelError(.shape, "extent \(extent) in the new shape \(Shape(wanted))")
      }
    }
    if let open {
      guard known > 0, count % known == 0 else {
        throw ModelError(.shape, "\(count) elements do not fill \(Shape(wanted))")
      }
      wanted[open] = count / known
    } else if known != count {
      throw ModelError(.shape, "\(input) does not reshape to \(Shape(wanted))")
    }
    return Shape(wanted)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

extension Reshape: ReadableOperator {
  init(_ source: OperatorSource) throws(ModelError) {
    self.init(newShape: try source.options(17).ints(0))
  }
}

/// SQUEEZE: drops extents of 1.
public struct Squeeze: Operator, ReadableOperator {
  /// The axes to drop; empty for all.
  public var axes: [Int]

  public init(axes: [Int] = []) { self.axes = axes }

  init(_ source: OperatorSource) throws(ModelError) {
    self.init(axes: try source.options(30).ints(0) ?? [])
  }

  public var name: String { "SQUEEZE" }
  public var overwritableInputs: [Int] { [0] }
  public var attributes: [Attribute] { [Attribute("axes", "\(axes.count)")] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkMovable("the input")
    let dropped =
      axes.isEmpty ? input.shape.extents.map { $0 == 1 } : try input.shape.axisSet(axes)
    var extents: [Int] = []
    for (axis, extent) in input.shape.extents.enumerated() {
      if !dropped[axis] {
        extents.append(extent)
      } else if extent != 1 {
        throw ModelError(.shape, "axis \(axis) has extent \(extent) and cannot be dropped")
      }
    }
    return [TensorType(input.type, Shape(extents))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

/// EXPAND_DIMS: a new extent of 1 at an axis given as second input.
public struct ExpandDims: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "EXPAND_DIMS" }
  public var overwritableInputs: [Int] { [0] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkMovable("the input")
    let axes = try inputs.integers(1)
    guard axes.count == 1, input.shape.rank < Dimensions.maximumRank else {
      throw ModelError(.shape, "\(axes.count) axes to expand a tensor of rank \(input.shape.rank)")
    }
    // The axis counts in the result.
    var shape = Shape([1] + input.shape.extents)
    let axis = try shape.axis(axes[0])
    shape.extents = input.shape.extents
    shape.extents.insert(1, at: axis)
    return [TensorType(input.type, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

/// DENSIFY: the reader has unpacked sparse constants already, so this is a copy.
public struct Densify: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "DENSIFY" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkMovable("the input")
    guard input.constant != nil else {
      throw ModelError(.sparsity, "the input of DENSIFY is not constant")
    }
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

/// BITCAST: the same bytes read as another type.
public struct Bitcast: Operator, ReadableOperator {
  public var type: ElementType

  public init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  public var name: String { "BITCAST" }
  public var attributes: [Attribute] { [Attribute("type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let (from, to) = (input.type.byteWidth, type.byteWidth)
    guard to > 0 else { throw ModelError(.type, "a bitcast to \(type.name)") }
    // A narrower type adds an innermost extent, a wider one consumes it.
    var extents = input.shape.extents
    if to < from {
      extents.append(from / to)
    } else if to > from {
      guard extents.last == to / from else {
        throw ModelError(.shape, "a bitcast of \(input.shape) to the wider type \(type.name)")
      }
      extents.removeLast()
    }
    return [TensorType(type, Shape(extents))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

extension OperatorRegistry {
  static let reshaping: [OperatorEntry] = [
    OperatorEntry(22, "RESHAPE", Reshape.self), OperatorEntry(43, "SQUEEZE", Squeeze.self),
    OperatorEntry(70, "EXPAND_DIMS", ExpandDims.self),
    OperatorEntry(124, "DENSIFY", Densify.self), OperatorEntry(159, "BITCAST", Bitcast.self),
  ]
}
