import FaceKitKernels
import FaceKitTensor

/// SQUEEZE: drops extents of 1.
public struct Squeeze: Operator, ReadableOperator {
  /// The axes to drop; empty for all.
  public var axes: [Int]

  public init(axes: [Int] = []) { self.axes = axes }

  init(_ source: OperatorSource) throws(ModelError) {
    self.init(axes: try source.options().ints(0) ?? [])
  }

  public var name: String { "SQUEEZE" }
  public var kernels: [KernelCandidate] { [reference(overwrites: [0])] }
  public var attributes: [Attribute] { [Attribute("axes", "\(axes.count)")] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}
