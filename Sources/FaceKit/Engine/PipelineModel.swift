import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// A compiled model with one session: what a pipeline step runs. Not for use from two threads at once.
final class PipelineModel {
  /// What the model is for, in errors: `face detector`.
  let role: String
  let session: Session
  /// The value range of an image input, where the model's metadata gives one.
  let inputRange: (min: Float, max: Float)?

  /// Reads and compiles a `.tflite` file.
  ///
  /// - Throws: ``FaceKitError`` for a file that is damaged, whose shapes depend on data, or whose inputs and
  ///   outputs are not all float32.
  init(_ bytes: StorageView, role: String, engine: EngineOptions) throws(FaceKitError) {
    self.role = role
    do {
      let model = try TFLiteModel(bytes)
      inputRange = try PipelineModel.range(of: model)
      session = try CompiledModel(model, options: engine).makeSession()
    } catch {
      throw FaceKitError(error, in: role)
    }
    // Results are read by counts that are checked once, here and by the steps.
    guard session.model.plan != nil else {
      throw .invalid(
        "tensors whose shapes depend on data", at: role, advice: "use a model with fixed shapes")
    }
    for tensor in session.inputs + session.outputs where tensor.type != .float32 {
      throw .invalid(
        "a tensor of type \(tensor.type.name)", at: role, advice: "use a model with float32 tensors"
      )
    }
  }

  private static func range(of model: TFLiteModel) throws(ModelError) -> (Float, Float)? {
    guard let metadata = try model.authorMetadata(),
      let normalization = metadata.inputs.first?.normalization
    else { return nil }
    let range = try normalization.range()
    return (range.low, range.high)
  }

  /// Elements of each output, in order.
  var outputCounts: [Int] {
    var counts: [Int] = []
    for output in session.outputs { counts.append(output.shape.count) }
    return counts
  }

  /// The side of a square RGB input `1×side×side×3`; `nil` for any other input.
  var squareInputSide: Int? {
    let inputs = session.inputs
    guard inputs.count == 1, inputs[0].shape.rank == 4 else { return nil }
    let extents = inputs[0].shape.extents
    guard extents[0] == 1, extents[1] == extents[2], extents[3] == 3 else { return nil }
    return extents[1]
  }

  /// Shapes as an error lists them: `1×128×128×3 → 1×896×16, 1×896×1`.
  var signature: String {
    var text = ""
    for (index, input) in session.inputs.enumerated() {
      text += (index > 0 ? ", " : "") + input.shape.description
    }
    text += " → "
    for (index, output) in session.outputs.enumerated() {
      text += (index > 0 ? ", " : "") + output.shape.description
    }
    return text
  }

  /// Cuts the region out of the picture, flips it left to right if asked to, and runs the model on it.
  ///
  /// - Returns: The region that was read, letterbox included.
  func run(
    on image: MPImage, rect: NormalizedRect, using sampler: ImageToTensor, isFlipped: Bool = false
  ) throws(FaceKitError) -> PixelRegion {
    let region = try sampler.paddedRegion(rect, in: image)
    var fault: FaceKitError?
    session.withInput(0) { (input: UnsafeMutableBufferPointer<Float>) in
      do throws(FaceKitError) {
        try sampler.fill(input, from: image, region: region)
        if isFlipped { sampler.flip(input) }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    try run()
    return region
  }

  /// Runs the model on the input it was given, and checks what it gives.
  ///
  /// - Throws: ``FaceKitError``: `dataLoss` for an output that no working model gives; what the engine throws.
  func run() throws(FaceKitError) {
    do {
      try session.run()
    } catch {
      throw FaceKitError(error, in: role)
    }
    for index in session.outputs.indices { try checkOutput(index) }
  }

  /// The largest magnitude of an output that is believed. Scores, pixels of the input and their logits stay below a
  /// few thousand; damaged weights give infinities, or coordinates that are millions of pictures away.
  private static let largestOutput: Float = 1e5

  private func checkOutput(_ index: Int) throws(FaceKitError) {
    let largest = session.withOutput(index) { (values: UnsafeBufferPointer<Float>) in
      // Without their sign, floats order as their bit patterns do; NaN is above infinity.
      var largest: UInt32 = 0
      for value in values { largest = max(largest, value.bitPattern & 0x7FFF_FFFF) }
      return Float(bitPattern: largest)
    }
    if largest <= PipelineModel.largestOutput { return }
    throw FaceKitError(
      .dataLoss,
      largest.isFinite
        ? "the model's output is not finite, or far too large: \(largest)"
        : "the model's output is not finite", at: "\(role), output \(index)",
      advice: "the model file is damaged, or not the one it is taken for: use the published one")
  }

  /// A copy of an output's values.
  func output(_ index: Int) -> [Float] {
    session.withOutput(index) { (values: UnsafeBufferPointer<Float>) in Array(values) }
  }

  /// The first value of an output.
  func scalar(_ index: Int) -> Float {
    session.withOutput(index) { (values: UnsafeBufferPointer<Float>) in values[0] }
  }
}

extension FaceKitError {
  /// A model's fault, with the status code MediaPipe reports for it and the model's role.
  init(_ error: ModelError, in role: String) {
    let code: Code =
      switch error.code {
      case .notFound: .notFound
      case .unsupportedOperator: .unimplemented
      case .resourceLimit: .resourceExhausted
      case .bundle, .bundleCompressed: .unknown
      default: .invalidArgument
      }
    let place = error.place
    self.init(
      code, error.what, at: place.isEmpty ? role : "\(role), \(place)", advice: error.whatToDo)
  }
}
