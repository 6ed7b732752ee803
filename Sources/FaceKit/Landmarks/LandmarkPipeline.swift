import FaceKitModels
import FaceKitTensor

/// From a picture to faces with 478 landmarks, expression and pose: the whole Face Landmarker, without
/// files, threads or clocks.
///
/// ``detect(_:)`` takes a still picture. ``detect(frame:timestampInMilliseconds:)`` takes a stream, whose
/// faces it follows from frame to frame. Not for use from two threads at once.
public final class LandmarkPipeline {
  /// The settings the pipeline was made with.
  public let settings: LandmarkerSettings

  let mesher: FaceMesher
  private var tracker = RegionTracker(.faceMesh)
  private var smoother = TrackSmoother()

  /// Reads and compiles the models that the settings need.
  ///
  /// - Parameters:
  ///   - models: Detector and landmark model; blendshapes and canonical face if the settings ask for them.
  ///   - settings: Limits, thresholds, and which outputs are computed.
  ///   - engine: How the models are compiled.
  /// - Throws: ``FaceKitError`` for an option out of range, a model that is damaged, missing, or not what
  ///   it is given as.
  public convenience init(
    models: FaceModels, settings: LandmarkerSettings = LandmarkerSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try self.init(models: models, settings: Validated(settings), engine: engine)
  }

  init(
    models: FaceModels, settings: Validated<LandmarkerSettings>, engine: EngineOptions
  ) throws(FaceKitError) {
    self.settings = settings.value
    let landmarkModel = try LandmarkModel(models.landmarks, engine: engine)
    let detector = try DetectorPipeline(
      model: models.detector,
      settings: settings.detector(isLegacy: landmarkModel.specification.isLegacy),
      engine: engine)
    mesher = try FaceMesher(
      finder: FaceFinder([detector]), landmarkModel: landmarkModel, models: models,
      outputs: FaceMesher.Outputs(
        expressionOption: settings.value.outputFaceBlendshapes ? "outputFaceBlendshapes" : nil,
        transformationMatrixOption: settings.value.outputFacialTransformationMatrixes
          ? "outputFacialTransformationMatrixes" : nil),
      minimumPresence: settings.value.minFacePresenceConfidence, engine: engine)
  }

  /// The sessions of the models, in the order they run, for inspection.
  ///
  /// After a call each still holds the input of its last run: running one again with an observer shows
  /// what its layers made of the face.
  public var sessions: [(name: String, session: Session)] {
    var sessions: [(name: String, session: Session)] = []
    for detector in mesher.finder.detectors {
      sessions.append((name: "face-detector", session: detector.model.session))
    }
    sessions.append((name: "face-landmarks", session: mesher.landmarkModel.model.session))
    if let blendshapeModel = mesher.blendshapeModel {
      sessions.append((name: "face-blendshapes", session: blendshapeModel.model.session))
    }
    return sessions
  }

  // MARK: Still pictures

  /// The faces of a still picture. Calls are independent of each other.
  ///
  /// - Throws: ``FaceKitError`` if a model fails.
  public func detect(_ image: MPImage) throws(FaceKitError) -> FaceLandmarkerResult {
    let faces = try mesher.faces(in: detectedRegions(image), of: image)
    return try result(faces, of: image, timestampInMilliseconds: 0, detectorRan: true)
  }

  // MARK: Streams

  /// The faces of the next frame of a stream.
  ///
  /// While as many faces as `numFaces` are tracked, the detector does not run: each face is looked for around
  /// where it was in the last frame.
  ///
  /// - Parameters:
  ///   - image: The frame.
  ///   - timestampInMilliseconds: Must increase; that is for the caller to check.
  /// - Returns: The faces, empty if there are none.
  /// - Throws: ``FaceKitError`` if a model fails; the faces of the frame before stay tracked.
  public func detect(
    frame image: MPImage, timestampInMilliseconds: Int
  ) throws(FaceKitError) -> FaceLandmarkerResult {
    let detectorRuns = tracker.regions.count < settings.numFaces
    let regions = associate(
      previous: tracker.regions, detections: detectorRuns ? try detectedRegions(image) : [],
      threshold: settings.minTrackingConfidence, limit: settings.numFaces)
    var faces = try mesher.faces(in: regions, of: image)
    tracker.update(
      &faces, imageWidth: image.width, imageHeight: image.height,
      timestampInMilliseconds: timestampInMilliseconds)
    if smooths {
      // Regions come from the raw landmarks; everything that is shown, from the smoothed ones.
      smoother.smooth(
        &faces, imageWidth: image.width, imageHeight: image.height,
        nanoseconds: TrackSmoother.nanoseconds(milliseconds: timestampInMilliseconds),
        sharesFilter: settings.smoothing == .singleFace)
    }
    // Only what is shown: the tracker's own order decides which faces are merged and kept.
    if settings.keepsFaceOrder { faces.sort { ($0.trackID ?? 0) < ($1.trackID ?? 0) } }
    return try result(
      faces, of: image, timestampInMilliseconds: timestampInMilliseconds, detectorRan: detectorRuns)
  }

  /// Forgets all faces, as at the start of a stream. Track numbers begin at 1 again.
  public func reset() {
    tracker = RegionTracker(.faceMesh)
    smoother = TrackSmoother()
  }

  private var smooths: Bool {
    switch settings.smoothing {
    case .off: false
    case .singleFace: settings.numFaces == 1
    case .everyFace: true
    }
  }

  // MARK: Steps

  /// Regions around the best detections, at most `numFaces`.
  private func detectedRegions(_ image: MPImage) throws(FaceKitError) -> [TrackedRegion] {
    var regions: [TrackedRegion] = []
    for detection in try mesher.finder.find(in: image).prefix(settings.numFaces) {
      regions.append(mesher.region(of: detection, in: image))
    }
    return regions
  }

  /// Adds expression and pose, and puts everything in coordinates of the stored pixels.
  private func result(
    _ faces: [MeshedFace], of image: MPImage, timestampInMilliseconds: Int, detectorRan: Bool
  ) throws(FaceKitError) -> FaceLandmarkerResult {
    var result = FaceLandmarkerResult(
      timestampInMilliseconds: timestampInMilliseconds, detectorRan: detectorRan)
    for face in faces {
      if let expression = try mesher.expression(of: face, in: image) {
        result.faceBlendshapes.append(expression)
      }
      if let matrix = try mesher.transformationMatrix(of: face, in: image) {
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
