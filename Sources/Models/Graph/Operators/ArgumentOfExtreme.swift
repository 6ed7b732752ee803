import FaceKitKernels
import FaceKitTensor

/// ARG_MAX and ARG_MIN: the place of the largest or smallest element along an axis.
package struct ArgumentOfExtreme: Operator {
  package var isMaximum: Bool
  package var type: ElementType

  package init(isMaximum: Bool, type: ElementType = .int32) {
    self.isMaximum = isMaximum
    self.type = type
  }

  package var name: String { isMaximum ? "ARG_MAX" : "ARG_MIN" }
  package var attributes: [Attribute] { [Attribute("output_type", type.name)] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let axis = try axis(context.operands)
    let (outer, inner) = (input.shape.outer(before: axis), input.shape.inner(after: axis))
    let (count, isMaximum) = (input.shape[axis], isMaximum)
    return { (workspace) throws(ModelError) in
      guard
        Reference.argument(
          isMaximum: isMaximum, type: input.type, input: input.pointer(workspace),
          output: output.pointer(workspace), outputType: output.type, outer: outer, count: count,
          inner: inner)
      else { throw .noKernel(for: input.type) }
    }
  }
}

extension ArgumentOfExtreme {
  static func reader(isMaximum: Bool) -> OperatorReader {
    { (source) throws(ModelError) in
      let kind = try source.options().enumeration(0)
      // Absent, the option reads as FLOAT32: trust the tensor.
      let isWide = kind == 4 || (kind != 2 && source.outputTypes.first == .int64)
      return ArgumentOfExtreme(isMaximum: isMaximum, type: isWide ? .int64 : .int32).erased
    }
  }
}
