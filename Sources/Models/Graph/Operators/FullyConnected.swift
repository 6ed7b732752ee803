import FaceKitKernels
import FaceKitTensor

/// FULLY_CONNECTED: `y = act(x · wᵀ + b)`, the input seen as rows of the weights' depth.
package struct FullyConnected: Operator, ReadableOperator {
  package var activation: Activation
  /// Whether the output keeps the input's outer extents, or is a matrix.
  package var keepsDimensions: Bool

  package init(activation: Activation = .none, keepsDimensions: Bool = false) {
    self.activation = activation
    self.keepsDimensions = keepsDimensions
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options()
    activation = try options.activation(0)
    keepsDimensions = try options.bool(2)
    guard try options.enumeration(1) == 0 else {
      throw ModelError(.option, "shuffled weights are not supported")
    }
  }

  package var name: String { "FULLY_CONNECTED" }
  package var attributes: [Attribute] {
    [
      Attribute("activation", activation.name), Attribute("keep_num_dims", "\(keepsDimensions)"),
    ]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...3)
    let (input, weights) = (try inputs[0], try inputs[1])
    try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 1...8)
    try weights.check("the weights", type: .float32, .int8, .uint8, .int4, rank: 2...2)
    try Convolution.check(
      input: input, filter: weights, bias: inputs.optional(2), outputChannels: weights.shape[0])
    let (units, depth) = (weights.shape[0], weights.shape[1])
    let count = try input.shape.safeCount()
    guard depth > 0, count % depth == 0 else {
      throw ModelError(.shape, "an input \(input.shape) is not rows of \(depth)")
    }
    if keepsDimensions {
      guard input.shape.last == depth else {
        throw ModelError(.shape, "the innermost extent of \(input.shape) is not \(depth)")
      }
      return [TensorType(input.type, Shape(input.shape.extents.dropLast() + [units]))]
    }
    return [TensorType(input.type, [count / depth, units])]
  }

  package var kernels: [KernelCandidate] {
    [
      Convolution.integerProducts(
        activation,
        shape: { (input, weights) throws(ModelError) in
          FullyConnected.pointwise(rows: input.count / weights[1], weights)
        }),
      blas, reference(),
    ]
  }

  /// On integers it is the 1×1 convolution of an image with a pixel for each row.
  private static func pointwise(rows: Int, _ weights: Shape) -> ConvolutionShape {
    ConvolutionShape(
      batch: 1, inputChannels: weights[1], outputChannels: weights[0], filterChannels: weights[1],
      window: WindowGrid(
        input: (1, rows), kernel: (1, 1), stride: (1, 1), output: (1, rows), padding: (0, 0)))
  }

  private var blas: KernelCandidate {
    KernelCandidate(
      "BLAS matrix product", backend: .blas, types: [.float32], note: "SGEMM",
      declines: { _ in BLAS.shared == nil ? "there is no BLAS library" : nil },
      make: { (context) throws(ModelError) in
        let (input, weights, bias) = (context.input(0), context.input(1), context.optional(2))
        let output = context.output
        let (units, depth) = (weights.shape[0], weights.shape[1])
        let rows = input.count / depth
        guard let blas = BLAS.shared else {
          throw ModelError(.notFound, "there is no BLAS library")
        }
        let matrix = try Convolution.floatWeights(weights)
        let product = BLASMatrixProduct(
          units: units, depth: depth, activation: activation.bounds, blas: blas)
        return { (workspace) throws(ModelError) in
          product.run(
            rows: rows, input: input.floats(workspace), weights: matrix.floats(workspace),
            bias: bias?.floats(workspace), output: output.floats(workspace))
        }
      })
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, weights, bias) = (context.input(0), context.input(1), context.optional(2))
    let output = context.output
    let (units, depth) = (weights.shape[0], weights.shape[1])
    let rows = input.count / depth
    if input.type != .float32 {
      return try Convolution.lowerQuantized(
        context, shape: FullyConnected.pointwise(rows: rows, weights.shape),
        activation: activation, kind: .full)
    }
    let matrix = try Convolution.floatWeights(weights)
    let bounds = activation.bounds
    return { (workspace) throws(ModelError) in
      Reference.fullyConnected(
        input: input.floats(workspace), weights: matrix.floats(workspace),
        bias: bias?.floats(workspace), output: output.floats(workspace), rows: rows,
        depth: depth, units: units, activation: bounds)
    }
  }

  package func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let weights = inputs.optional(1)?.shape, weights.rank == 2, let output = outputs.first
    else { return 0 }
    return output.shape.count * weights[1]
  }
}
