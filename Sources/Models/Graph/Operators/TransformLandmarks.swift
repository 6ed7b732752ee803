import FaceKitKernels
import FaceKitTensor

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
