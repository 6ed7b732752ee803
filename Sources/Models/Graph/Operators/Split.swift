import FaceKitKernels
import FaceKitTensor

/// SPLIT into equal parts and SPLIT_V into given ones, along one axis.
package struct Split: Operator {
  /// Whether it is SPLIT_V, whose inputs are the tensor, the sizes of the parts, and the axis. Those of
  /// SPLIT are the axis and the tensor.
  package var hasSizes: Bool
  /// How many outputs there are.
  package var parts: Int

  package init(parts: Int, hasSizes: Bool) {
    self.parts = parts
    self.hasSizes = hasSizes
  }

  package var name: String { hasSizes ? "SPLIT_V" : "SPLIT" }
  package var attributes: [Attribute] { [Attribute("num_splits", "\(parts)")] }

  private var tensorIndex: Int { hasSizes ? 0 : 1 }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(hasSizes ? 3...3 : 2...2)
    let input = try inputs[tensorIndex]
    try input.checkAddressable("the input")
    let (axis, sizes) = try plan(inputs)
    var types: [TensorType] = []
    for size in sizes {
      var shape = input.shape
      shape[axis] = size
      types.append(TensorType(input.type, shape))
    }
    return types
  }

  private func plan(_ inputs: Operands) throws(ModelError) -> (axis: Int, sizes: [Int]) {
    let shape = try inputs[tensorIndex].shape
    let axes = try inputs.integers(hasSizes ? 2 : 0)
    guard axes.count == 1 else { throw ModelError(.shape, "\(axes.count) axes to split along") }
    let axis = try shape.axis(axes[0])
    let extent = shape[axis]
    guard hasSizes else {
      guard parts >= 1, extent % parts == 0 else {
        throw ModelError(.option, "an extent of \(extent) in \(parts) equal parts")
      }
      // The outputs are listed in the file, so there cannot be more than it names.
      guard parts <= 1 << 16 else { throw ModelError(.resourceLimit, "\(parts) parts") }
      return (axis, [Int](repeating: extent / parts, count: parts))
    }
    var sizes = try inputs.integers(1)
    var known = 0
    var open: Int?
    for (index, size) in sizes.enumerated() {
      if size == -1 && open == nil {
        open = index
      } else if size >= 0 {
        known = try known.plus(size)
      } else {
        throw ModelError(.option, "the size \(size)")
      }
    }
    if let open, known <= extent {
      sizes[open] = extent - known
      known = extent
    }
    guard known == extent else {
      throw ModelError(.shape, "parts of \(known) in all for an extent of \(extent)")
    }
    return (axis, sizes)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(tensorIndex)
    let (axis, _) = try plan(context.operands)
    let unit = input.shape.inner(after: axis) * input.type.byteWidth
    let rows = input.shape.outer(before: axis)
    let rowBytes = input.shape[axis] * unit
    let outputs = context.outputs
    return { (workspace) throws(ModelError) in
      var offset = 0
      for output in outputs {
        let bytes = output.shape[axis] * unit
        Reference.copyRows(
          from: input.pointer(workspace) + offset, to: output.pointer(workspace), rows: rows,
          rowBytes: bytes, sourceRowBytes: rowBytes, targetRowBytes: bytes)
        offset += bytes
      }
    }
  }
}

extension Split {
  static func reader(hasSizes: Bool) -> OperatorReader {
    { (source) throws(ModelError) in
      Split(parts: try source.options().int(0), hasSizes: hasSizes).erased
    }
  }
}
