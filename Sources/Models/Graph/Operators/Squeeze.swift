import FaceKitKernels
import FaceKitTensor

/// SQUEEZE: drops extents of 1.
package struct Squeeze: Operator, ReadableOperator {
  /// The axes to drop; empty for all.
  package var axes: [Int]

  package init(axes: [Int] = []) { self.axes = axes }

  init(_ source: OperatorSource) throws(ModelError) {
    self.init(axes: try source.options().ints(0) ?? [])
  }

  package var name: String { "SQUEEZE" }
  package var kernels: [KernelCandidate] { [reference(overwrites: [0])] }
  package var attributes: [Attribute] { [Attribute("axes", "\(axes.count)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.checkMovable("the input")
    let dropped =
      axes.isEmpty ? input.shape.extents.map { $0 == 1 } : try input.shape.axisSet(axes)
    var extents: [Int] = []
    for (axis, extent) in input.shape.extents.enumerated() {
      if !dropped[axis] {
        extents.append(extent)
      } else if extent != 1 {
        throw ModelError(.shape, "axis \(axis) has extent \(extent) and cannot be dropped")
      }
    }
    return [TensorType(input.type, Shape(extents))]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}
