import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// The published face mesh models, told apart by their tensors.
public enum LandmarkModelKind: Sendable, Hashable, CaseIterable {
  /// `face_landmarks_detector.tflite`: 478 points at 256×256, the one in the bundle.
  case mesh478
  /// `face_landmark.tflite`: 468 points at 192×192, no irises.
  case mesh468
  /// `face_landmark_with_attention.tflite`: 468 points at 192×192, with lips, eyes and irises refined to 478.
  case attention

  public var inputSide: Int { self == .mesh478 ? 256 : 192 }
  public var pointCount: Int { self == .mesh468 ? 468 : 478 }

  /// Elements of the outputs, in order. The bundle's model has a third that no task reads.
  var outputCounts: [Int] {
    switch self {
    case .mesh478: [1434, 1, 1]
    case .mesh468: [1404, 1]
    case .attention: [1404, 160, 142, 142, 10, 10, 1]
    }
  }

  var presenceOutput: Int { self == .attention ? 6 : 1 }

  /// Whether regions are squared and depth is scaled as by the legacy solutions, whose models these are.
  var isLegacy: Bool { self != .mesh478 }
}

/// Finds the mesh in a region of a picture.
final class LandmarkModel {
  struct Face: Sendable {
    /// In normalised image coordinates.
    var landmarks: [NormalizedLandmark]
    /// How surely there is a face in the region, `0...1`.
    var presence: Float
  }

  let kind: LandmarkModelKind
  let model: FaceModel
  let sampler: ImageToTensor

  init(_ bytes: StorageView, engine: EngineOptions) throws(FaceKitError) {
    model = try FaceModel(bytes, role: "face landmark model", engine: engine)
    kind = try LandmarkModel.recognise(model)
    sampler = ImageToTensor(
      width: kind.inputSide, height: kind.inputSide, range: model.inputRange ?? (0, 1),
      border: .replicate, keepsAspect: false, isa: engine.isa)
  }

  private static func recognise(_ model: FaceModel) throws(FaceKitError) -> LandmarkModelKind {
    for kind in LandmarkModelKind.allCases
    where model.squareInputSide == kind.inputSide && model.outputCounts == kind.outputCounts {
      return kind
    }
    throw .invalid(
      "a model with tensors \(model.signature)", at: "face landmark model",
      advice: """
        give a face mesh: 1×256×256×3 → 1434, 1, 1 values (478 points), or 1×192×192×3 → 1404, 1 \
        (468 points) or 1404, 160, 142, 142, 10, 10, 1 (with attention)
        """)
  }

  /// The face in a region. What the picture shows is not checked: see ``Face/presence``.
  func landmarks(of image: MPImage, in rect: NormalizedRect) throws(FaceKitError) -> Face {
    let region = try model.run(on: image, rect: rect, using: sampler, role: "face landmark model")
    return face(
      rect: rect,
      projection: Projection(
        region: region, imageWidth: image.width, imageHeight: image.height))
  }

  /// What the model's last run says of the region it looked at.
  func face(rect: NormalizedRect, projection: Projection) -> Face {
    let presence = Elementary.sigmoid(model.scalar(kind.presenceOutput))
    let points =
      kind == .attention
      ? AttentionMesh.merge(
        AttentionMesh.Outputs(
          mesh: model.output(0), lips: model.output(1), leftEye: model.output(2),
          rightEye: model.output(3), leftIris: model.output(4), rightIris: model.output(5)))
      : model.output(0)
    // The legacy solutions scale depth by the region's width whatever its angle.
    let depthScale = kind.isLegacy ? rect.width : projection.depthScale
    let side = Float(kind.inputSide)
    var landmarks: [NormalizedLandmark] = []
    landmarks.reserveCapacity(kind.pointCount)
    for index in 0..<kind.pointCount {
      let point = projection(points[3 * index] / side, points[3 * index + 1] / side)
      landmarks.append(
        NormalizedLandmark(x: point.x, y: point.y, z: points[3 * index + 2] / side * depthScale))
    }
    return Face(landmarks: landmarks, presence: presence)
  }
}
