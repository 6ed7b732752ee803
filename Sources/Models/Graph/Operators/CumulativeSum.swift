import FaceKitKernels
import FaceKitTensor

/// CUMSUM: running sums along an axis.
package struct CumulativeSum: Operator, ReadableOperator {
  package var isExclusive, isReversed: Bool

  package init(isExclusive: Bool = false, isReversed: Bool = false) {
    self.isExclusive = isExclusive
    self.isReversed = isReversed
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    self.init(isExclusive: try options.bool(0), isReversed: try options.bool(1))
  }

  package var name: String { "CUMSUM" }
  package var attributes: [Attribute] {
    [Attribute("exclusive", "\(isExclusive)"), Attribute("reverse", "\(isReversed)")]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let input = try inputs[0]
    try input.check("the input", type: .float32, .int32, .int64, rank: 1...8)
    _ = try axis(inputs)
    return [TensorType(input.type, input.shape)]
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
    let (count, isExclusive, isReversed) = (input.shape[axis], isExclusive, isReversed)
    return { (workspace) throws(ModelError) in
      guard
        Reference.cumulativeSum(
          type: input.type, input: input.pointer(workspace), output: output.pointer(workspace),
          outer: outer, count: count, inner: inner, isExclusive: isExclusive,
          isReversed: isReversed)
      else { throw .noKernel(for: input.type) }
    }
  }
}
