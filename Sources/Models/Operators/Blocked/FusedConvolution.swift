import FaceKitKernels
import FaceKitTensor

/// A convolution together with what happens to its sums before they are stored.
///
/// Made by the passes from CONV_2D and DEPTHWISE_CONV_2D; computes on blocked maps.
/// Inputs: activation, weights, bias?, PReLU slopes?, residual?.
public struct FusedConvolution: Operator {
  public enum Kind: Sendable {
    case dense(Conv2D)
    case depthwise(DepthwiseConv2D)
  }

  /// Positions in a node's list of inputs.
  enum Input {
    static let activation = 0
    static let weights = 1
    static let bias = 2
    static let slopes = 3
    static let residual = 4
    static let count = 5
  }

  public var kind: Kind
  /// Replaces the activation of the convolution it was made from.
  public var epilogue: PostActivation

  public var name: String {
    switch kind {
    case .dense: "FUSED_CONV_2D"
    case .depthwise: "FUSED_DEPTHWISE_CONV_2D"
    }
  }

  public var pattern: RewritePattern { .fusedConvolution(self) }

  public var attributes: [Attribute] {
    switch kind {
    case .dense(let conv): conv.attributes + [Attribute("epilogue", epilogue.name)]
    case .depthwise(let conv): conv.attributes + [Attribute("epilogue", epilogue.name)]
    }
  }

  var isDense: Bool {
    if case .dense = kind { true } else { false }
  }

  public func layoutPolicy(_ inputs: Operands) -> LayoutPolicy {
    .blocked(acceptsRowMajor: isDense)
  }

  /// A 1×1 convolution at stride 1 adds its residual pixel by pixel, so it may overwrite it.
  public var overwritableInputs: [Int] { isDense ? [Input.residual] : [] }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    var own: [Operand?] = [inputs.optional(0), inputs.optional(1)]
    if let bias = inputs.optional(Input.bias) { own.append(bias) }
    switch kind {
    case .dense(let conv): return try conv.infer(Operands(own))
    case .depthwise(let conv): return try conv.infer(Operands(own))
    }
  }

  public func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    switch kind {
    case .dense(let conv): conv.multiplyAccumulates(inputs, outputs)
    case .depthwise(let conv): conv.multiplyAccumulates(inputs, outputs)
    }
  }

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    switch kind {
    case .dense: try lowerDense(&context)
    case .depthwise: try lowerDepthwise(&context)
    }
  }

  private func lowerDense(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let residual = context.optional(Input.residual)
    let conv = try dense(
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

  private func lowerDepthwise(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let conv = try depthwise(input: input.shape, parameters: Parameters(context), isa: context.isa)
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

extension FusedConvolution {
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
  func dense(
    input: Shape, layout: ConvInput, parameters: Parameters, isa: InstructionSet
  ) throws(ModelError) -> BlockedConv2D {
    guard case .dense(let conv) = kind else { preconditionFailure("not a dense convolution") }
    let shape = try conv.shape(input: input, filter: parameters.weights.shape)
    return BlockedConv2D(
      channels: (shape.inputChannels, shape.outputChannels), window: shape.window, layout: layout,
      weights: parameters.weights.constantFloats!, bias: parameters.bias?.constantFloats,
      alpha: parameters.slopes?.constantFloats, activation: epilogue, isa: isa)
  }

  /// The packed kernel of a depthwise convolution for an input of NHWC extents `input`.
  func depthwise(
    input: Shape, parameters: Parameters, isa: InstructionSet
  ) throws(ModelError) -> BlockedDepthwise {
    guard case .depthwise(let conv) = kind else {
      preconditionFailure("not a depthwise convolution")
    }
    let shape = try conv.shape(input: input, filter: parameters.weights.shape)
    return BlockedDepthwise(
      channels: shape.inputChannels, window: shape.window,
      weights: parameters.weights.constantFloats!, bias: parameters.bias?.constantFloats,
      alpha: parameters.slopes?.constantFloats, activation: epilogue, isa: isa)
  }
}

extension TensorBinding {
  /// The values of a constant float tensor; `nil` for an activation.
  var constantFloats: UnsafePointer<Float>? {
    guard case .constant(let view) = place else { return nil }
    return view.base.assumingMemoryBound(to: Float.self)
  }
}

extension PostActivation {
  init(_ activation: Activation) {
    switch activation {
    case .none: self = .none
    default:
      self = .clamp(low: activation.bounds.lowerBound, high: activation.bounds.upperBound)
    }
  }

  var name: String {
    switch self {
    case .none: "none"
    case .prelu: "prelu"
    case .clamp(let low, let high): "clamp \(low) … \(high)"
    }
  }
}
