import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// Finds landmarks in a region of a picture.
final class LandmarkModel {
  /// What the model says of one region.
  struct Reading: Sendable {
    /// In fractions of the picture's sides.
    var landmarks: [NormalizedLandmark]
    /// How certain it is that the region holds what the model is for, `0...1`.
    var presence: Float
  }

  let specification: LandmarkModelSpecification
  let model: PipelineModel
  let sampler: ImageToTensor

  /// Reads and compiles the model.
  ///
  /// - Parameters:
  ///   - bytes: The `.tflite` file.
  ///   - engine: How it is compiled.
  ///   - role: What the landmarks are of, in errors.
  ///   - known: The models that are accepted; told apart by their tensors.
  /// - Throws: ``FaceKitError`` for a model that is damaged or none of these.
  init(
    _ bytes: StorageView, engine: EngineOptions, role: String = "face landmark model",
    known: [LandmarkModelSpecification] = LandmarkModelSpecification.faces
  ) throws(FaceKitError) {
    model = try PipelineModel(bytes, role: role, engine: engine)
    specification = try LandmarkModel.recognise(model, among: known)
    let side = specification.inputSide
    sampler = ImageToTensor(
      width: side, height: side, range: model.inputRange ?? (0, 1), border: .replicate,
      keepsAspect: false, isa: engine.isa)
  }

  private static func recognise(
    _ model: PipelineModel, among known: [LandmarkModelSpecification]
  ) throws(FaceKitError) -> LandmarkModelSpecification {
    var accepted = ""
    for specification in known {
      if model.squareInputSide == specification.inputSide
        && model.outputCounts == specification.outputCounts
      {
        return specification
      }
      accepted += (accepted.isEmpty ? "" : " or ") + specification.signature
    }
    throw .invalid(
      "a model with tensors \(model.signature)", at: model.role,
      advice: "give a model with tensors \(accepted)")
  }

  /// The landmarks in a region, whatever it shows: see ``Reading/presence``.
  func landmarks(of image: MPImage, in rect: NormalizedRect) throws(FaceKitError) -> Reading {
    let region = try model.run(on: image, rect: rect, using: sampler)
    return reading(
      rect: rect,
      projection: Projection(
        region: region, imageWidth: image.width, imageHeight: image.height))
  }

  /// What the model's last run says of the region it was given.
  func reading(rect: NormalizedRect, projection: Projection) -> Reading {
    let score = model.scalar(specification.presenceOutput)
    let presence = specification.presenceIsLogit ? Elementary.sigmoid(score) : score
    let points =
      specification.isAttentionMesh
      ? AttentionMesh.merge(
        AttentionMesh.Outputs(
          mesh: model.output(0), lips: model.output(1), leftEye: model.output(2),
          rightEye: model.output(3), leftIris: model.output(4), rightIris: model.output(5)))
      : model.output(0)
    // The legacy solutions scale depth by the region's width whatever its angle.
    let depthScale = specification.isLegacy ? rect.width : projection.depthScale
    let side = Float(specification.inputSide)
    var landmarks: [NormalizedLandmark] = []
    landmarks.reserveCapacity(specification.pointCount)
    for index in 0..<specification.pointCount {
      let point = projection(points[3 * index] / side, points[3 * index + 1] / side)
      landmarks.append(
        NormalizedLandmark(x: point.x, y: point.y, z: points[3 * index + 2] / side * depthScale))
    }
    return Reading(landmarks: landmarks, presence: presence)
  }
}
