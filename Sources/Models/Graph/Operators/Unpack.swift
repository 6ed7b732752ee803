import FaceKitKernels
import FaceKitTensor

/// UNPACK: the slices along an axis, each its own output.
package struct Unpack: Operator, ReadableOperator {
  package var axis: Int
  package var count: Int

  package init(axis: Int, count: Int) {
    self.axis = axis
    self.count = count
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    count = try options.int(0)
    axis = try options.int(1)
  }

  package var name: String { "UNPACK" }
  package var attributes: [Attribute] {
    [Attribute("axis", "\(axis)"), Attribute("num", "\(count)")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkAddressable("the input")
    let axis = try input.shape.axis(axis)
    guard input.shape[axis] == count, count <= 1 << 16 else {
      throw ModelError(.shape, "\(count) slices of \(input.shape) along axis \(axis)")
    }
    var shape = input.shape
    shape.extents.remove(at: axis)
    return [TensorType](repeating: TensorType(input.type, shape), count: count)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let input = context.input(0)
    let axis = try input.shape.axis(axis)
    let bytes = input.shape.inner(after: axis) * input.type.byteWidth
    let rows = input.shape.outer(before: axis)
    let rowBytes = input.shape[axis] * bytes
    let outputs = context.outputs
    return { (workspace) throws(ModelError) in
      for (index, output) in outputs.enumerated() {
        Reference.copyRows(
          from: input.pointer(workspace) + index * bytes, to: output.pointer(workspace),
          rows: rows, rowBytes: bytes, sourceRowBytes: rowBytes, targetRowBytes: bytes)
      }
    }
  }
}
