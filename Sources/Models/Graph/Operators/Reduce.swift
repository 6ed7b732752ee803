import FaceKitKernels
import FaceKitTensor

/// MEAN, SUM, REDUCE_MAX …: folds the axes named by the second input.
package struct Reduce: Operator {
  package let name: String
  package let function: ReductionFunction
  /// Whether folded axes stay, with extent 1.
  package let keepsDimensions: Bool

  package init(_ name: String, _ function: ReductionFunction, keepsDimensions: Bool) {
    self.name = name
    self.function = function
    self.keepsDimensions = keepsDimensions
  }

  package var pattern: RewritePattern {
    function == .mean ? RewritePattern(.mean(keepsDimensions: keepsDimensions)) : .other
  }

  package var attributes: [Attribute] { [Attribute("keep_dims", "\(keepsDimensions)")] }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    switch function {
    case .any, .all: try input.check("the input", type: .bool)
    case .product: try input.check("the input", type: .float32, .int32, .int64)
    default:
      try input.check("the input", type: .float32, .int32, .int64, .int8, .uint8, .int16)
    }
    if isQuantizedArithmetic(input) { _ = try input.perTensorQuantization("the input") }
    let isFolded = try input.shape.axisSet(try inputs.integers(1))
    var extents: [Int] = []
    for (axis, extent) in input.shape.extents.enumerated() {
      if !isFolded[axis] {
        extents.append(extent)
      } else if keepsDimensions {
        extents.append(1)
      }
    }
    return [TensorType(input.type, Shape(extents))]
  }

  private func isQuantizedArithmetic(_ input: Operand) -> Bool {
    input.isQuantized && (function == .sum || function == .mean)
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, function) = (context.input(0), context.output, function)
    let isFolded = try input.shape.axisSet(try context.operands.integers(1))
    let reduction = Reduction(extents: input.shape.extents, isFolded: isFolded)
    let type = input.type
    if type == .float32 {
      return { (workspace) throws(ModelError) in
        Reference.reduce(
          function, input: input.floats(workspace), output: output.floats(workspace),
          reduction: reduction)
      }
    }
    if type == .bool {
      return { (workspace) throws(ModelError) in
        Reference.reduce(
          function, booleans: input.pointer(workspace, as: UInt8.self),
          output: output.pointer(workspace, as: UInt8.self), reduction: reduction)
      }
    }
    if isQuantizedArithmetic(input.operand) {
      return try lowerQuantized(input, output, reduction)
    }
    return { (workspace) throws(ModelError) in
      guard
        Reference.reduce(
          function, integers: type, input: input.pointer(workspace),
          output: output.pointer(workspace), reduction: reduction)
      else { throw .noKernel(for: type) }
    }
  }

  /// Sums of `x − zero` times one factor; a mean's count is folded into the factor.
  private func lowerQuantized(
    _ input: TensorBinding, _ output: TensorBinding, _ reduction: Reduction
  ) throws(ModelError) -> NodeKernel {
    let x = try input.operand.perTensorQuantization("the input")
    let y = try output.operand.perTensorQuantization("the output")
    var factor = FixedPointFactor(Double(x.scale) / Double(y.scale))
    if function == .mean { factor = factor.divided(by: reduction.foldedCount) }
    let (type, scaled) = (input.type, factor)
    let (zeros, bounds) = ((x.zeroPoint, y.zeroPoint), type.quantizedRange)
    return { (workspace) throws(ModelError) in
      Reference.quantizedSum(
        type: type, input: input.pointer(workspace), output: output.pointer(workspace),
        reduction: reduction, factor: scaled, zeros: zeros, bounds: bounds)
    }
  }
}

extension Reduce {
  static func reader(_ function: ReductionFunction) -> OperatorReader {
    { (source) throws(ModelError) in
      let keeps = try source.options().bool(0)
      return Reduce(source.name, function, keepsDimensions: keeps).erased
    }
  }
}
