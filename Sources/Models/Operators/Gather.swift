import FaceKitKernels
import FaceKitTensor

extension Operand {
  /// Indices: int32 or int64.
  func checkIndices(_ role: StaticString) throws(ModelError) {
    try check(role, type: .int32, .int64)
  }
}

extension ModelError {
  /// Indices are data, so they can be wrong in a sound model.
  static let indexOutOfRange = ModelError(
    .input, "an index is out of range", advice: "check the input's values")
}

/// GATHER: blocks picked along one axis by indices.
public struct Gather: Operator, ReadableOperator {
  public var axis: Int
  /// Leading axes that input and indices have in common.
  public var batchDimensions: Int

  public init(axis: Int, batchDimensions: Int = 0) {
    self.axis = axis
    self.batchDimensions = batchDimensions
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(23)
    self.init(axis: try options.int(0), batchDimensions: try options.int(1))
  }

  public var name: String { "GATHER" }
  public var attributes: [Attribute] {
    [Attribute("axis", "\(axis)"), Attribute("batch_dims", "\(batchDimensions)")]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, indices) = (try inputs[0], try inputs[1])
    try input.checkAddressable("the input")
    try indices.checkIndices("the indices")
    let (axis, batch) = try axes(input.shape, indices.shape)
    let extents =
      input.shape.extents[..<axis] + indices.shape.extents[batch...]
      + input.shape.extents[(axis + 1)...]
    guard extents.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(extents.count)")
    }
    return [TensorType(input.type, Shape([Int](extents)))]
  }

  private func axes(
    _ input: Shape, _ indices: Shape
  ) throws(ModelError) -> (axis: Int, batch: Int) {
    let axis = try input.axis(axis)
    let batch = batchDimensions < 0 ? batchDimensions + indices.rank : batchDimensions
    guard batch >= 0, batch <= indices.rank, batch <= axis else {
      throw ModelError(.option, "batch_dims \(batchDimensions) with axis \(axis)")
    }
    for dimension in 0..<batch where input[dimension] != indices[dimension] {
      throw ModelError(.shape, "\(input) and \(indices) share no \(batch) leading extents")
    }
    return (axis, batch)
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, indices, output) = (context.input(0), context.input(1), context.output)
    let (axis, batch) = try axes(input.shape, indices.shape)
    let shape = GatherShape(
      batch: input.shape.outer(before: batch),
      outer: input.shape.extents[batch..<axis].reduce(1, *), extent: input.shape[axis],
      indices: indices.shape.extents[batch...].reduce(1, *),
      blockBytes: input.shape.inner(after: axis) * input.type.byteWidth)
    return { (workspace) throws(ModelError) in
      let isInside = Reference.gather(
        shape, input: input.pointer(workspace), indices: indices.pointer(workspace),
        type: indices.type, output: output.pointer(workspace))
      if !isInside { throw .indexOutOfRange }
    }
  }
}

/// The axes that index tuples address, and the blocks they name: GATHER_ND and SCATTER_ND.
private struct TupleAddressing {
  var extents: Dimensions
  /// In blocks.
  var strides: Dimensions
  var tuples: Int
  /// Elements of a block.
  var block: Int

  /// - `indices`: `[…, depth]`; each tuple of `depth` indices addresses the leading axes of `shape`.
  init(indices: Shape, addressing shape: Shape) throws(ModelError) {
    guard let depth = indices.extents.last, depth >= 0, depth <= shape.rank else {
      throw ModelError(.shape, "index tuples \(indices) for a tensor \(shape)")
    }
    let leading = Shape([Int](shape.extents[..<depth]))
    extents = Dimensions(leading.extents)
    strides = Dimensions(leading.strides)
    tuples = indices.extents.dropLast().reduce(1, *)
    block = shape.extents[depth...].reduce(1, *)
  }
}

/// GATHER_ND: blocks picked by tuples of indices.
public struct GatherND: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "GATHER_ND" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, indices) = (try inputs[0], try inputs[1])
    try input.checkAddressable("the input")
    try indices.checkIndices("the indices")
    _ = try TupleAddressing(indices: indices.shape, addressing: input.shape)
    let extents = indices.shape.extents.dropLast() + input.shape.extents[indices.shape.last...]
    guard extents.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "the result has rank \(extents.count)")
    }
    return [TensorType(input.type, Shape([Int](extents)))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, indices, output) = (context.input(0), context.input(1), context.output)
    let addressing = try TupleAddressing(indices: indices.shape, addressing: input.shape)
    let (extents, strides, tuples) = (addressing.extents, addressing.strides, addressing.tuples)
    let blockBytes = addressing.block * input.type.byteWidth
    return { (workspace) throws(ModelError) in
      let isInside = Reference.gatherND(
        input: input.pointer(workspace), indices: indices.pointer(workspace), type: indices.type,
        output: output.pointer(workspace), tuples: tuples, extents: extents, strides: strides,
        blockBytes: blockBytes)
      if !isInside { throw .indexOutOfRange }
    }
  }
}

/// SCATTER_ND: blocks added at places given by tuples of indices, into zeros.
public struct ScatterND: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "SCATTER_ND" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (indices, updates) = (try inputs[0], try inputs[1])
    try indices.checkIndices("the indices")
    try updates.check("the updates", type: .float32, .int32, .int64, .int8, .uint8)
    let shape = Shape(try inputs.integers(2))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    let addressing = try TupleAddressing(indices: indices.shape, addressing: shape)
    guard updates.shape.count == (try addressing.tuples.times(addressing.block)) else {
      throw ModelError(.shape, "updates \(updates.shape) for indices \(indices.shape)")
    }
    return [TensorType(updates.type, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (indices, updates, output) = (context.input(0), context.input(1), context.output)
    let addressing = try TupleAddressing(indices: indices.shape, addressing: output.shape)
    let (extents, strides) = (addressing.extents, addressing.strides)
    let (tuples, block, count) = (addressing.tuples, addressing.block, output.count)
    return { (workspace) throws(ModelError) in
      let isInside = Reference.scatterND(
        indices: indices.pointer(workspace), type: indices.type,
        updates: updates.pointer(workspace), output: output.pointer(workspace),
        type: output.type, outputCount: count, tuples: tuples, extents: extents,
        strides: strides, block: block)
      if !isInside { throw .indexOutOfRange }
    }
  }
}

/// DYNAMIC_UPDATE_SLICE: a tensor with a box overwritten, its start held inside the tensor.
public struct DynamicUpdateSlice: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "DYNAMIC_UPDATE_SLICE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (input, update, start) = (try inputs[0], try inputs[1], try inputs[2])
    try input.checkAddressable("the input")
    try update.checkSameType(as: input, "the update")
    try start.checkIndices("the start")
    guard update.shape.rank == input.shape.rank, start.shape.count == input.shape.rank else {
      throw ModelError(.shape, "an update \(update.shape) of \(input.shape)")
    }
    for axis in 0..<input.shape.rank where update.shape[axis] > input.shape[axis] {
      throw ModelError(.shape, "an update \(update.shape) of \(input.shape)")
    }
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, update, start) = (context.input(0), context.input(1), context.input(2))
    let (output, bytes) = (context.output, context.output.byteCount)
    let (width, strides) = (output.type.byteWidth, Dimensions(output.shape.strides))
    let plan = StridedCopy(
      extents: update.shape.extents, source: update.shape.strides,
      destination: output.shape.strides, width: width)
    let room = Dimensions(
      (0..<output.shape.rank).map { output.shape[$0] - update.shape[$0] })
    return { (workspace) throws(ModelError) in
      Reference.copy(
        from: input.pointer(workspace), to: output.pointer(workspace), bytes: bytes)
      let offset = Reference.clampedOffset(
        start.pointer(workspace), type: start.type, room: room, strides: strides)
      Reference.copy(
        plan, from: update.pointer(workspace), to: output.pointer(workspace) + offset * width)
    }
  }
}

extension OperatorRegistry {
  static let gathering: [OperatorEntry] = [
    OperatorEntry(36, "GATHER", Gather.self), OperatorEntry(107, "GATHER_ND", GatherND.self),
    OperatorEntry(122, "SCATTER_ND", ScatterND.self),
    OperatorEntry(151, "DYNAMIC_UPDATE_SLICE", DynamicUpdateSlice.self),
  ]
}
