import FaceKitModels
import FaceKitTensor

/// From a picture to faces as ML Kit describes them, without files, threads or clocks.
///
/// Detector → mesh → what the settings ask for: pose, landmarks, contours, expression, tracking IDs. The picture
/// is turned upright first, so that the eight ways of storing it have one answer. Not for use from two threads at
/// once.
public final class VisionPipeline {
  /// The settings the pipeline was made with.
  public let settings: VisionSettings
  let mesher: FaceMesher
  private var stream = VisionStream()

  /// Compiles the models that the settings need.
  ///
  /// - Parameters:
  ///   - models: The bundle's members, and the full-range detector for accurate mode.
  ///   - settings: Modes, limits and thresholds.
  ///   - engine: How the models are compiled.
  /// - Throws: ``FaceKitError`` for an option out of range, a model that is damaged, missing, or not what
  ///   it is given as.
  public convenience init(
    models: VisionModels, settings: VisionSettings = VisionSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try self.init(models: models, settings: Validated(settings), engine: engine)
  }

  init(
    models: VisionModels, settings: Validated<VisionSettings>, engine: EngineOptions
  ) throws(FaceKitError) {
    self.settings = settings.value
    mesher = try FaceMesher(
      finder: FaceFinder(models: models, settings: settings, engine: engine),
      landmarkModel: LandmarkModel(models.face.landmarks, engine: engine), models: models.face,
      outputs: settings.value.meshOutputs, minimumPresence: settings.value.minConfidence,
      refinesLandmarks: settings.value.performanceMode == .accurate, engine: engine)
  }

  /// Forgets the faces of the stream so far: the next picture begins another one. Numbers go on counting.
  public func resetTracking() { stream.reset() }

  /// The faces of a picture, the most prominent first.
  ///
  /// Without tracking every picture stands by itself. With it, pictures are the frames of one stream, in order.
  ///
  /// - Parameters:
  ///   - image: In any orientation.
  ///   - timestampInMilliseconds: Helps to predict motion; `nil` for frames a thirtieth of a second apart.
  /// - Returns: The faces, empty if there are none.
  /// - Throws: ``FaceKitError`` if a model fails.
  public func process(
    _ image: MPImage, timestampInMilliseconds: Int? = nil
  ) throws(FaceKitError) -> [VisionFace] {
    let upright = try image.upright()
    var faces: [FramedFace]
    if settings.tracks {
      faces = try stream.update(self, upright, timestampInMilliseconds)
    } else if settings.findsOneFace {
      faces = try largestFace(upright)
    } else {
      faces = try distinctFaces(in: detectedRegions(upright), of: upright)
    }
    faces = faces.sortedByProminence(in: upright)
    if let limit = settings.maxFaces, faces.count > limit { faces = Array(faces.prefix(limit)) }
    let mapping = mapping(image)
    var result: [VisionFace] = []
    for (index, face) in faces.enumerated() {
      result.append(try describe(face, isMostProminent: index == 0, of: upright, mapping))
    }
    return result
  }

  // MARK: Steps

  /// Detections narrower than this share of the minimum are dropped before their landmarks are computed. Less
  /// than 1, because a detection's width only estimates the face's.
  private static let detectedSizeMargin: Float = 0.75

  /// Overlap of frames from which two meshes are of one face.
  private static let sameFace: Float = 0.6

  /// Regions around the detections of an upright picture.
  func detectedRegions(_ image: MPImage) throws(FaceKitError) -> [TrackedRegion] {
    regions(around: try mesher.finder.find(in: image), in: image)
  }

  /// Regions around those detections that are not too small.
  private func regions(
    around detections: [DetectionCandidate], in image: MPImage
  ) -> [TrackedRegion] {
    let smallest = settings.smallestWidth * VisionPipeline.detectedSizeMargin
    var regions: [TrackedRegion] = []
    for detection in detections where FaceFrame.expectedWidth(detection) >= smallest {
      regions.append(mesher.region(of: detection, in: image))
    }
    return regions
  }

  /// The faces in some regions that are large enough, each once. In accurate mode, what the detectors do not
  /// confirm is left out, unless it is tracked.
  func distinctFaces(
    in regions: [TrackedRegion], of image: MPImage
  ) throws(FaceKitError) -> [FramedFace] {
    var faces: [FramedFace] = []
    for mesh in try mesher.faces(in: regions, of: image) {
      faces.append(FramedFace(mesh, in: image))
    }
    let minimumWidth = settings.smallestWidth * Float(image.width)
    if settings.performanceMode == .accurate {
      return try confirmed(faces.filter { $0.frame.width >= minimumWidth }, in: image)
    }
    return faces.distinct(minimumWidth: minimumWidth, threshold: VisionPipeline.sameFace)
  }

  /// Frames that cover each other by more than this, as a share of the smaller, are of one face, whichever way up each
  /// reads it.
  private static let oneFace: Float = 0.5

  /// One reading of each face: the one with the most evidence, if there is enough of it.
  private func confirmed(
    _ readings: [FramedFace], in image: MPImage
  ) throws(FaceKitError) -> [FramedFace] {
    var ranked: [(face: FramedFace, evidence: Float)] = []
    for (index, face) in readings.enumerated() {
      var isAlone = true
      for (other, rival) in readings.enumerated()
      where other != index && face.frame.coverage(rival.frame) > VisionPipeline.oneFace {
        isAlone = false
        break
      }
      // A tracked face was confirmed when it was new, and may since have turned away from the detectors.
      let isTracked = face.mesh.region.trackID != nil
      if isAlone && isTracked {
        ranked.append((face, .infinity))
        continue
      }
      let least = mesher.finder.leastEvidence(atConfidence: settings.minConfidence)
      let evidence = try mesher.finder.evidence(
        for: face.mesh.points(width: image.width, height: image.height),
        presence: face.mesh.presence, in: image, enough: isAlone ? least : .infinity)
      if isTracked || evidence >= least { ranked.append((face, evidence)) }
    }
    // Stable: readings with equal evidence keep their order.
    let order = ranked.indices.sorted { a, b in
      ranked[a].evidence != ranked[b].evidence
        ? ranked[a].evidence > ranked[b].evidence : a < b
    }
    var kept: [Int] = []
    for index in order {
      var isNew = true
      for other in kept
      where ranked[index].face.frame.coverage(ranked[other].face.frame) > VisionPipeline.oneFace {
        isNew = false
        break
      }
      if isNew { kept.append(index) }
    }
    kept.sort()
    return kept.map { ranked[$0].face }
  }

  /// Contours alone: one mesh, of the most prominent detection that holds a face.
  private func largestFace(_ image: MPImage) throws(FaceKitError) -> [FramedFace] {
    let (width, height) = (Float(image.width), Float(image.height))
    var detections = try mesher.finder.find(in: image)
    while !detections.isEmpty {
      var frames: [Rect] = []
      for detection in detections {
        let box = detection.box
        frames.append(
          Rect(
            minX: box.minX * width, minY: box.minY * height, maxX: box.maxX * width,
            maxY: box.maxY * height))
      }
      let first = FaceFrame.mostProminent(
        frames, imageWidth: image.width, imageHeight: image.height)
      let detection = detections.remove(at: first ?? 0)
      let found = try mesher.faces(in: regions(around: [detection], in: image), of: image)
      if let mesh = found.first { return [FramedFace(mesh, in: image)] }
    }
    return []
  }
}

extension VisionSettings {
  /// What has to be computed of each face, by the options that ask for it.
  var meshOutputs: FaceMesher.Outputs {
    FaceMesher.Outputs(
      expressionOption: classificationMode == .all ? "classificationMode" : nil,
      headPoseOption: needsPose ? "head angles and landmarks" : nil)
  }
}
