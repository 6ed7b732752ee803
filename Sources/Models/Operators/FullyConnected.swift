import FaceKitKernels
import FaceKitTensor

/// FULLY_CONNECTED: `y = act(x · wᵀ + b)`, the input seen as rows of the weights' depth.
public struct FullyConnected: Operator, ReadableOperator {
  public var activation: Activation
  /// Whether the output keeps the input's outer extents, or is a matrix.
  public var keepsDimensions: Bool

  public init(activation: Activation = .none, keepsDimensions: Bool = false) {
    self.activation = activation
    self.keepsDimensions = keepsDimensions
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(8)
    activation = try options.activation(0)
    keepsDimensions = try options.bool(2)
    guard try options.enumeration(1) == 0 else {
      throw ModelError(.option, "shuffled weights are not supported")
    }
  }

  public var name: String { "FULLY_CONNECTED" }
  public var attributes: [Attribute] {
    [
      Attribute("activation", activation.name), Attribute("keep_num_dims", "\(keepsDimensions)"),
    ]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    if context.backend == .blas, let kernel = try lowerBLAS(&context) { return kernel }
    return try lowerReference(&context)
  }

  /// `nil` where BLAS cannot help: integers.
  private func lowerBLAS(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel? {
    let (input, weights, bias) = (context.input(0), context.input(1), context.optional(2))
    let output = context.output
    guard input.type == .float32, let blas = BLAS.shared else { return nil }
    let (units, depth) = (weights.shape[0], weights.shape[1])
    let rows = input.count / depth
    let matrix = try Convolution.floatWeights(weights)
    let product = BLASMatrixProduct(
      units: units, depth: depth, activation: activation.bounds, blas: blas)
    return { (workspace) throws(ModelError) in
      product.run(
        rows: rows, input: input.floats(workspace), weights: matrix.floats(workspace),
        bias: bias?.floats(workspace), output: output.floats(workspace))
    }
  }

  /// The textbook loops.
  func lowerReference(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, weights, bias) = (context.input(0), context.input(1), context.optional(2))
    let output = context.output
    let (units, depth) = (weights.shape[0], weights.shape[1])
    let rows = input.count / depth
    if input.type != .float32 {
      // On integers it is the 1×1 convolution of an image with a pixel for each row.
      let window = WindowGrid(
        input: (1, rows), kernel: (1, 1), stride: (1, 1), output: (1, rows), padding: (0, 0))
      let shape = ConvolutionShape(
        batch: 1, inputChannels: depth, outputChannels: units, filterChannels: depth,
        window: window)
      if let kernel = try Convolution.lowerIntegers(
        &context, shape: shape, activation: activation, kind: .full)
      {
        return kernel
      }
      return try Convolution.lowerQuantized(
        context, shape: shape, activation: activation, kind: .full)
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

  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let weights = inputs.optional(1)?.shape, weights.rank == 2, let output = outputs.first
    else { return 0 }
    return output.shape.count * weights[1]
  }
}

/// BATCH_MATMUL: a matrix product for each pair of matrices, the outer extents broadcast.
public struct BatchMatMul: Operator, ReadableOperator {
  /// Whether an operand is stored with its last two axes swapped.
  public var adjointX, adjointY: Bool

  public init(adjointX: Bool = false, adjointY: Bool = false) {
    self.adjointX = adjointX
    self.adjointY = adjointY
  }

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.options(101)
    self.init(adjointX: try options.bool(0), adjointY: try options.bool(1))
  }

  public var name: String { "BATCH_MATMUL" }
  public var attributes: [Attribute] {
    [Attribute("adj_x", "\(adjointX)"), Attribute("adj_y", "\(adjointY)")]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (a, b) = (try inputs[0], try inputs[1])
    try a.check("the first input", type: .float32, .int8, rank: 2...8)
    try b.check("the second input", rank: 2...8)
    try b.checkSameType(as: a, "the second input")
    if a.type != .float32 {
      _ = try a.perTensorQuantization("the first input")
      _ = try b.perTensorQuantization("the second input")
    }
    let (extents, batch) = (matrix(a.shape, b.shape), try batch(a.shape, b.shape))
    guard extents.depth == extents.otherDepth else {
      throw ModelError(.shape, "\(a.shape) and \(b.shape) do not multiply")
    }
    return [TensorType(a.type, Shape(batch.extents + [extents.rows, extents.columns]))]
  }

  private func matrix(
    _ a: Shape, _ b: Shape
  ) -> (rows: Int, depth: Int, otherDepth: Int, columns: Int) {
    let (a0, a1) = (a[a.rank - 2], a[a.rank - 1])
    let (b0, b1) = (b[b.rank - 2], b[b.rank - 1])
    return (
      adjointX ? a1 : a0, adjointX ? a0 : a1, adjointY ? b1 : b0, adjointY ? b0 : b1
    )
  }

  private func batch(_ a: Shape, _ b: Shape) throws(ModelError) -> Shape {
    try Shape([Int](a.extents.dropLast(2))).broadcast(with: Shape([Int](b.extents.dropLast(2))))
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (a, b, output) = (context.input(0), context.input(1), context.output)
    let extents = matrix(a.shape, b.shape)
    let outer = { (shape: Shape) in Shape([Int](shape.extents.dropLast(2))) }
    let loop = StridedLoop(
      broadcasting: [outer(a.shape), outer(b.shape), outer(output.shape)],
      to: outer(output.shape))
    let (adjointX, adjointY) = (adjointX, adjointY)
    if a.type != .float32 {
      return try context.throughFloats { a, b, output in
        Reference.batchMatrixProduct(
          a, isTransposed: adjointX, b!, isTransposed: adjointY, output: output,
          rows: extents.rows, depth: extents.depth, columns: extents.columns, loop: loop)
      }
    }
    return { (workspace) throws(ModelError) in
      Reference.batchMatrixProduct(
        a.floats(workspace), isTransposed: adjointX, b.floats(workspace), isTransposed: adjointY,
        output: output.floats(workspace), rows: extents.rows, depth: extents.depth,
        columns: extents.columns, loop: loop)
    }
  }

  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let a = inputs.optional(0)?.shape, a.rank >= 2, let output = outputs.first
    else { return 0 }
    return output.shape.count * (adjointX ? a[a.rank - 2] : a[a.rank - 1])
  }
}

extension OperatorRegistry {
  static let convolution: [OperatorEntry] = [
    OperatorEntry(3, "CONV_2D", Conv2D.self),
    OperatorEntry(4, "DEPTHWISE_CONV_2D", DepthwiseConv2D.self),
    OperatorEntry(67, "TRANSPOSE_CONV", TransposeConv2D.self),
    OperatorEntry(9, "FULLY_CONNECTED", FullyConnected.self),
    OperatorEntry(132, "CONV_3D", Conv3D.self),
    OperatorEntry(126, "BATCH_MATMUL", BatchMatMul.self),
  ]
}
