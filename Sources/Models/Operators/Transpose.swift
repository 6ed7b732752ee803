import FaceKitKernels
import FaceKitTensor

extension LoweringContext {
  /// A kernel that copies elements of input `index` into place.
  func copyKernel(_ plan: StridedCopy, input index: Int = 0) -> NodeKernel {
    let (input, output) = (input(index), output)
    return { (workspace) throws(ModelError) in
      Reference.copy(plan, from: input.pointer(workspace), to: output.pointer(workspace))
    }
  }
}

/// TRANSPOSE: `y.shape[i] = x.shape[perm[i]]`, the permutation a second input.
public struct Transpose: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "TRANSPOSE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let permutation = try permutation(inputs)
    return [TensorType(input.type, Shape(permutation.map { input.shape[$0] }))]
  }

  private func permutation(_ inputs: Operands) throws(ModelError) -> [Int] {
    let (shape, axes) = (try inputs[0].shape, try inputs.integers(1))
    var permutation: [Int] = []
    for axis in axes { permutation.append(try shape.axis(axis)) }
    guard permutation.count == shape.rank, Set(permutation).count == shape.rank else {
      throw ModelError(.option, "\(axes.count) axes permute a tensor of rank \(shape.rank)")
    }
    return permutation
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0).shape, context.output)
    let strides = input.strides
    let permutation = try permutation(context.operands)
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: permutation.map { strides[$0] },
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}

/// REVERSE_V2: the order along the axes of the second input turned round.
public struct Reverse: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "REVERSE_V2" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    _ = try input.shape.axisSet(try inputs.integers(1))
    return [TensorType(input.type, input.shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let output = context.output
    let isReversed = try output.shape.axisSet(try context.operands.integers(1))
    var strides = output.shape.strides
    var offset = 0
    for axis in strides.indices where isReversed[axis] && output.shape[axis] > 0 {
      offset += (output.shape[axis] - 1) * strides[axis]
      strides[axis] = -strides[axis]
    }
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: strides, sourceOffset: offset,
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}

/// TILE: the tensor repeated along each axis as often as the second input says.
public struct Tile: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "TILE" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let multiples = try inputs.integers(1)
    guard multiples.count == input.shape.rank else {
      throw ModelError(.shape, "\(multiples.count) multiples for rank \(input.shape.rank)")
    }
    var extents: [Int] = []
    for (axis, multiple) in multiples.enumerated() {
      guard multiple >= 0 else { throw ModelError(.option, "the multiple \(multiple)") }
      extents.append(try input.shape[axis].times(multiple))
    }
    return [TensorType(input.type, Shape(extents))]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let (extents, strides) = (Dimensions(input.shape.extents), Dimensions(input.shape.strides))
    let (outputExtents, width) = (Dimensions(output.shape.extents), output.type.byteWidth)
    return { (workspace) throws(ModelError) in
      Reference.tile(
        input.pointer(workspace), extents: extents, strides: strides,
        output: output.pointer(workspace), outputExtents: outputExtents, width: width)
    }
  }
}

/// BROADCAST_TO: the tensor repeated to the shape of the second input.
public struct BroadcastTo: Operator, ReadableOperator {
  public init() {}
  init(_ source: OperatorSource) throws(ModelError) {}

  public var name: String { "BROADCAST_TO" }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let shape = Shape(try inputs.integers(1))
    guard shape.rank <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(shape.rank)")
    }
    _ = try shape.safeCount()
    guard try input.shape.broadcast(with: shape) == shape else {
      throw ModelError(.shape, "\(input.shape) does not broadcast to \(shape)")
    }
    return [TensorType(input.type, shape)]
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0).shape, context.output)
    return context.copyKernel(
      StridedCopy(
        extents: output.shape.extents, source: input.strides(broadcastTo: output.shape),
        destination: output.shape.strides, width: output.type.byteWidth))
  }
}

/// SPACE_TO_DEPTH and DEPTH_TO_SPACE: blocks of pixels become channels, and back.
///
/// Channel `(dy · block + dx) · C + c` of the deep tensor is channel `c` of the block's pixel
/// (dy, dx): TensorFlow's order, block outermost.
public struct SpaceDepth: Operator {
  /// The two directions.
  public enum Direction: Sendable, Hashable {
    case toDepth, toSpace
  }

  public var direction: Direction
  public var block: Int

  public init(_ direction: Direction, block: Int) {
    self.direction = direction
    self.block = block
  }

  public var name: String { direction == .toDepth ? "SPACE_TO_DEPTH" : "DEPTH_TO_SPACE" }
  public var attributes: [Attribute] { [Attribute("block_size", "\(block)")] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let shape = input.shape
    guard shape.rank == 4 else { throw ModelError(.shape, "the input has rank \(shape.rank)") }
    let square = try block.times(block)
    switch direction {
    case .toDepth:
      guard shape[1] % block == 0, shape[2] % block == 0 else {
        throw ModelError(.shape, "blocks of \(block) do not fill \(shape)")
      }
      return [
        TensorType(
          input.type, [shape[0], shape[1] / block, shape[2] / block, try shape[3].times(square)])
      ]
    case .toSpace:
      guard shape[3] % square == 0 else {
        throw ModelError(.shape, "\(shape[3]) channels are not blocks of \(block)×\(block)")
      }
      return [
        TensorType(
          input.type,
          [shape[0], try shape[1].times(block), try shape[2].times(block), shape[3] / square])
      ]
    }
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0).shape, context.output)
    let (wide, deep) = direction == .toDepth ? (input, output.shape) : (output.shape, input)
    // Six axes: image, block row, block column, dy, dx, channel.
    let (height, width, channels) = (deep[1], deep[2], wide[3])
    let extents = [wide[0], height, width, block, block, channels]
    let row = wide[2] * channels
    let wideStrides = [wide[1] * row, block * row, block * channels, row, channels, 1]
    let depth = deep[3]
    let deepStrides = [
      height * width * depth, width * depth, depth, block * channels, channels, 1,
    ]
    return context.copyKernel(
      StridedCopy(
        extents: extents, source: direction == .toDepth ? wideStrides : deepStrides,
        destination: direction == .toDepth ? deepStrides : wideStrides,
        width: output.type.byteWidth))
  }
}

extension OperatorRegistry {
  static let rearranging: [OperatorEntry] = [
    OperatorEntry(39, "TRANSPOSE", Transpose.self), OperatorEntry(105, "REVERSE_V2", Reverse.self),
    OperatorEntry(69, "TILE", Tile.self), OperatorEntry(130, "BROADCAST_TO", BroadcastTo.self),
    OperatorEntry(
      code: 5, name: "DEPTH_TO_SPACE",
      read: { (source) throws(ModelError) in
        let block = try source.options(94).positive(0, "block_size")
        return SpaceDepth(.toSpace, block: block).erased
      }),
    OperatorEntry(
      code: 26, name: "SPACE_TO_DEPTH",
      read: { (source) throws(ModelError) in
        let block = try source.options(19).positive(0, "block_size")
        return SpaceDepth(.toDepth, block: block).erased
      }),
  ]
}
