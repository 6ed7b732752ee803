/// What tells one landmark model from another: the sizes of its tensors, and what they hold.
///
/// A model of something else (hands, say) is another value of this type.
struct LandmarkModelSpecification: Sendable, Equatable {
  /// As an error lists it.
  var name: String
  /// Width and height of the input tensor in pixels; also the unit of the landmarks it gives.
  var inputSide: Int
  /// Landmarks in the result.
  var pointCount: Int
  /// Elements of the outputs, in order. The first are landmarks, x, y, z each.
  var outputCounts: [Int]
  /// The output that holds the presence score.
  var presenceOutput: Int
  /// Whether that score is to go through a sigmoid.
  var presenceIsLogit = true
  /// Whether further outputs refine parts of the mesh; see ``AttentionMesh``.
  var isAttentionMesh = false
  /// Whether regions are squared and depth is scaled as by MediaPipe's legacy solutions, whose model this is.
  var isLegacy = false

  /// The tensors as an error lists them: `1×256×256×3 → 1434, 1, 1 values (478 points)`.
  var signature: String {
    var counts = ""
    for count in outputCounts { counts += (counts.isEmpty ? "" : ", ") + "\(count)" }
    return "1×\(inputSide)×\(inputSide)×3 → \(counts) values (\(name))"
  }
}

extension LandmarkModelSpecification {
  /// `face_landmarks_detector.tflite`, the one in the bundle. It has a third output that no task reads.
  static let mesh478 = LandmarkModelSpecification(
    name: "478 points", inputSide: 256, pointCount: 478, outputCounts: [1434, 1, 1],
    presenceOutput: 1)

  /// `face_landmark.tflite`: no irises.
  static let mesh468 = LandmarkModelSpecification(
    name: "468 points", inputSide: 192, pointCount: 468, outputCounts: [1404, 1],
    presenceOutput: 1, isLegacy: true)

  /// `face_landmark_with_attention.tflite`: lips, eyes and irises refined.
  static let attention = LandmarkModelSpecification(
    name: "468 points with attention", inputSide: 192, pointCount: AttentionMesh.pointCount,
    outputCounts: [1404, 160, 142, 142, 10, 10, 1], presenceOutput: 6, isAttentionMesh: true,
    isLegacy: true)

  /// The published face meshes.
  static let faces = [mesh478, mesh468, attention]
}
