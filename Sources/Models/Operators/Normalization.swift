import FaceKitKernels
import FaceKitTensor

/// SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION: functions of whole rows
/// along the innermost axis.
public struct Normalization: Operator {
  /// Which function, with its parameters.
  public enum Kind: Sendable, Hashable {
    case softmax(beta: Float)
    case logSoftmax
    case l2
    case localResponse(radius: Int, bias: Float, alpha: Float, beta: Float)
  }

  public var kind: Kind

  public init(_ kind: Kind) { self.kind = kind }

  public var name: String {
    switch kind {
    case .softmax: "SOFTMAX"
    case .logSoftmax: "LOG_SOFTMAX"
    case .l2: "L2_NORMALIZATION"
    case .localResponse: "LOCAL_RESPONSE_NORMALIZATION"
    }
  }

  public var attributes: [Attribute] {
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

  /// A row is read whole before it is written, but for the windows of the local response.
  public var overwritableInputs: [Int] {
    if case .localResponse = kind { return [] }
    return [0]
  }

  public func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
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

  public func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
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

extension LoweringContext {
  /// Computes on floats what has no integer formula: dequantises one or two inputs into working
  /// memory, calls the kernel, and quantises its result. Within one quantum of the exact answer.
  mutating func throughFloats(
    _ kernel:
      @escaping @Sendable (
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>?,
        _ output: UnsafeMutablePointer<Float>
      ) -> Void
  ) throws(ModelError) -> NodeKernel {
    let a = try FloatCopy(of: input(0), on: &self)
    var second: FloatCopy?
    if let tensor = optional(1) { second = try FloatCopy(of: tensor, on: &self) }
    let (b, output) = (second, output)
    let scaling = try Scaling(
      try output.operand.checkedQuantization("the output"), shape: output.shape)
    let offset = scratch(bytes: output.count * 4)
    return { (workspace) throws(ModelError) in
      let result = (workspace.arena + offset).assumingMemoryBound(to: Float.self)
      kernel(a.fill(workspace), b?.fill(workspace), result)
      Reference.quantize(
        input: result, output: output.pointer(workspace), type: output.type,
        count: output.count, scaling: scaling)
    }
  }
}

/// An integer operand's place in working memory, as floats.
private struct FloatCopy: Sendable {
  let tensor: TensorBinding
  let scaling: Scaling
  let offset: Int

  init(of tensor: TensorBinding, on context: inout LoweringContext) throws(ModelError) {
    self.tensor = tensor
    scaling = try Scaling(try tensor.operand.checkedQuantization("an input"), shape: tensor.shape)
    offset = context.scratch(bytes: tensor.count * 4)
  }

  func fill(_ workspace: Workspace) -> UnsafePointer<Float> {
    let floats = (workspace.arena + offset).assumingMemoryBound(to: Float.self)
    Reference.dequantize(
      tensor.pointer(workspace), type: tensor.type, output: floats, count: tensor.count,
      scaling: scaling)
    return UnsafePointer(floats)
  }
}

extension OperatorRegistry {
  static let normalization: [OperatorEntry] = [
    OperatorEntry(
      code: 25, name: "SOFTMAX",
      read: { (source) throws(ModelError) in
        // An absent field is 0, as in the schema: converters write 1 explicitly.
        Normalization(.softmax(beta: try source.options(9).float(0))).erased
      }),
    OperatorEntry(
      code: 50, name: "LOG_SOFTMAX",
      read: { (_) throws(ModelError) in Normalization(.logSoftmax).erased }),
    OperatorEntry(
      code: 11, name: "L2_NORMALIZATION",
      read: { (source) throws(ModelError) in
        guard try source.options(12).activation(0) == .none else {
          throw ModelError(.option, "L2_NORMALIZATION with a fused activation")
        }
        return Normalization(.l2).erased
      }),
    OperatorEntry(
      code: 13, name: "LOCAL_RESPONSE_NORMALIZATION",
      read: { (source) throws(ModelError) in
        let options = try source.options(13)
        return Normalization(
          .localResponse(
            radius: try options.int(0), bias: try options.float(1), alpha: try options.float(2),
            beta: try options.float(3))
        ).erased
      }),
  ]
}
