import FaceKitKernels
import FaceKitTensor

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
