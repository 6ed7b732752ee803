import FaceKitModels
import FaceKitTensor

/// What both doors compute of faces, one step after the other: detect → region → landmarks → expression, pose.
///
/// It has no memory of earlier pictures; ``RegionTracker`` and ``TrackSmoother`` have. Coordinates are fractions
/// of the picture as it is read. Not for use from two threads at once.
final class FaceMesher {
  /// What is computed of each face besides its landmarks. Each is given by the option that asks for it, which
  /// errors name; `nil` for what is not needed.
  struct Outputs {
    var expressionOption: String?
    var transformationMatrixOption: String?
    var headPoseOption: String?
  }

  let finder: FaceFinder
  let landmarkModel: LandmarkModel
  let blendshapeModel: BlendshapeModel?
  let geometry: FaceGeometry?
  let headPoseSolver: HeadPoseSolver?
  private let minimumPresence: Float
  private let refinesLandmarks: Bool
  private let detectionRule: RegionRule

  /// - Parameters:
  ///   - finder: Finds the faces.
  ///   - landmarkModel: Finds their landmarks.
  ///   - models: Has what `outputs` needs.
  ///   - outputs: What is computed besides the landmarks.
  ///   - minimumPresence: A region holds a face if its presence is above this, `0...1`.
  ///   - refinesLandmarks: Whether landmarks are computed a second time, in the region that the first ones give.
  ///   - engine: How models are compiled.
  /// - Throws: ``FaceKitError`` for a model that is damaged, missing, or does not go with the others.
  init(
    finder: FaceFinder, landmarkModel: LandmarkModel, models: FaceModels, outputs: Outputs,
    minimumPresence: Float, refinesLandmarks: Bool = false, engine: EngineOptions
  ) throws(FaceKitError) {
    self.finder = finder
    self.landmarkModel = landmarkModel
    self.minimumPresence = minimumPresence
    self.refinesLandmarks = refinesLandmarks
    detectionRule =
      landmarkModel.specification.isLegacy ? .legacyFaceDetection : .faceDetection
    blendshapeModel =
      if let option = outputs.expressionOption {
        try FaceMesher.blendshapeModel(
          models, landmarkModel.specification, option: option, engine: engine)
      } else {
        nil
      }
    geometry =
      if let option = outputs.transformationMatrixOption {
        FaceGeometry(try FaceMesher.canonicalFace(models, option: option))
      } else {
        nil
      }
    headPoseSolver =
      if let option = outputs.headPoseOption {
        HeadPoseSolver(try FaceMesher.canonicalFace(models, option: option))
      } else {
        nil
      }
  }

  private static func blendshapeModel(
    _ models: FaceModels, _ mesh: LandmarkModelSpecification, option: String,
    engine: EngineOptions
  ) throws(FaceKitError) -> BlendshapeModel {
    guard let bytes = models.blendshapes else {
      throw .invalid(
        "blendshapes are needed, but there is no \(FaceModels.Entry.blendshapes)", at: option,
        advice: "use the full bundle, or leave the option off")
    }
    guard mesh.pointCount == LandmarkModelSpecification.mesh478.pointCount else {
      throw .invalid(
        "blendshapes need irises, which this landmark model does not find", at: option,
        advice: "use a landmark model of 478 points, or leave the option off")
    }
    return try BlendshapeModel(bytes, engine: engine)
  }

  private static func canonicalFace(
    _ models: FaceModels, option: String
  ) throws(FaceKitError) -> GeometryMetadata {
    guard let bytes = models.geometry else {
      throw FaceKitError(
        .notFound, "the head's pose is needed, but there is no \(FaceModels.Entry.geometry)",
        at: option, advice: "use the full bundle, or leave the option off")
    }
    let metadata = try GeometryMetadata(bytes)
    guard metadata.vertexCount <= LandmarkModelSpecification.mesh468.pointCount else {
      throw .geometry("\(metadata.vertexCount) vertices, more than the 468 of a face")
    }
    return metadata
  }

  // MARK: Regions

  /// The region of a detected face.
  func region(of detection: DetectionCandidate, in image: MPImage) -> TrackedRegion {
    TrackedRegion(
      rect: detectionRule.region(
        of: detection, imageWidth: image.width, imageHeight: image.height),
      trackID: nil, detectionScore: detection.score)
  }

  /// The region for the next frame.
  func nextRegion(of landmarks: [NormalizedLandmark], in image: MPImage) -> NormalizedRect {
    RegionRule.faceMesh.region(
      of: landmarks, imageWidth: image.width, imageHeight: image.height)
  }

  // MARK: Landmarks

  /// The faces in some regions, in their order; regions without a face are left out.
  func faces(
    in regions: [TrackedRegion], of image: MPImage
  ) throws(FaceKitError) -> [MeshedFace] {
    var faces: [MeshedFace] = []
    for region in regions {
      if let face = try face(in: region, of: image) { faces.append(face) }
    }
    return faces
  }

  /// The face in a region, if there is one.
  func face(
    in region: TrackedRegion, of image: MPImage
  ) throws(FaceKitError) -> MeshedFace? {
    guard var reading = try reading(in: region.rect, of: image) else { return nil }
    if refinesLandmarks,
      let refined = try self.reading(in: nextRegion(of: reading.landmarks, in: image), of: image)
    {
      reading = refined
    }
    return MeshedFace(region: region, landmarks: reading.landmarks, presence: reading.presence)
  }

  private func reading(
    in rect: NormalizedRect, of image: MPImage
  ) throws(FaceKitError) -> LandmarkModel.Reading? {
    // A detection may have no extent, or an unbounded one: there is nothing to sample then.
    guard rect.inPixels(width: image.width, height: image.height).isUsable else { return nil }
    let reading = try landmarkModel.landmarks(of: image, in: rect)
    // Strictly more: a threshold of 1 rejects everything.
    return reading.presence > minimumPresence ? reading : nil
  }

  // MARK: Expression and pose

  /// The 52 blendshape scores; `nil` if no option asks for them.
  func expression(
    of face: MeshedFace, in image: MPImage
  ) throws(FaceKitError) -> Classifications? {
    try blendshapeModel?.classify(
      face.landmarks, imageWidth: image.width, imageHeight: image.height)
  }

  /// From canonical face coordinates to camera space; `nil` if no option asks for it, or the landmarks all lie
  /// in one place.
  func transformationMatrix(
    of face: MeshedFace, in image: MPImage
  ) throws(FaceKitError) -> TransformMatrix? {
    try geometry?.transform(
      of: face.landmarks, imageWidth: image.width, imageHeight: image.height)
  }

  /// The weak-perspective pose in pixels; `nil` if no option asks for it, or the landmarks all lie in one place.
  func headPose(of face: MeshedFace, in image: MPImage) -> Similarity? {
    headPoseSolver?.pose(
      of: face.landmarks, imageWidth: image.width, imageHeight: image.height)
  }
}

/// A face on its way to the result.
struct MeshedFace: Sendable {
  /// Where it was looked for.
  var region: TrackedRegion
  /// In fractions of the picture as it is read.
  var landmarks: [NormalizedLandmark]
  /// How certain it is that the region holds a face, `0...1`.
  var presence: Float
  /// Streams only: how well the face stayed in its region, the overlap of that region and the next frame's.
  var trackingScore: Float?
  /// Streams only.
  var trackID: Int?

  init(region: TrackedRegion, landmarks: [NormalizedLandmark], presence: Float) {
    self.region = region
    self.landmarks = landmarks
    self.presence = presence
  }

  var track: FaceTrack {
    FaceTrack(
      presence: presence, detectionScore: region.detectionScore, trackingScore: trackingScore,
      trackID: trackID)
  }
}
