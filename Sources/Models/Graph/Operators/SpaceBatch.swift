import FaceKitKernels
import FaceKitTensor

/// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: like-placed pixels of blocks become images of their own,
/// and back — how old models write dilated convolutions.
package struct SpaceBatch: Operator {
  /// The two directions.
  package enum Direction: Sendable, Hashable {
    case toBatch, toSpace
  }

  package var direction: Direction

  package init(_ direction: Direction) { self.direction = direction }

  package var name: String {
    direction == .toBatch ? "SPACE_TO_BATCH_ND" : "BATCH_TO_SPACE_ND"
  }

  /// `[N, H, W, C]` or `[N, L, C]`, block extents, and paddings or crops `[spatial, 2]`.
  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let plan = try plan(inputs)
    return [TensorType(input.type, plan.output)]
  }

  private func plan(
    _ inputs: Operands
  ) throws(ModelError) -> (shape: SpaceBatchShape, output: Shape) {
    let input = try inputs[0]
    let blocks = try inputs.integers(1)
    let borders = try inputs.integers(2)
    let spatial = blocks.count
    guard spatial == 1 || spatial == 2, input.shape.rank == spatial + 2,
      borders.count == 2 * spatial
    else {
      throw ModelError(.shape, "blocks of rank \(spatial) for \(input.shape)")
    }
    for block in blocks where block < 1 { throw ModelError(.option, "a block of \(block)") }
    for border in borders where border < 0 { throw ModelError(.option, "a border of \(border)") }
    // One spatial axis is a column of pixels.
    let lift = { (values: [Int], other: Int) in spatial == 2 ? values : values + [other] }
    let (block, extents) = (lift(blocks, 1), lift([Int](input.shape.extents[1...spatial]), 1))
    let (before, after) = (
      lift((0..<spatial).map { borders[2 * $0] }, 0),
      lift((0..<spatial).map { borders[2 * $0 + 1] }, 0)
    )
    let perImage = try block[0].times(block[1])
    var (small, image) = ([0, 0], [0, 0])
    for axis in 0..<2 {
      if direction == .toBatch {
        let whole = try extents[axis].plus(before[axis]).plus(after[axis])
        guard whole % block[axis] == 0 else {
          throw ModelError(.shape, "blocks of \(block[axis]) do not fill \(whole) pixels")
        }
        (small[axis], image[axis]) = (whole / block[axis], extents[axis])
      } else {
        let whole = try extents[axis].times(block[axis])
        let cropped = try whole - before[axis].plus(after[axis])
        guard cropped >= 0 else {
          throw ModelError(.shape, "crops of more than \(whole) pixels")
        }
        (small[axis], image[axis]) = (extents[axis], cropped)
      }
    }
    let batch: Int
    var output = input.shape
    if direction == .toBatch {
      batch = input.shape[0]
      output[0] = try batch.times(perImage)
    } else {
      guard input.shape[0] % perImage == 0 else {
        throw ModelError(.shape, "\(input.shape[0]) images are not blocks of \(perImage)")
      }
      batch = input.shape[0] / perImage
      output[0] = batch
    }
    for axis in 0..<spatial { output[axis + 1] = direction == .toBatch ? small[axis] : image[axis] }
    let shape = SpaceBatchShape(
      batch: batch, image: (image[0], image[1]),
      pixelBytes: try input.shape.last.times(input.type.byteWidth), block: (block[0], block[1]),
      border: (before[0], before[1]), small: (small[0], small[1]))
    return (shape, output)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let shape = try plan(context.operands).shape
    if direction == .toSpace {
      return { (workspace) throws(ModelError) in
        Reference.batchToSpace(
          shape, input: input.pointer(workspace), output: output.pointer(workspace))
      }
    }
    let (zero, width) = (try Pad.zero(like: output.operand), output.type.byteWidth)
    return { (workspace) throws(ModelError) in
      Reference.spaceToBatch(
        shape, input: input.pointer(workspace), output: output.pointer(workspace),
        value: zero.pointer(workspace), width: width)
    }
  }
}

extension SpaceBatch {
  static func reader(_ direction: Direction) -> OperatorReader {
    { (_) throws(ModelError) in SpaceBatch(direction).erased }
  }
}
