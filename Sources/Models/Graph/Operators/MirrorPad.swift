import FaceKitKernels
import FaceKitTensor

/// MIRROR_PAD: the tensor's own elements around it, reflected at its border.
package struct MirrorPad: Operator, ReadableOperator {
  /// Whether the border itself is repeated (SYMMETRIC) or not (REFLECT).
  package var isSymmetric: Bool

  package init(isSymmetric: Bool) { self.isSymmetric = isSymmetric }

  init(_ source: OperatorSource) throws(ModelError) {
    switch try source.options().enumeration(0) {
    case 0: isSymmetric = false
    case 1: isSymmetric = true
    case let mode: throw ModelError(.option, "mirror mode \(mode) is not defined")
    }
  }

  package var name: String { "MIRROR_PAD" }
  package var attributes: [Attribute] {
    [Attribute("mode", isSymmetric ? "symmetric" : "reflect")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let paddings = try Pad.paddings(inputs, rank: input.shape.rank)
    var extents: [Int] = []
    for (axis, padding) in paddings.enumerated() {
      let extent = input.shape[axis]
      let limit = isSymmetric ? extent : extent - 1
      guard Swift.max(padding.before, padding.after) <= Swift.max(limit, 0) else {
        throw ModelError(.option, "axis \(axis) of extent \(extent) is too short to mirror")
      }
      extents.append(try extent.plus(padding.before).plus(padding.after))
    }
    return [TensorType(input.type, Shape(extents))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let paddings = try Pad.paddings(context.operands, rank: input.shape.rank)
    let width = input.type.byteWidth
    let (extents, strides) = (Dimensions(input.shape.extents), Dimensions(input.shape.strides))
    let (outputExtents, before) = (
      Dimensions(output.shape.extents), Dimensions(paddings.map { $0.before })
    )
    let mirror: Mirror = isSymmetric ? .symmetric : .reflect
    return { (workspace) throws(ModelError) in
      Reference.mirrorPad(
        input.pointer(workspace), extents: extents, strides: strides, before: before,
        mirror: mirror, output: output.pointer(workspace), outputExtents: outputExtents,
        width: width)
    }
  }
}
