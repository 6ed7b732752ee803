import FaceKitKernels
import FaceKitTensor

/// PAD and PADV2: values around a tensor on any axis — zeros (the zero point, if quantised) or a given
/// one.
package struct Pad: Operator {
  /// Whether the third input is the value: PADV2.
  package var hasValue: Bool

  package init(hasValue: Bool = false) { self.hasValue = hasValue }

  package var name: String { hasValue ? "PADV2" : "PAD" }
  package var pattern: RewritePattern { hasValue ? .other : RewritePattern(.pad) }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(hasValue ? 3...3 : 2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    if hasValue {
      let value = try inputs[2]
      try value.checkSameType(as: input, "the value")
      guard value.shape.checkedCount == 1 else {
        throw ModelError(.shape, "the value has the shape \(value.shape)")
      }
    }
    let paddings = try Pad.paddings(inputs, rank: input.shape.rank)
    var extents: [Int] = []
    for (axis, padding) in paddings.enumerated() {
      extents.append(try input.shape[axis].plus(padding.before).plus(padding.after))
    }
    return [TensorType(input.type, Shape(extents))]
  }

  /// Elements before and after each axis, from the second input, `[rank, 2]`.
  static func paddings(
    _ inputs: Operands, rank: Int
  ) throws(ModelError) -> [(before: Int, after: Int)] {
    let shape = try inputs[1].shape
    guard shape.rank == 2, shape[0] == rank, shape[1] == 2 else {
      throw ModelError(.shape, "paddings \(shape) for a tensor of rank \(rank)")
    }
    let values = try inputs.integers(1)
    var paddings: [(before: Int, after: Int)] = []
    for axis in 0..<rank {
      let (before, after) = (values[2 * axis], values[2 * axis + 1])
      guard before >= 0, after >= 0 else {
        throw ModelError(.option, "the padding \(before), \(after) of axis \(axis)")
      }
      paddings.append((before, after))
    }
    return paddings
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let paddings = try Pad.paddings(context.operands, rank: input.shape.rank)
    let width = input.type.byteWidth
    let steps = output.shape.strides
    var offset = 0
    for (axis, padding) in paddings.enumerated() { offset += padding.before * steps[axis] }
    let plan = StridedCopy(
      extents: input.shape.extents, source: input.shape.strides, destination: steps,
      destinationOffset: offset, width: width)
    let value = hasValue ? context.input(2) : try Pad.zero(like: output.operand)
    let count = output.count
    return { (workspace) throws(ModelError) in
      let target = output.pointer(workspace)
      Reference.fill(target, with: value.pointer(workspace), width: width, count: count)
      Reference.copy(plan, from: input.pointer(workspace), to: target)
    }
  }

  /// One element that stands for zero.
  static func zero(like operand: Operand) throws(ModelError) -> TensorBinding {
    let storage = Storage(count: 16)
    if operand.isQuantized {
      let zero = try operand.perTensorQuantization("the output").zeroPoint
      storage.base.storeBytes(of: Int64(zero).littleEndian, as: Int64.self)
    }
    let view = StorageView(storage)
    return TensorBinding(
      operand: Operand(type: operand.type, shape: .scalar, constant: view), layout: .rowMajor,
      place: .constant(view))
  }
}

extension Pad {
  static func reader(hasValue: Bool) -> OperatorReader {
    { (_) throws(ModelError) in Pad(hasValue: hasValue).erased }
  }
}
