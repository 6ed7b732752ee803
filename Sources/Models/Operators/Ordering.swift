import FaceKitKernels
import FaceKitTensor

/// ARG_MAX and ARG_MIN: the place of the largest or smallest element along an axis.
public struct ArgumentOfExtreme: Operator {
  public var isMaximum: Bool
  public var type: ElementType

  public init(isMaximum: Bool, type: ElementType = .int32) {
    self.isMaximum = isMaximum
    self.type = type
  }

  public var name: String { isMaximum ? "ARG_MAX" : "ARG_MIN" }
  public var attributes: [Attribute] { [Attribute("output_type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.check(
      "the input", type: .float32, .int8, .uint8, .int16, .int32, .int64, .bool, rank: 1...8)
    let axis = try axis(inputs)
    guard input.shape[axis] > 0 else {
      throw ModelError(.shape, "no element along axis \(axis) of \(input.shape)")
    }
    var shape = input.shape
    shape.extents.remove(at: axis)
    return [TensorType(type, shape)]
  }

  private func axis(_ inputs: Operands) throws(ModelError) -> Int {
    let axes = try inputs.integers(1)
    guard axes.count == 1 else { throw ModelError(.shape, "\(axes.count) axes") }
    return try inputs[0].shape.axis(axes[0])
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let axis = try axis(context.operands)
    let (outer, inner) = (input.shape.outer(before: axis), input.shape.inner(after: axis))
    let (count, isMaximum) = (input.shape[axis], isMaximum)
    return { (workspace) throws(ModelError) in
      _ = Reference.argument(
        isMaximum: isMaximum, type: input.type, input: input.pointer(workspace),
        output: output.pointer(workspace), outputType: output.type, outer: outer, count: count,
        inner: inner)
    }
  }
}

/// TOPK_V2: the k largest of each row, descending, and where they were.
public struct TopK: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "TOPK_V2" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.check(
      "the input", type: .float32, .int8, .uint8, .int16, .int32, .int64, rank: 1...8)
    let k = try inputs.integers(1)
    guard k.count == 1, k[0] >= 0, k[0] <= input.shape.last else {
      throw ModelError(.option, "k is not within the \(input.shape.last) elements of a row")
    }
    var shape = input.shape
    shape[shape.rank - 1] = k[0]
    return [TensorType(input.type, shape), TensorType(.int32, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, values, indices) = (context.input(0), context.outputs[0], context.outputs[1])
    let (count, k) = (input.shape.last, values.shape.last)
    let rows = input.shape.outer(before: input.shape.rank - 1)
    return { (workspace) throws(ModelError) in
      _ = Reference.topK(
        type: input.type, input: input.pointer(workspace), values: values.pointer(workspace),
        indices: indices.pointer(workspace, as: Int32.self), rows: rows, count: count, k: k)
    }
  }
}

/// CUMSUM: running sums along an axis.
public struct CumulativeSum: Operator, ReadableOperator {
  public var isExclusive, isReversed: Bool

  public init(isExclusive: Bool = false, isReversed: Bool = false) {
    self.isExclusive = isExclusive
    self.isReversed = isReversed
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(102)
    self.init(isExclusive: try options.bool(0), isReversed: try options.bool(1))
  }

  public var name: String { "CUMSUM" }
  public var attributes: [Attribute] {
    [Attribute("exclusive", "\(isExclusive)"), Attribute("reverse", "\(isReversed)")]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.check("the input", type: .float32, .int32, .int64, rank: 1...8)
    _ = try axis(inputs)
    return [TensorType(input.type, input.shape)]
  }

  private func axis(_ inputs: Operands) throws(ModelError) -> Int {
    let axes = try inputs.integers(1)
    guard axes.count == 1 else { throw ModelError(.shape, "\(axes.count) axes") }
    return try inputs[0].shape.axis(axes[0])
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let axis = try axis(context.operands)
    let (outer, inner) = (input.shape.outer(before: axis), input.shape.inner(after: axis))
    let (count, isExclusive, isReversed) = (input.shape[axis], isExclusive, isReversed)
    return { (workspace) throws(ModelError) in
      _ = Reference.cumulativeSum(
        type: input.type, input: input.pointer(workspace), output: output.pointer(workspace),
        outer: outer, count: count, inner: inner, isExclusive: isExclusive,
        isReversed: isReversed)
    }
  }
}

/// CAST: numbers of one type as another.
public struct Cast: Operator, ReadableOperator {
  public var type: ElementType

  public init(to type: ElementType) { self.type = type }

  init(_ source: OperatorSource) throws(ModelError) {
    // The options repeat the types and may be absent: the tensors are what counts.
    guard let type = source.outputTypes.first else { throw ModelError(.graph, "no output") }
    self.init(to: type)
  }

  public var name: String { "CAST" }
  public var attributes: [Attribute] { [Attribute("type", type.name)] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    for type in [input.type, type] {
      switch type {
      case .float32, .float64, .float16, .int8, .uint8, .bool, .int16, .uint16, .int32, .uint32,
        .int64:
        break
      default: throw ModelError(.type, "CAST from \(input.type.name) to \(self.type.name)")
      }
    }
    try input.check("the input")
    return [TensorType(type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, count) = (context.input(0), context.output, context.output.count)
    return { (workspace) throws(ModelError) in
      _ = Reference.cast(
        from: input.type, input.pointer(workspace), to: output.type, output.pointer(workspace),
        count: count)
    }
  }
}

extension OperatorRegistry {
  private static func extreme(_ code: Int, _ name: String, isMaximum: Bool) -> OperatorEntry {
    OperatorEntry(
      code: code, name: name,
      read: { (source) throws(ModelError) in
        let kind = try source.options(isMaximum ? 40 : 57).enumeration(0)
        // Absent, the option reads as FLOAT32: trust the tensor.
        let isWide = kind == 4 || (kind != 2 && source.outputTypes.first == .int64)
        return ArgumentOfExtreme(isMaximum: isMaximum, type: isWide ? .int64 : .int32).erased
      })
  }

  static let ordering: [OperatorEntry] = [
    extreme(56, "ARG_MAX", isMaximum: true), extreme(79, "ARG_MIN", isMaximum: false),
    OperatorEntry(48, "TOPK_V2", TopK.self), OperatorEntry(128, "CUMSUM", CumulativeSum.self),
    OperatorEntry(53, "CAST", Cast.self),
  ]
}
