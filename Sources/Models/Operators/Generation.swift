import FaceKitKernels
import FaceKitTensor

// Operators that make tensors from shapes and scalars.

/// SHAPE: the extents of the input as a vector.
public struct ShapeOf: Operator, ReadableOperator {
  public var type: ElementType

  public init(type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    switch try source.options(55).enumeration(0) {
    case 2: type = .int32
    case 4: type = .int64
    default:
      // An absent option reads as FLOAT32, which is no type for extents: trust the tensor.
      type = source.outputTypes.first == .int64 ? .int64 : .int32
    }
  }

  public var name: String { "SHAPE" }
  public var attributes: [Attribute] { [Attribute("out_type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    return [TensorType(type, [try inputs[0].shape.rank])]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel(context.input(0).shape.extents)
  }
}

/// RANK: the number of extents of the input, a scalar.
public struct RankOf: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "RANK" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    _ = try inputs[0]
    return [TensorType(.int32, .scalar)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel([context.input(0).shape.rank])
  }
}

/// BROADCAST_ARGS: the shape that two shapes broadcast to.
public struct BroadcastArgs: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "BROADCAST_ARGS" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.checkIndices("the first shape")
    try b.checkSameType(as: a, "the second shape")
    return [TensorType(a.type, [try shape(inputs).rank])]
  }

  private func shape(_ inputs: Operands) throws(ModelError) -> Shape {
    try Shape(try inputs.integers(0)).broadcast(with: Shape(try inputs.integers(1)))
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.constantKernel(try shape(context.operands).extents)
  }
}

extension LoweringContext {
  /// A kernel that writes integers known when the model is loaded.
  func constantKernel(_ values: [Int]) -> NodeKernel {
    let (output, isWide) = (output, output.type == .int64)
    return { (workspace) throws(ModelError) in
      for (index, value) in values.enumerated() {
        if isWide {
          output.pointer(workspace, as: Int64.self)[index] = Int64(value)
        } else {
          output.pointer(workspace, as: Int32.self)[index] = Int32(clamping: value)
        }
      }
    }
  }
}

/// FILL: a tensor of one value, its shape the first input.
public struct Fill: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "FILL" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let value = try inputs[1]
    try value.checkAddressable("the value")
    guard value.shape.checkedCount == 1 else {
      throw ModelError(.shape, "the value has the shape \(value.shape)")
    }
    let shape = Shape(try inputs.integers(0))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    return [TensorType(value.type, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (value, output, count) = (context.input(1), context.output, context.output.count)
    let width = output.type.byteWidth
    return { (workspace) throws(ModelError) in
      Reference.fill(
        output.pointer(workspace), with: value.pointer(workspace), width: width, count: count)
    }
  }
}

/// ZEROS_LIKE: zeros of the input's shape and type.
public struct ZerosLike: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "ZEROS_LIKE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float32, .int32, .int64)
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (output, bytes) = (context.output, context.output.byteCount)
    return { (workspace) throws(ModelError) in
      output.pointer(workspace).initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    }
  }
}

/// RANGE: start, start + delta … below limit. How many there are follows from the three scalars.
public struct NumberRange: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "RANGE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let start = try inputs[0]
    try start.check("the start", type: .float32, .int32, .int64)
    for index in 0..<3 {
      let operand = try inputs[index]
      try operand.checkSameType(as: start, "a limit of the range")
      guard operand.shape.checkedCount == 1 else {
        throw ModelError(.shape, "input \(index) of RANGE is not a scalar")
      }
    }
    let count = start.type == .float32 ? try floatCount(inputs) : try integerCount(inputs)
    return [TensorType(start.type, [count])]
  }

  private func integerCount(_ inputs: Operands) throws(ModelError) -> Int {
    let start = try inputs.integers(0)[0]
    let (limit, delta) = (try inputs.integers(1)[0], try inputs.integers(2)[0])
    guard delta != 0 else { throw ModelError(.option, "a range with a step of 0") }
    let (distance, overflow) = limit.subtractingReportingOverflow(start)
    guard !overflow else { throw ModelError(.shape, "the range is too long") }
    if distance == 0 || (distance > 0) != (delta > 0) { return 0 }
    let length = (distance.magnitude - 1) / delta.magnitude + 1
    guard let count = Int(exactly: length) else {
      throw ModelError(.shape, "the range is too long")
    }
    return count
  }

  private func floatCount(_ inputs: Operands) throws(ModelError) -> Int {
    let values = try scalars(inputs)
    guard values[2] != 0 else { throw ModelError(.option, "a range with a step of 0") }
    let length = (Double(values[1]) - Double(values[0])) / Double(values[2])
    guard length < 0x1p31 else { throw ModelError(.shape, "the range is too long") }
    guard length > 0 else { return 0 }
    let whole = Int(length)
    return Double(whole) < length ? whole + 1 : whole
  }

  private func scalars(_ inputs: Operands) throws(ModelError) -> [Float] {
    var values: [Float] = []
    for index in 0..<3 {
      guard let constant = try inputs[index].constant else {
        throw .dataDependent(input: index)
      }
      values.append(constant.base.loadUnaligned(as: Float.self))
    }
    return values
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (start, delta, output) = (context.input(0), context.input(2), context.output)
    let (type, count) = (output.type, output.count)
    return { (workspace) throws(ModelError) in
      Reference.range(
        type: type, start: start.pointer(workspace), delta: delta.pointer(workspace),
        output: output.pointer(workspace), count: count)
    }
  }
}

/// ONE_HOT: a new axis on which the place named by the index is `on`, all others `off`.
public struct OneHot: Operator, ReadableOperator {
  /// Where the new axis goes, −1 for last.
  public var axis: Int

  public init(axis: Int) { self.axis = axis }

  init(_ source: OperatorSource) throws(ModelError) {
    axis = try source.options(61).int(0)
  }

  public var name: String { "ONE_HOT" }
  public var attributes: [Attribute] { [Attribute("axis", "\(axis)")] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(4...4)
    let (indices, on, off) = (try inputs[0], try inputs[2], try inputs[3])
    try indices.checkIndices("the indices")
    try on.checkAddressable("the value 'on'")
    try off.checkSameType(as: on, "the value 'off'")
    let depth = try inputs.integers(1)
    guard depth.count == 1, depth[0] >= 0, on.shape.checkedCount == 1,
      off.shape.checkedCount == 1, indices.shape.rank < Dimensions.maximumRank
    else { throw ModelError(.shape, "depth, on and off of ONE_HOT must be scalars") }
    let axis = try Shape([1] + indices.shape.extents).axis(axis)
    var shape = indices.shape
    shape.extents.insert(depth[0], at: axis)
    return [TensorType(on.type, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (indices, on, off, output) = (
      context.input(0), context.input(2), context.input(3), context.output
    )
    let axis = try output.shape.axis(axis)
    let (outer, inner) = (output.shape.outer(before: axis), output.shape.inner(after: axis))
    let (depth, width) = (output.shape[axis], output.type.byteWidth)
    return { (workspace) throws(ModelError) in
      Reference.oneHot(
        indices: indices.pointer(workspace), type: indices.type, on: on.pointer(workspace),
        off: off.pointer(workspace), output: output.pointer(workspace), width: width,
        outer: outer, depth: depth, inner: inner)
    }
  }
}

extension OperatorRegistry {
  static let generation: [OperatorEntry] = [
    OperatorEntry(77, "SHAPE", ShapeOf.self), OperatorEntry(110, "RANK", RankOf.self),
    OperatorEntry(94, "FILL", Fill.self), OperatorEntry(93, "ZEROS_LIKE", ZerosLike.self),
    OperatorEntry(96, "RANGE", NumberRange.self), OperatorEntry(85, "ONE_HOT", OneHot.self),
    OperatorEntry(145, "BROADCAST_ARGS", BroadcastArgs.self),
  ]
}
