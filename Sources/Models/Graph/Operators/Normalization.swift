import FaceKitKernels
import FaceKitTensor

/// SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION: functions of whole rows
/// along the innermost axis.
package struct Normalization: Operator {
  /// Which function, with its parameters.
  package enum Kind: Sendable, Hashable {
    case softmax(beta: Float)
    case logSoftmax
    case l2
    case localResponse(radius: Int, bias: Float, alpha: Float, beta: Float)
  }

  package var kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  package var name: String {
    switch kind {
    case .softmax: "SOFTMAX"
    case .logSoftmax: "LOG_SOFTMAX"
    case .l2: "L2_NORMALIZATION"
    case .localResponse: "LOCAL_RESPONSE_NORMALIZATION"
    }
  }

  package var attributes: [Attribute] {
    switch kind {
    case .softmax(let beta): [Attribute("beta", "\(beta)")]
    case .logSoftmax, .l2: []
    case .localResponse(let radius, let bias, let alpha, let beta):
      [
        Attribute("radius", "\(radius)"), Attribute("bias", "\(bias)"),
        Attribute("alpha", "\(alpha)"), Attribute("beta", "\(beta)"),
      ]
    }
  }

  package var kernels: [KernelCandidate] {
    // A row is read whole before it is written, but for the windows of the local response.
    if case .localResponse = kind { return [reference()] }
    return [reference(overwrites: [0])]
  }

  package func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    if case .localResponse(let radius, _, _, _) = kind {
      try input.check("the input", type: .float32, rank: 1...8)
      guard radius >= 0, radius < 1 << 30 else { throw ModelError(.option, "radius \(radius)") }
    } else {
      try input.check("the input", type: .float32, .int8, .uint8, .int16, rank: 1...8)
    }
    if input.type != .float32 { _ = try input.perTensorQuantization("the input") }
    return [TensorType(input.type, input.shape)]
  }

  package func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output) = (context.input(0), context.output)
    let depth = input.shape.last
    let rows = depth == 0 ? 0 : input.count / depth
    if case .softmax(let beta) = kind, input.type == .int8 || input.type == .uint8 {
      return try lowerQuantizedSoftmax(input, output, rows: rows, depth: depth, beta: beta)
    }
    if input.type != .float32 {
      let kind = kind
      return try context.throughFloats { input, _, output in
        Normalization.run(kind, input, output, rows: rows, depth: depth)
      }
    }
    let kind = kind
    return { (workspace) throws(ModelError) in
      Normalization.run(
        kind, input.floats(workspace), output.floats(workspace), rows: rows, depth: depth)
    }
  }

  private static func run(
    _ kind: Kind, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, rows: Int,
    depth: Int
  ) {
    switch kind {
    case .softmax(let beta):
      Reference.softmax(input: input, output: output, rows: rows, depth: depth, beta: beta)
    case .logSoftmax:
      Reference.logSoftmax(input: input, output: output, rows: rows, depth: depth)
    case .l2: Reference.l2Normalize(input: input, output: output, rows: rows, depth: depth)
    case .localResponse(let radius, let bias, let alpha, let beta):
      Reference.localResponseNormalize(
        input: input, output: output, rows: rows, depth: depth, radius: radius, bias: bias,
        alpha: alpha, beta: beta)
    }
  }

  /// The exponential of every possible distance from the maximum is a table.
  private func lowerQuantizedSoftmax(
    _ input: TensorBinding, _ output: TensorBinding, rows: Int, depth: Int, beta: Float
  ) throws(ModelError) -> NodeKernel {
    let x = try input.operand.perTensorQuantization("the input")
    let y = try output.operand.perTensorQuantization("the output")
    let exponentials = (0...255).map { Elementary.exp(-x.scale * beta * Float($0)) }
    let type = input.type
    return { (workspace) throws(ModelError) in
      Reference.quantizedSoftmax(
        type: type, input: input.pointer(workspace), output: output.pointer(workspace),
        rows: rows, depth: depth, exponentials: exponentials, outputScale: y.scale,
        outputZero: y.zeroPoint)
    }
  }
}

extension Normalization {
  static let softmaxReader: OperatorReader = { (source) throws(ModelError) in
    // An absent field is 0, as in the schema: converters write 1 explicitly.
    Normalization(.softmax(beta: try source.options().float(0))).erased
  }

  static let logSoftmaxReader: OperatorReader = { (_) throws(ModelError) in
    Normalization(.logSoftmax).erased
  }

  static let l2Reader: OperatorReader = { (source) throws(ModelError) in
    guard try source.options().activation(0) == .none else {
      throw ModelError(.option, "L2_NORMALIZATION with a fused activation")
    }
    return Normalization(.l2).erased
  }

  static let localResponseReader: OperatorReader = { (source) throws(ModelError) in
    let options = try source.options()
    return Normalization(
      .localResponse(
        radius: try options.int(0), bias: try options.float(1), alpha: try options.float(2),
        beta: try options.float(3))
    ).erased
  }
}
