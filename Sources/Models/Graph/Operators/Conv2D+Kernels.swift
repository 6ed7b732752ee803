import FaceKitKernels
import FaceKitTensor

extension Conv2D {
  package var kernels: [KernelCandidate] {
    switch kind {
    case .dense:
      [
        blockedDense,
        Convolution.integerProducts(activation, shape: convolutionShape),
        blas, reference(),
      ]
    case .depthwise:
      [
        blockedDepthwise,
        Convolution.integerDepthwise(activation, shape: convolutionShape),
        reference(),
      ]
    }
  }

  private var convolutionShape: Convolution.ShapeOfOperands {
    { (input, filter) throws(ModelError) in try shape(input: input, filter: filter) }
  }

  // MARK: Blocked maps

  private var blockedDense: KernelCandidate {
    KernelCandidate(
      "f32_conv_row", backend: .simd, types: [.float32],
      layout: .blocked(acceptsRowMajor: true),
      // The residual is added pixel by pixel where the sum is stored, so it may be overwritten.
      overwrites: [Input.residual], hasTiers: true,
      note: "float map, constant weights packed in panels at load",
      declines: { request in
        if let reason = Conv2D.blockedRefusal(request) { return reason }
        if request.inputs.optional(Input.weights)?.shape[3]
          != request.inputs.optional(Input.activation)?.shape[3]
        {
          return "the channels are grouped"
        }
        guard addsResidual else { return nil }
        return request.isFloatMap(Input.residual)
          && request.inputs.optional(Input.residual)?.constant == nil
          ? nil : "the residual is constant"
      },
      make: { (context) throws(ModelError) in try makeBlockedDense(&context) })
  }

  private var blockedDepthwise: KernelCandidate {
    KernelCandidate(
      "f32_depthwise_row", backend: .simd, types: [.float32],
      layout: .blocked(acceptsRowMajor: false), hasTiers: true,
      note: "float map, channel multiplier 1, constant weights",
      declines: { request in
        if let reason = Conv2D.blockedRefusal(request) { return reason }
        if request.inputs.optional(Input.weights)?.shape[3]
          != request.inputs.optional(Input.activation)?.shape[3]
        {
          return "the channel multiplier is not 1"
        }
        if strideHeight != strideWidth || dilationHeight != dilationWidth {
          return "strides or dilations differ between height and width"
        }
        return addsResidual ? "it adds no residual" : nil
      },
      make: { (context) throws(ModelError) in try makeBlockedDepthwise(&context) })
  }

  /// What keeps a float convolution from the kernels on blocked maps, dense or depthwise.
  private static func blockedRefusal(_ request: KernelRequest) -> String? {
    if !request.isConstant(Input.weights, .float32) { return "the weights are no float constant" }
    if !request.isAbsentOrConstant(Input.bias, .float32) { return "the bias is not constant" }
    if !request.isAbsentOrConstant(Input.slopes, .float32) { return "the slopes are not constant" }
    return nil
  }

  /// Constants of one convolution.
  struct Parameters {
    var weights: TensorBinding
    var bias: TensorBinding?
    var slopes: TensorBinding?

    init(weights: TensorBinding, bias: TensorBinding?, slopes: TensorBinding?) {
      self.weights = weights
      self.bias = bias
      self.slopes = slopes
    }

    init(_ context: LoweringContext) {
      self.init(
        weights: context.input(Input.weights), bias: context.optional(Input.bias),
        slopes: context.optional(Input.slopes))
    }
  }

  /// The packed kernel of a dense convolution for an input of NHWC extents `input`.
  func packedDense(
    input: Shape, layout: ConvInput, parameters: Parameters, isa: InstructionSet
  ) throws(ModelError) -> BlockedConv2D {
    let shape = try shape(input: input, filter: parameters.weights.shape)
    return BlockedConv2D(
      channels: (shape.inputChannels, shape.outputChannels), window: shape.window, layout: layout,
      weights: parameters.weights.constantFloats!, bias: parameters.bias?.constantFloats,
      slopes: parameters.slopes?.constantFloats, epilogue: activation.epilogue, isa: isa)
  }

  /// The packed kernel of a depthwise convolution for an input of NHWC extents `input`.
  func packedDepthwise(
    input: Shape, parameters: Parameters, isa: InstructionSet
  ) throws(ModelError) -> BlockedDepthwise {
    let shape = try shape(input: input, filter: parameters.weights.shape)
    return BlockedDepthwise(
      channels: shape.inputChannels, window: shape.window,
      weights: parameters.weights.constantFloats!, bias: parameters.bias?.constantFloats,
      slopes: parameters.slopes?.constantFloats, epilogue: activation.epilogue, isa: isa)
  }

  private func makeBlockedDense(
    _ context: inout LoweringContext
  ) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(Input.activation), context.output)
    let residual = context.optional(Input.residual)
    let conv = try packedDense(
      input: input.shape, layout: input.layout == .blocked ? .blocked : .rowMajor,
      parameters: Parameters(context), isa: context.isa)
    let residualMap = residual.map { BlockedMap($0.shape) }
    let inputImage =
      input.layout == .blocked
      ? conv.input.floatCount : conv.input.height * conv.input.width * conv.input.channels
    let height = conv.output.height
    return context.rowKernel(
      rows: input.shape[0] * height, cost: conv.multiplyAccumulates * input.shape[0],
      scratchBytes: conv.scratchBytes
    ) { workspace, rows, scratch in
      forEachImage(rows, height) { n, rows in
        var added: (map: BlockedMap, data: UnsafePointer<Float>)?
        if let residual, let residualMap {
          added = (
            residualMap, UnsafePointer(residual.floats(workspace) + n * residualMap.floatCount)
          )
        }
        conv.run(
          rows: rows, from: input.floats(workspace) + n * inputImage,
          to: output.floats(workspace) + n * conv.output.floatCount, residual: added,
          scratch: scratch)
      }
    }
  }

  private func makeBlockedDepthwise(
    _ context: inout LoweringContext
  ) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(Input.activation), context.output)
    let conv = try packedDepthwise(
      input: input.shape, parameters: Parameters(context), isa: context.isa)
    let height = conv.output.height
    return context.rowKernel(
      rows: input.shape[0] * height, cost: conv.multiplyAccumulates * input.shape[0],
      scratchBytes: conv.scratchBytes
    ) { workspace, rows, scratch in
      forEachImage(rows, height) { n, rows in
        conv.run(
          rows: rows, from: input.floats(workspace) + n * conv.input.floatCount,
          to: output.floats(workspace) + n * conv.output.floatCount, scratch: scratch)
      }
    }
  }

  // MARK: BLAS

  private var blas: KernelCandidate {
    KernelCandidate(
      "BLAS matrix product", backend: .blas, types: [.float32], note: "im2col, then SGEMM",
      declines: { request in
        if BLAS.shared == nil { return "there is no BLAS library" }
        if activation == .prelu || addsResidual { return "it has clamps only" }
        guard let input = request.inputs.optional(Input.activation),
          let filter = request.inputs.optional(Input.weights), filter.shape[3] == input.shape[3]
        else { return "the channels are grouped" }
        return nil
      },
      make: { (context) throws(ModelError) in
        let (input, filter, bias) = (context.input(0), context.input(1), context.optional(2))
        let output = context.output
        let shape = try shape(input: input.shape, filter: filter.shape)
        guard let blas = BLAS.shared,
          let conv = BLASConv2D(shape: shape, activation: activation.bounds, blas: blas)
        else { throw ModelError(.notFound, "there is no BLAS for this convolution") }
        let weights = try Convolution.floatWeights(filter)
        let scratch = context.scratch(bytes: conv.scratchBytes)
        return { (workspace) throws(ModelError) in
          conv.run(
            input: input.floats(workspace), filter: weights.floats(workspace),
            bias: bias?.floats(workspace), output: output.floats(workspace),
            scratch: workspace.arena + scratch)
        }
      })
  }

  // MARK: Reference

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, filter, bias) = (context.input(0), context.input(1), context.optional(2))
    let output = context.output
    let shape = try shape(input: input.shape, filter: filter.shape)
    if input.type != .float32 {
      return try Convolution.lowerQuantized(
        context, shape: shape, activation: activation,
        kind: kind == .dense ? .full : .depthwise)
    }
    let weights = try Convolution.floatWeights(filter)
    let (isDense, addsResidual, activation) = (kind == .dense, addsResidual, activation)
    let (slopes, residual) = (context.optional(Input.slopes), context.optional(Input.residual))
    // A residual comes before the clamp, and PReLU is none.
    let bounds = addsResidual ? Activation.none.bounds : activation.bounds
    return { (workspace) throws(ModelError) in
      let (x, w, y) = (
        input.floats(workspace), weights.floats(workspace), output.floats(workspace)
      )
      if isDense {
        Reference.conv2D(
          input: x, filter: w, bias: bias?.floats(workspace), output: y, shape: shape,
          activation: bounds)
      } else {
        Reference.depthwiseConv2D(
          input: x, filter: w, bias: bias?.floats(workspace), output: y, shape: shape,
          activation: bounds)
      }
      if addsResidual || activation == .prelu {
        Reference.addAndActivate(
          y, pixels: output.count / shape.outputChannels, channels: shape.outputChannels,
          residual: residual?.floats(workspace), residualChannels: residual?.shape[3] ?? 0,
          slopes: slopes?.floats(workspace), bounds: activation.bounds)
      }
    }
  }
}

/// Splits rows counted through all images of a batch into those of each image.
func forEachImage(
  _ rows: Range<Int>, _ height: Int, _ body: (_ image: Int, _ rows: Range<Int>) -> Void
) {
  var row = rows.lowerBound
  while row < rows.upperBound {
    let image = row / height
    let end = min(rows.upperBound, (image + 1) * height)
    body(image, (row - image * height)..<(end - image * height))
    row = end
  }
}

extension TensorBinding {
  /// The values of a constant float tensor; `nil` for an activation.
  var constantFloats: UnsafePointer<Float>? {
    guard case .constant(let view) = place else { return nil }
    return view.base.assumingMemoryBound(to: Float.self)
  }
}
