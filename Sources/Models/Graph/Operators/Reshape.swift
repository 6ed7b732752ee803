import FaceKitKernels
import FaceKitTensor

/// RESHAPE to a shape from its options or from a second input.
package struct Reshape: Operator {
  /// The shape in the options; `nil` if absent.
  package var newShape: [Int]?

  package init(newShape: [Int]? = nil) { self.newShape = newShape }

  package var name: String { "RESHAPE" }
  package var kernels: [KernelCandidate] { [reference(overwrites: [0])] }

  package var attributes: [Attribute] {
    guard let newShape else { return [] }
    return [Attribute("new_shape", "\(Shape(newShape))")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...2)
    let input = try inputs[0]
    try input.checkMovable("the input")
    return [TensorType(input.type, try shape(inputs, of: input.shape))]
  }

  /// The shape asked for, with its −1 filled in.
  private func shape(_ inputs: Operands, of input: Shape) throws(ModelError) -> Shape {
    var wanted: [Int]
    // A shape tensor of another rank or type is ignored, as in TensorFlow Lite.
    if let tensor = inputs.optional(1), tensor.type == .int32, tensor.shape.rank == 1 {
      wanted = try inputs.integers(1)
    } else if let newShape {
      // How old converters wrote "scalar".
      wanted = newShape == [0] ? [] : newShape
    } else {
      throw ModelError(.option, "neither a shape input nor a new_shape option")
    }
    guard wanted.count <= Dimensions.maximumRank else {
      throw ModelError(.shape, "rank \(wanted.count); at most 8 is supported")
    }
    let count = try input.safeCount()
    var known = 1
    var open: Int?
    for (axis, extent) in wanted.enumerated() {
      if extent == -1 && open == nil {
        open = axis
      } else if extent >= 0 {
        known = try known.times(extent)
      } else {
        throw ModelError(.shape, "extent \(extent) in the new shape \(Shape(wanted))")
      }
    }
    if let open {
      guard known > 0, count % known == 0 else {
        throw ModelError(.shape, "\(count) elements do not fill \(Shape(wanted))")
      }
      wanted[open] = count / known
    } else if known != count {
      throw ModelError(.shape, "\(input) does not reshape to \(Shape(wanted))")
    }
    return Shape(wanted)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    context.copyKernel()
  }
}

extension Reshape: ReadableOperator {
  init(_ source: OperatorSource) throws(ModelError) {
    self.init(newShape: try source.options().ints(0))
  }
}
