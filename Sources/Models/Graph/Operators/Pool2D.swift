import FaceKitKernels
import FaceKitTensor

/// MAX_POOL_2D, AVERAGE_POOL_2D and L2_POOL_2D: `[N, H, W, C]` gives `[N, H′, W′, C]`.
package struct Pool2D: Operator {
  /// What a window is reduced to.
  package enum Kind: Sendable, Hashable {
    case maximum, average, rootMeanSquare
  }

  package var kind: Kind
  package var padding: Padding
  package var filterHeight, filterWidth: Int
  package var strideHeight, strideWidth: Int
  package var activation: Activation

  package init(
    _ kind: Kind, padding: Padding, filterHeight: Int, filterWidth: Int, strideHeight: Int,
    strideWidth: Int, activation: Activation = .none
  ) {
    self.kind = kind
    self.padding = padding
    self.filterHeight = filterHeight
    self.filterWidth = filterWidth
    self.strideHeight = strideHeight
    self.strideWidth = strideWidth
    self.activation = activation
  }

  package var name: String {
    switch kind {
    case .maximum: "MAX_POOL_2D"
    case .average: "AVERAGE_POOL_2D"
    case .rootMeanSquare: "L2_POOL_2D"
    }
  }

  package var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("filter", "\(filterHeight)×\(filterWidth)"),
      Attribute("stride", "\(strideHeight)×\(strideWidth)"),
      Attribute("activation", activation.name),
    ]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    if kind == .rootMeanSquare {
      try input.check("the input", type: .float32, rank: 4...4)
    } else {
      try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 4...4)
    }
    if input.type != .float32 { _ = try input.perTensorQuantization("the input") }
    let window = try shape(input.shape).window
    return [
      TensorType(
        input.type, [input.shape[0], window.outputHeight, window.outputWidth, input.shape[3]])
    ]
  }

  func shape(_ input: Shape) throws(ModelError) -> PoolShape {
    PoolShape(
      batch: input[0], channels: input[3],
      window: try WindowGrid(
        input: input, kernel: (filterHeight, filterWidth), stride: (strideHeight, strideWidth),
        padding: padding
      ).cropped())
  }

  package var kernels: [KernelCandidate] {
    kind == .maximum ? [blocked, reference()] : [reference()]
  }

  private var blocked: KernelCandidate {
    KernelCandidate(
      "f32_max_pool_row", backend: .simd, types: [.float32],
      layout: .blocked(acceptsRowMajor: false), hasTiers: true,
      note: "float map in the blocked layout",
      make: { (context) throws(ModelError) in
        let (input, output) = (context.input(0), context.output)
        let kernel = BlockedPool(
          channels: input.shape[3], window: try shape(input.shape).window,
          bounds: activation.bounds, isa: context.isa)
        let height = kernel.output.height
        return context.rowKernel(
          rows: input.shape[0] * height, cost: input.storedCount,
          scratchBytes: kernel.scratchBytes
        ) { workspace, rows, scratch in
          forEachImage(rows, height) { n, rows in
            kernel.run(
              rows: rows, from: input.floats(workspace) + n * kernel.input.floatCount,
              to: output.floats(workspace) + n * kernel.output.floatCount, scratch: scratch)
          }
        }
      })
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, kind) = (context.input(0), context.output, kind)
    let shape = try shape(input.shape)
    let type = input.type
    if type != .float32 {
      let bounds = try output.operand.quantizedBounds(activation)
      return { (workspace) throws(ModelError) in
        let (x, y) = (input.pointer(workspace), output.pointer(workspace))
        if kind == .maximum {
          Reference.maxPool(quantized: type, input: x, output: y, shape: shape, activation: bounds)
        } else {
          Reference.averagePool(
            quantized: type, input: x, output: y, shape: shape, activation: bounds)
        }
      }
    }
    let bounds = activation.bounds
    return { (workspace) throws(ModelError) in
      let (x, y) = (input.floats(workspace), output.floats(workspace))
      switch kind {
      case .maximum: Reference.maxPool(input: x, output: y, shape: shape, activation: bounds)
      case .average: Reference.averagePool(input: x, output: y, shape: shape, activation: bounds)
      case .rootMeanSquare: Reference.l2Pool(input: x, output: y, shape: shape, activation: bounds)
      }
    }
  }
}

extension Pool2D {
  static func reader(_ kind: Kind) -> OperatorReader {
    { (source) throws(ModelError) in
      let options = try source.options()
      return Pool2D(
        kind, padding: try options.padding(0),
        filterHeight: try options.positive(4, "filter_height"),
        filterWidth: try options.positive(3, "filter_width"),
        strideHeight: try options.positive(2, "stride_h"),
        strideWidth: try options.positive(1, "stride_w"),
        activation: try options.activation(5)
      ).erased
    }
  }
}
