import FaceKitKernels
import FaceKitTensor

// MediaPipe's custom operators, registered the way a caller's own would be: see
// `OperatorRegistry.mediaPipe` at the end.

/// A C structure of 32-bit integers, which MediaPipe stores as custom options.
private struct RawOptions {
  private let values: [Int32]

  /// - `count`: how many fields are needed; newer writers append more.
  init(_ source: OperatorSource, count: Int) throws(ModelError) {
    guard let bytes = source.customOptions, bytes.count >= 4 * count else {
      throw ModelError(.option, "custom options of \(source.customOptions?.count ?? 0) bytes")
    }
    values = bytes.array(of: Int32.self)
  }

  subscript(index: Int) -> Int { Int(values[index]) }

  /// The C runtime's padding enum: 0 unknown, 1 SAME, 2 VALID.
  func padding(_ index: Int) throws(ModelError) -> Padding {
    switch values[index] {
    case 1: return .same
    case 2: return .valid
    case let value: throw ModelError(.option, "padding \(value) is not defined")
    }
  }

  func positive(_ index: Int, _ name: StaticString) throws(ModelError) -> Int {
    guard values[index] >= 1 else { throw ModelError(.option, "\(name) is \(values[index])") }
    return Int(values[index])
  }
}

extension OperatorSource {
  /// Custom options in FlexBuffers.
  func flexOptions() throws(ModelError) -> FlexMap {
    guard let customOptions else { throw ModelError(.option, "the custom options are missing") }
    return try FlexMap(bytes: customOptions)
  }
}

/// `Convolution2DTransposeBias`: a transposed convolution with a bias, whose output extents follow from
/// the input's.
struct Convolution2DTransposeBias: Operator {
  let padding: Padding
  let strideHeight, strideWidth: Int

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try RawOptions(source, count: 3)
    padding = try options.padding(0)
    strideWidth = try options.positive(1, "stride_width")
    strideHeight = try options.positive(2, "stride_height")
  }

  var name: String { "Convolution2DTransposeBias" }
  var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("stride", "\(strideHeight)×\(strideWidth)"),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(3...3)
    let (input, filter, bias) = (try inputs[0], try inputs[1], try inputs[2])
    try input.check("the input", type: .float32, rank: 4...4)
    try filter.check("the filter", type: .float32, rank: 4...4)
    try bias.check("the bias", type: .float32)
    let shape = try shape(input.shape, filter.shape)
    guard bias.shape.count == filter.shape[0] else {
      throw ModelError(.shape, "a bias \(bias.shape) for \(filter.shape[0]) channels")
    }
    let window = shape.window
    return [
      TensorType(
        .float32, [input.shape[0], window.inputHeight, window.inputWidth, filter.shape[0]])
    ]
  }

  private func shape(_ input: Shape, _ filter: Shape) throws(ModelError) -> ConvolutionShape {
    guard filter[1] > 0, filter[2] > 0, filter[3] == input[3], input[1] > 0, input[2] > 0 else {
      throw ModelError(.shape, "a filter \(filter) does not fit an input \(input)")
    }
    let vertical = try extent(input[1], filter[1], strideHeight)
    let horizontal = try extent(input[2], filter[2], strideWidth)
    return ConvolutionShape(
      batch: input[0], inputChannels: input[3], outputChannels: filter[0],
      filterChannels: filter[3],
      window: WindowGrid(
        input: (vertical.output, horizontal.output), kernel: (filter[1], filter[2]),
        stride: (strideHeight, strideWidth), output: (input[1], input[2]),
        padding: (vertical.before, horizontal.before)))
  }

  private func extent(
    _ input: Int, _ kernel: Int, _ stride: Int
  ) throws(ModelError) -> (output: Int, before: Int) {
    // MediaPipe's own formula: it takes the remainder of the input, not of the output.
    let total = padding == .same ? Swift.max(0, kernel - (input - 1) % stride - 1) : 0
    return (try (input - 1).times(stride).plus(kernel) - total, total / 2)
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, filter, bias) = (context.input(0), context.input(1), context.input(2))
    return try TransposeConv2D.floatKernel(
      input: input, filter: filter, bias: bias, output: context.output,
      shape: try shape(input.shape, filter.shape), activation: .none)
  }

  func multiplyAccumulates(_ inputs: Operands, _ outputs: [TensorType]) -> Int {
    guard let input = inputs.optional(0)?.shape, let filter = inputs.optional(1)?.shape,
      filter.rank == 4
    else { return 0 }
    return input.count * filter[0] * filter[1] * filter[2]
  }
}

/// `Landmarks2TransformMatrix`: from landmarks to the transform of a frame around some of them.
struct Landmarks2TransformMatrix: Operator {
  let framing: LandmarkFraming

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.flexOptions()
    func int(_ key: StaticString) throws(ModelError) -> Int {
      guard let value = try options.int(key) else { throw ModelError(.option, "no '\(key)'") }
      return value
    }
    func float(_ key: StaticString) throws(ModelError) -> Float {
      guard let value = try options.float(key) else { throw ModelError(.option, "no '\(key)'") }
      return value
    }
    guard let subset = try options.ints("subset_idxs"), !subset.isEmpty else {
      throw ModelError(.option, "no 'subset_idxs'")
    }
    framing = LandmarkFraming(
      leftIndex: try int("left_rotation_idx"), rightIndex: try int("right_rotation_idx"),
      targetAngle: try float("target_rotation_radians"), outputHeight: try int("output_height"),
      outputWidth: try int("output_width"), scaleX: try float("scale_x"),
      scaleY: try float("scale_y"), subset: subset)
    guard framing.outputHeight >= 1, framing.outputWidth >= 1 else {
      throw ModelError(.option, "a frame of \(framing.outputWidth)×\(framing.outputHeight)")
    }
  }

  var name: String { "Landmarks2TransformMatrix" }
  var attributes: [Attribute] {
    [
      Attribute("output", "\(framing.outputHeight)×\(framing.outputWidth)"),
      Attribute("subset", "\(framing.subset.count)"),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(1...1)
    let input = try inputs[0]
    try input.check("the landmarks", type: .float32, rank: 3...3)
    guard input.shape[0] == 1, input.shape[2] == 3 else {
      throw ModelError(.shape, "the landmarks have the shape \(input.shape)")
    }
    for index in framing.subset + [framing.leftIndex, framing.rightIndex]
    where index < 0 || index >= input.shape[1] {
      throw ModelError(.option, "landmark \(index) of \(input.shape[1])")
    }
    return [TensorType(.float32, [1, 4, 4])]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, framing) = (context.input(0), context.output, framing)
    return { (workspace) throws(ModelError) in
      Reference.landmarksToTransform(
        landmarks: input.floats(workspace), framing: framing, transform: output.floats(workspace))
    }
  }
}

/// `TransformTensorBilinear`: a map seen through a transform.
struct TransformTensorBilinear: Operator {
  let outputHeight, outputWidth: Int

  init(_ source: OperatorSource) throws(ModelError) {
    let options = try source.flexOptions()
    guard let height = try options.int("output_height"),
      let width = try options.int("output_width"),
      height >= 1, width >= 1
    else { throw ModelError(.option, "no 'output_height' or 'output_width'") }
    (outputHeight, outputWidth) = (height, width)
  }

  var name: String { "TransformTensorBilinear" }
  var attributes: [Attribute] { [Attribute("output", "\(outputHeight)×\(outputWidth)")] }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (input, transform) = (try inputs[0], try inputs[1])
    try input.check("the map", type: .float32, rank: 4...4)
    try transform.check("the transform", type: .float32)
    guard input.shape[0] == 1, transform.shape.count == 16, input.shape[1] > 0, input.shape[2] > 0
    else { throw ModelError(.shape, "a map \(input.shape) with \(transform.shape)") }
    return [TensorType(.float32, [1, outputHeight, outputWidth, input.shape[3]])]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, transform, output) = (context.input(0), context.input(1), context.output)
    let (height, width, channels) = (input.shape[1], input.shape[2], input.shape[3])
    let (outputHeight, outputWidth) = (outputHeight, outputWidth)
    return { (workspace) throws(ModelError) in
      Reference.transformBilinear(
        input: input.floats(workspace), height: height, width: width, channels: channels,
        transform: transform.floats(workspace), output: output.floats(workspace),
        outputHeight: outputHeight, outputWidth: outputWidth)
    }
  }
}

/// `TransformLandmarks`, version 2: landmarks through a transform.
struct TransformLandmarks: Operator {
  init(_ source: OperatorSource) throws(ModelError) {}

  var name: String { "TransformLandmarks" }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(2...2)
    let (landmarks, transform) = (try inputs[0], try inputs[1])
    try landmarks.check("the landmarks", type: .float32, rank: 3...3)
    try transform.check("the transform", type: .float32)
    let shape = landmarks.shape
    guard shape[0] == 1, shape[2] == 2 || shape[2] == 3, transform.shape.count == 16 else {
      throw ModelError(.shape, "landmarks \(shape) with a transform \(transform.shape)")
    }
    return [TensorType(.float32, shape)]
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (landmarks, transform, output) = (context.input(0), context.input(1), context.output)
    let (count, dimensions) = (landmarks.shape[1], landmarks.shape[2])
    return { (workspace) throws(ModelError) in
      Reference.transformLandmarks(
        landmarks: landmarks.floats(workspace), transform: transform.floats(workspace),
        output: output.floats(workspace), count: count, dimensions: dimensions)
    }
  }
}

/// `MaxPoolingWithArgmax2D` and `MaxUnpooling2D`: a pool that remembers where its maxima were, and its
/// inverse.
struct ArgmaxPool: Operator {
  let unpools: Bool
  let padding: Padding
  let strideHeight, strideWidth, filterHeight, filterWidth: Int
  let activation: Activation

  init(_ source: OperatorSource, unpools: Bool) throws(ModelError) {
    self.unpools = unpools
    let options = try RawOptions(source, count: 6)
    padding = try options.padding(0)
    strideWidth = try options.positive(1, "stride_width")
    strideHeight = try options.positive(2, "stride_height")
    filterWidth = try options.positive(3, "filter_width")
    filterHeight = try options.positive(4, "filter_height")
    guard let byte = UInt8(exactly: options[5]), let activation = Activation(rawValue: byte) else {
      throw ModelError(.option, "fused activation \(options[5]) is not supported")
    }
    self.activation = activation
  }

  var name: String { unpools ? "MaxUnpooling2D" : "MaxPoolingWithArgmax2D" }
  var attributes: [Attribute] {
    [
      Attribute("padding", padding.name), Attribute("filter", "\(filterHeight)×\(filterWidth)"),
      Attribute("stride", "\(strideHeight)×\(strideWidth)"),
    ]
  }

  func infer(_ inputs: Operands) throws(ModelError) -> [TensorType] {
    try inputs.checkCount(unpools ? 2...2 : 1...1)
    let input = try inputs[0]
    try input.check("the input", type: .float32, rank: 4...4)
    if unpools {
      let places = try inputs[1]
      try places.check("the places", type: .float32)
      guard places.shape == input.shape else {
        throw ModelError(.shape, "places \(places.shape) for \(input.shape)")
      }
      return [TensorType(.float32, try unpooled(input.shape))]
    }
    let window = try shape(input.shape).window
    let output: Shape = [
      input.shape[0], window.outputHeight, window.outputWidth, input.shape[3],
    ]
    return [TensorType(.float32, output), TensorType(.float32, output)]
  }

  private func unpooled(_ input: Shape) throws(ModelError) -> Shape {
    [input[0], try input[1].times(filterHeight), try input[2].times(filterWidth), input[3]]
  }

  /// The pool over the larger map.
  private func shape(_ large: Shape) throws(ModelError) -> PoolShape {
    PoolShape(
      batch: large[0], channels: large[3],
      window: try WindowGrid(
        input: large, kernel: (filterHeight, filterWidth), stride: (strideHeight, strideWidth),
        padding: padding))
  }

  func lower(_ context: inout LoweringContext) throws(ModelError) -> NodeKernel {
    let (input, output, bounds) = (context.input(0), context.output, activation.bounds)
    if unpools {
      let places = context.input(1)
      var shape = try shape(output.shape)
      // Every element of the input is put back, whatever the pool's own extents would be.
      (shape.window.outputHeight, shape.window.outputWidth) = (input.shape[1], input.shape[2])
      let fixed = shape
      return { (workspace) throws(ModelError) in
        Reference.maxUnpool(
          input: input.floats(workspace), places: places.floats(workspace),
          output: output.floats(workspace), shape: fixed)
      }
    }
    let (places, shape) = (context.outputs[1], try shape(input.shape))
    return { (workspace) throws(ModelError) in
      Reference.maxPoolWithArgument(
        input: input.floats(workspace), output: output.floats(workspace),
        places: places.floats(workspace), shape: shape, activation: bounds)
    }
  }
}

extension OperatorRegistry {
  /// MediaPipe's custom operators, and TensorFlow's detection post-processing.
  static let mediaPipe: [CustomOperatorEntry] = [
    CustomOperatorEntry(
      name: "Convolution2DTransposeBias",
      read: { (source) throws(ModelError) in try Convolution2DTransposeBias(source).erased }),
    CustomOperatorEntry(
      name: "Landmarks2TransformMatrix", versions: 2...2,
      read: { (source) throws(ModelError) in try Landmarks2TransformMatrix(source).erased }),
    CustomOperatorEntry(
      name: "TransformTensorBilinear", versions: 2...2,
      read: { (source) throws(ModelError) in try TransformTensorBilinear(source).erased }),
    CustomOperatorEntry(
      name: "TransformLandmarks", versions: 2...2,
      read: { (source) throws(ModelError) in try TransformLandmarks(source).erased }),
    CustomOperatorEntry(
      name: "MaxPoolingWithArgmax2D",
      read: { (source) throws(ModelError) in try ArgmaxPool(source, unpools: false).erased }),
    CustomOperatorEntry(
      name: "MaxUnpooling2D",
      read: { (source) throws(ModelError) in try ArgmaxPool(source, unpools: true).erased }),
    CustomOperatorEntry(
      name: "TFLite_Detection_PostProcess",
      read: { (source) throws(ModelError) in try DetectionPostProcess(source).erased }),
  ]
}
