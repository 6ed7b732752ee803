import FaceKitModels
import FaceKitTensor

/// From a picture to faces with 478 landmarks, expression and pose: the whole Face Landmarker, without
/// files, threads or clocks.
///
/// ``detect(_:)`` takes a still picture. ``detect(frame:timestampInMilliseconds:)`` takes a stream, whose
/// faces it follows from frame to frame. Not for use from two threads at once.
public final class LandmarkPipeline {
  public let settings: LandmarkerSettings
  public var detectorKind: DetectorKind { detector.kind }
  public var landmarkModelKind: LandmarkModelKind { landmarkModel.kind }

  let detector: DetectorPipeline
  let landmarkModel: LandmarkModel
  let blendshapeModel: BlendshapeModel?
  let geometry: FaceGeometry?
  private var tracker = FaceTracker()

  /// Reads and compiles the models that the settings need.
  ///
  /// - Throws: ``FaceKitError`` for an option out of range, a model that is damaged, missing, or not what
  ///   it is given as.
  public init(
    models: FaceModels, settings: LandmarkerSettings = LandmarkerSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try settings.validate()
    self.settings = settings
    landmarkModel = try LandmarkModel(models.landmarks, engine: engine)
    let isLegacy = landmarkModel.kind.isLegacy
    detector = try DetectorPipeline(
      model: models.detector, settings: settings.detector(isLegacy: isLegacy), engine: engine)
    blendshapeModel =
      settings.outputFaceBlendshapes
      ? try LandmarkPipeline.blendshapeModel(models, landmarkModel.kind, engine) : nil
    geometry =
      settings.outputFacialTransformationMatrixes ? try LandmarkPipeline.geometry(models) : nil
  }

  private static func blendshapeModel(
    _ models: FaceModels, _ kind: LandmarkModelKind, _ engine: EngineOptions
  ) throws(FaceKitError) -> BlendshapeModel {
    guard let bytes = models.blendshapes else {
      throw .invalid(
        "blendshapes are asked for, but there is no \(FaceModels.Entry.blendshapes)",
        at: "outputFaceBlendshapes", advice: "use the full bundle, or leave the option off")
    }
    guard kind.pointCount == LandmarkModelKind.mesh478.pointCount else {
      throw .invalid(
        "blendshapes need irises, which this landmark model does not find",
        at: "outputFaceBlendshapes", advice: "use a landmark model of 478 points")
    }
    return try BlendshapeModel(bytes, engine: engine)
  }

  private static func geometry(_ models: FaceModels) throws(FaceKitError) -> FaceGeometry {
    guard let bytes = models.geometry else {
      throw FaceKitError(
        .notFound, "matrices are asked for, but there is no \(FaceModels.Entry.geometry)",
        at: "outputFacialTransformationMatrixes",
        advice: "use the full bundle, or leave the option off")
    }
    let metadata = try GeometryMetadata(bytes)
    guard metadata.vertexCount <= LandmarkModelKind.mesh468.pointCount else {
      throw .geometry("\(metadata.vertexCount) vertices, more than the 468 of a face")
    }
    return FaceGeometry(metadata)
  }

  /// The sessions of the models, in the order they run, for tools that look inside.
  ///
  /// After a call each still holds the input of its last run: running one again with an observer shows
  /// what its layers made of the face.
  public var sessions: [(name: String, session: Session)] {
    var sessions = [
      (name: "face-detector", session: detector.model.session),
      (name: "face-landmarks", session: landmarkModel.model.session),
    ]
    if let blendshapeModel {
      sessions.append((name: "face-blendshapes", session: blendshapeModel.model.session))
    }
    return sessions
  }

  // MARK: Still pictures

  /// The faces of a still picture. Every call stands by itself.
  public func detect(_ image: MPImage) throws(FaceKitError) -> FaceLandmarkerResult {
    var faces: [TrackedFace] = []
    for region in try freshRegions(image).prefix(settings.numFaces) {
      if let face = try face(in: region, of: image) { faces.append(face) }
    }
    return try result(faces, of: image, timestampInMilliseconds: 0, detectorRan: true)
  }

  // MARK: Streams

  /// The faces of the next frame of a stream. Timestamps must increase; that is for the caller to check.
  ///
  /// While all wanted faces are being followed, the detector does not run: each face is looked for around
  /// where it was in the last frame.
  public func detect(
    frame image: MPImage, timestampInMilliseconds: Int
  ) throws(FaceKitError) -> FaceLandmarkerResult {
    let detectorRuns = tracker.regions.count < settings.numFaces
    let regions = associate(
      previous: tracker.regions, detections: detectorRuns ? try freshRegions(image) : [],
      threshold: settings.minTrackingConfidence, limit: settings.numFaces)
    var faces: [TrackedFace] = []
    for region in regions {
      if let face = try face(in: region, of: image) { faces.append(face) }
    }
    tracker.follow(&faces, imageWidth: image.width, imageHeight: image.height)
    if smooths {
      // Regions follow the raw landmarks; everything that is shown follows the smoothed ones.
      tracker.smooth(
        &faces, imageWidth: image.width, imageHeight: image.height,
        timestampInMilliseconds: timestampInMilliseconds,
        sharesFilter: settings.smoothing == .singleFace)
    }
    // Only what is shown: the tracker's own order decides which faces are merged and kept.
    if settings.keepsFaceOrder { faces.sort { ($0.trackID ?? 0) < ($1.trackID ?? 0) } }
    return try result(
      faces, of: image, timestampInMilliseconds: timestampInMilliseconds, detectorRan: detectorRuns)
  }

  /// Forgets all faces, as at the start of a stream.
  public func reset() { tracker = FaceTracker() }

  private var smooths: Bool {
    switch settings.smoothing {
    case .off: false
    case .singleFace: settings.numFaces == 1
    case .everyFace: true
    }
  }

  // MARK: Steps

  /// Regions around the faces that the detector finds.
  private func freshRegions(_ image: MPImage) throws(FaceKitError) -> [TrackedRegion] {
    var regions: [TrackedRegion] = []
    for face in try detector.detect(image).prefix(settings.numFaces) {
      let rect = RegionOfInterest.from(
        face, imageWidth: image.width, imageHeight: image.height,
        square: landmarkModel.kind.isLegacy)
      regions.append(TrackedRegion(rect: rect, trackID: nil, detectionScore: face.score))
    }
    return regions
  }

  /// The face in a region, if there is one.
  private func face(
    in region: TrackedRegion, of image: MPImage
  ) throws(FaceKitError) -> TrackedFace? {
    // A detection without an extent, or with one beyond measure, has nothing to look at.
    guard region.rect.inPixels(width: image.width, height: image.height).isUsable else {
      return nil
    }
    let found = try landmarkModel.landmarks(of: image, in: region.rect)
    // Strictly more, compared in double precision: a threshold of 1 rejects everything.
    guard Double(found.presence) > Double(settings.minFacePresenceConfidence) else { return nil }
    return TrackedFace(region: region, landmarks: found.landmarks, presence: found.presence)
  }

  /// Adds expression and pose, and puts everything in coordinates of the stored pixels.
  private func result(
    _ faces: [TrackedFace], of image: MPImage, timestampInMilliseconds: Int, detectorRan: Bool
  ) throws(FaceKitError) -> FaceLandmarkerResult {
    var result = FaceLandmarkerResult(
      timestampInMilliseconds: timestampInMilliseconds, detectorRan: detectorRan)
    for face in faces {
      if let blendshapeModel {
        result.faceBlendshapes.append(
          try blendshapeModel.classify(
            face.landmarks, imageWidth: image.width, imageHeight: image.height))
      }
      if let matrix = try geometry?.transform(
        of: face.landmarks, imageWidth: image.width, imageHeight: image.height)
      {
        result.facialTransformationMatrixes.append(matrix)
      }
      var landmarks = face.landmarks
      if image.orientation.isMirrored {
        for index in landmarks.indices { landmarks[index].x = 1 - landmarks[index].x }
      }
      result.faceLandmarks.append(landmarks)
      result.faceTracks.append(face.track)
    }
    return result
  }
}
