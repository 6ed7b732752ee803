import FaceKitKernels
import FaceKitTensor

/// CONV_2D and DEPTHWISE_CONV_2D: NHWC activations, a bias for each output channel; after fusion also
/// the activation, PReLU slopes and residual that follow.
///
/// Inputs: activations, weights, bias?, PReLU slopes?, residual?. A file has the first three; passes add
/// the others: see ``activation`` and ``addsResidual``.
package struct Conv2D: Operator {
  /// What an output channel sees of the input.
  package enum Kind: Sendable, Hashable {
    /// All channels, or those of its group. Weights are OHWI.
    case dense
    /// One channel. Weights are 1HWO; the channel multiplier follows from the shapes, because the
    /// file's `depth_multiplier` may be stale.
    case depthwise
  }

  /// Positions in a node's list of inputs.
  enum Input {
    static let activation = 0
    static let weights = 1
    static let bias = 2
    static let slopes = 3
    static let residual = 4
  }

  /// Whether it is CONV_2D or DEPTHWISE_CONV_2D.
  package var kind: Kind
  /// Zeros around the input.
  package var padding: Padding
  /// Input rows from one output row to the next.
  package var strideHeight: Int
  /// Input columns from one output column to the next.
  package var strideWidth: Int
  /// Input rows from one tap to the next; 1 for a dense window.
  package var dilationHeight: Int
  /// Input columns from one tap to the next; 1 for a dense window.
  package var dilationWidth: Int
  /// What happens to the sums, and to the residual added to them, before they are stored. PReLU has its
  /// slopes, one for each output channel, in input 3.
  package var activation: Activation
  /// Whether input 4, a map of the output's height and width, is added before the activation. It may
  /// have fewer channels; the others have nothing added.
  package var addsResidual = false

  /// A convolution as a file has it.
  ///
  /// - Parameters:
  ///   - kind: dense or depthwise.
  ///   - padding: zeros around the input.
  ///   - strideHeight: input rows from one output row to the next.
  ///   - strideWidth: input columns from one output column to the next.
  ///   - dilationHeight: input rows from one tap to the next.
  ///   - dilationWidth: input columns from one tap to the next.
  ///   - activation: what happens to the sums before they are stored.
  package init(
    _ kind: Kind = .dense, padding: Padding, strideHeight: Int = 1, strideWidth: Int = 1,
    dilationHeight: Int = 1, dilationWidth: Int = 1, activation: Activation = .none
  ) {
    self.kind = kind
    self.padding = padding
    self.strideHeight = strideHeight
    self.strideWidth = strideWidth
    self.dilationHeight = dilationHeight
    self.dilationWidth = dilationWidth
    self.activation = activation
  }

  package var name: String { kind == .dense ? "CONV_2D" : "DEPTHWISE_CONV_2D" }
  package var pattern: RewritePattern { RewritePattern(.convolution(self)) }

  package var attributes: [Attribute] {
    let own = [
      Attribute("padding", padding.name), Attribute("stride", "\(strideHeight)×\(strideWidth)"),
      Attribute("dilation", "\(dilationHeight)×\(dilationWidth)"),
      Attribute("activation", activation.name),
    ]
    return addsResidual ? own + [Attribute("residual", "added")] : own
  }

  /// `[N, H, W, C]`, weights and `[O]` give `[N, H′, W′, O]`. Weights are `[O, KH, KW, C/groups]`, or
  /// `[1, KH, KW, O]` if depthwise.
  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...(addsResidual ? 5 : activation == .prelu ? 4 : 3))
    let (input, filter) = (try inputs[Input.activation], try inputs[Input.weights])
    try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 4...4)
    try filter.check("the filter", type: .float32, .int8, .uint8, rank: 4...4)
    let shape = try shape(input: input.shape, filter: filter.shape)
    try Convolution.check(
      input: input, filter: filter, bias: inputs.optional(Input.bias),
      outputChannels: shape.outputChannels)
    let output: Shape = [
      shape.batch, shape.window.outputHeight, shape.window.outputWidth, shape.outputChannels,
    ]
    if activation == .prelu || addsResidual { try checkFused(inputs, output: output) }
    return [TensorType(input.type, output)]
  }

  /// Holds what passes added against the output.
  private func checkFused(_ inputs: Operands, output: Shape) throws(ModelError) {
    try inputs[Input.activation].check("the input", type: .float32)
    if activation == .prelu {
      let slopes = try inputs[Input.slopes]
      try slopes.check("the slopes", type: .float32)
      guard slopes.shape.count == output[3], slopes.shape.last == output[3] else {
        throw ModelError(.shape, "slopes \(slopes.shape) for \(output[3]) channels")
      }
    }
    if addsResidual {
      let residual = try inputs[Input.residual]
      try residual.check("the residual", type: .float32, rank: 4...4)
      guard residual.shape.extents.dropLast() == output.extents.dropLast(),
        residual.shape[3] <= output[3]
      else { throw ModelError(.shape, "a residual \(residual.shape) for \(output)") }
    }
  }

  /// All extents. Groups, and the depthwise multiplier, follow from the channels of input and filter.
  func shape(input: Shape, filter: Shape) throws(ModelError) -> ConvolutionShape {
    let isDense = kind == .dense
    let outputChannels = isDense ? filter[0] : filter[3]
    let filterChannels = isDense ? filter[3] : 1
    guard filter[0] > 0, filter[1] > 0, filter[2] > 0, filter[3] > 0 else {
      throw ModelError(.shape, "the filter is empty: \(filter)")
    }
    let groups = input[3] / filterChannels
    guard isDense || filter[0] == 1, groups > 0, groups * filterChannels == input[3],
      outputChannels % groups == 0
    else { throw ModelError(.shape, "a filter \(filter) does not fit an input \(input)") }
    let window = try WindowGrid(
      input: input, kernel: (filter[1], filter[2]), stride: (strideHeight, strideWidth),
      dilation: (dilationHeight, dilationWidth), padding: padding)
    return ConvolutionShape(
      batch: input[0], inputChannels: input[3], outputChannels: outputChannels,
      filterChannels: filterChannels, window: window)
  }

  package func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let filter = inputs.optional(Input.weights)?.shape, filter.rank == 4,
      let output = outputs.first
    else { return 0 }
    let taps = filter[1] * filter[2]
    return output.shape.count * (kind == .dense ? taps * filter[3] : taps)
  }
}

extension Conv2D {
  static func reader(_ kind: Kind) -> OperatorReader {
    { (source) throws(ModelError) in
      let options = try source.options()
      // Field 3 of the depthwise table is the multiplier, so that what follows is one further.
      let next = kind == .dense ? 3 : 4
      return Conv2D(
        kind, padding: try options.padding(0), strideHeight: try options.positive(2, "stride_h"),
        strideWidth: try options.positive(1, "stride_w"),
        dilationHeight: try options.positive(next + 2, "dilation_h_factor", default: 1),
        dilationWidth: try options.positive(next + 1, "dilation_w_factor", default: 1),
        activation: try options.activation(next)
      ).erased
    }
  }
}
