import FaceKitKernels
import FaceKitTensor

/// SPACE_TO_DEPTH and DEPTH_TO_SPACE: blocks of pixels become channels, and back.
///
/// Channel `(dy · block + dx) · C + c` of the deep tensor is channel `c` of the block's pixel
/// (dy, dx): TensorFlow's order, block outermost.
package struct SpaceDepth: Operator {
  /// The two directions.
  package enum Direction: Sendable, Hashable {
    case toDepth, toSpace
  }

  package var direction: Direction
  package var block: Int

  package init(_ direction: Direction, block: Int) {
    self.direction = direction
    self.block = block
  }

  package var name: String { direction == .toDepth ? "SPACE_TO_DEPTH" : "DEPTH_TO_SPACE" }
  package var attributes: [Attribute] { [Attribute("block_size", "\(block)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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

extension SpaceDepth {
  static func reader(_ direction: Direction) -> OperatorReader {
    { (source) throws(ModelError) in
      let block = try source.options().positive(0, "block_size")
      return SpaceDepth(direction, block: block).erased
    }
  }
}
