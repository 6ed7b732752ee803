import FaceKitModels
import FaceKitTensor

/// From a picture to faces as ML Kit describes them, without files, threads or clocks.
///
/// Detector → mesh → what was asked for: pose, landmarks, contours, expression, numbers that stay. The picture is turned
/// upright first, so that the eight ways of storing it have one answer. Not for use from two threads at once.
public final class VisionPipeline {
  public let settings: VisionSettings
  private let finder: FaceFinder
  private let landmarkModel: LandmarkModel
  private let blendshapeModel: BlendshapeModel?
  private let poseSolver: HeadPoseSolver?

  private var identities = FaceIdentities()
  /// Where the faces of the last picture are looked for in the next one.
  private var followed: [NormalizedRect] = []
  private var imagesSinceDetection = 0
  private var smoothers: [(trackID: Int, smoother: LandmarkSmoother)] = []
  /// Nanoseconds, for pictures without timestamps.
  private var frameTime: Int64 = 0

  /// Compiles the models that the settings need.
  ///
  /// - Throws: ``FaceKitError`` for an option out of range, a model that is damaged, missing, or not what
  ///   it is given as.
  public init(
    models: VisionModels, settings: VisionSettings = VisionSettings(),
    engine: EngineOptions = EngineOptions()
  ) throws(FaceKitError) {
    try settings.validate()
    self.settings = settings
    finder = try FaceFinder(models: models, settings: settings, engine: engine)
    landmarkModel = try LandmarkModel(models.face.landmarks, engine: engine)
    if settings.classificationMode == .all {
      guard let bytes = models.face.blendshapes,
        landmarkModel.kind.pointCount == LandmarkModelKind.mesh478.pointCount
      else {
        throw .invalid(
          "probabilities need blendshapes, which these models can't tell",
          at: "classificationMode", advice: "use the full bundle, or set the mode to .none")
      }
      blendshapeModel = try BlendshapeModel(bytes, engine: engine)
    } else {
      blendshapeModel = nil
    }
    if settings.needsPose {
      guard let bytes = models.face.geometry else {
        throw FaceKitError(
          .notFound, "there is no \(FaceModels.Entry.geometry) to tell head angles from",
          at: "face models", advice: "use the full bundle")
      }
      let metadata = try GeometryMetadata(bytes)
      guard metadata.vertexCount <= LandmarkModelKind.mesh468.pointCount else {
        throw .geometry("\(metadata.vertexCount) vertices, more than the 468 of a face")
      }
      poseSolver = HeadPoseSolver(metadata)
    } else {
      poseSolver = nil
    }
  }

  /// Forgets the faces of the stream so far: the next picture begins another one. Numbers go on counting.
  public func resetTracking() {
    identities.reset()
    followed = []
    smoothers = []
  }

  /// The faces of a picture, the most prominent first.
  ///
  /// Without tracking every picture stands by itself. With it, pictures are taken for one stream in order;
  /// `timestampInMilliseconds` helps to predict motion, and without it they are taken to be a thirtieth of a second apart.
  public func process(
    _ image: MPImage, timestampInMilliseconds: Int? = nil
  ) throws(FaceKitError) -> [VisionFace] {
    let upright = try image.upright()
    var faces: [MeshFace]
    if settings.tracks {
      faces = try follow(upright, timestampInMilliseconds)
    } else if settings.findsOneFace {
      faces = try onlyFace(upright)
    } else {
      faces = try meshes(
        in: freshRegions(finder.find(in: upright), of: upright), of: upright)
      faces = wanted(faces, upright)
    }
    faces = byProminence(faces, upright)
    if let limit = settings.maxFaces, faces.count > limit { faces = Array(faces.prefix(limit)) }
    let mapping = mapping(image)
    var result: [VisionFace] = []
    for (index, face) in faces.enumerated() {
      result.append(try describe(face, isMostProminent: index == 0, of: upright, mapping))
    }
    return result
  }

  // MARK: Finding

  /// A face on its way to the result.
  struct MeshFace: Sendable {
    var landmarks: [NormalizedLandmark]
    var presence: Float
    var trackID: Int?
    /// In pixels of the upright picture.
    var mesh: [Point]
    var frame: Rect

    init(_ found: LandmarkModel.Face, of image: MPImage) {
      landmarks = found.landmarks
      presence = found.presence
      mesh = []
      frame = Rect(minX: 0, minY: 0, maxX: 0, maxY: 0)
      measure(image)
    }

    /// Takes pixels and frame from the landmarks.
    mutating func measure(_ image: MPImage) {
      let (width, height) = (Float(image.width), Float(image.height))
      mesh = []
      mesh.reserveCapacity(landmarks.count)
      for landmark in landmarks {
        mesh.append(Point(x: landmark.x * width, y: landmark.y * height))
      }
      frame = FaceFrame.around(mesh)
    }
  }

  /// How much smaller than wanted a detection must be to be left out before its mesh is known: the estimate is rough.
  private static let sizeDoubt: Float = 0.75

  /// Regions around detections of faces that are not too small.
  private func freshRegions(_ sights: [FaceCandidate], of image: MPImage) -> [NormalizedRect] {
    var regions: [NormalizedRect] = []
    for sight in sights
    where FaceFrame.expectedWidth(sight) >= settings.smallestWidth * VisionPipeline.sizeDoubt {
      regions.append(
        RegionOfInterest.from(
          sight, imageWidth: image.width, imageHeight: image.height,
          square: landmarkModel.kind.isLegacy))
    }
    return regions
  }

  private func meshes(
    in regions: [NormalizedRect], of image: MPImage
  ) throws(FaceKitError) -> [MeshFace] {
    var faces: [MeshFace] = []
    for region in regions {
      if let face = try mesh(in: region, of: image) { faces.append(face) }
    }
    return faces
  }

  /// The face in a region, if there is one. In accurate mode the mesh is computed a second time, in the region that
  /// the first one gives.
  private func mesh(
    in region: NormalizedRect, of image: MPImage
  ) throws(FaceKitError) -> MeshFace? {
    guard var found = try face(in: region, of: image) else { return nil }
    if settings.performanceMode == .accurate {
      let refined = RegionOfInterest.from(
        found.landmarks, imageWidth: image.width, imageHeight: image.height)
      guard let again = try face(in: refined, of: image) else { return nil }
      found = again
    }
    return MeshFace(found, of: image)
  }

  private func face(
    in region: NormalizedRect, of image: MPImage
  ) throws(FaceKitError) -> LandmarkModel.Face? {
    guard region.inPixels(width: image.width, height: image.height).isUsable else { return nil }
    let found = try landmarkModel.landmarks(of: image, in: region)
    return found.presence > settings.minConfidence ? found : nil
  }

  /// Contours alone: one mesh, of the largest detection that holds a face.
  private func onlyFace(_ image: MPImage) throws(FaceKitError) -> [MeshFace] {
    var sights = try finder.find(in: image)
    while !sights.isEmpty {
      var frames: [Rect] = []
      let (width, height) = (Float(image.width), Float(image.height))
      for sight in sights {
        frames.append(
          Rect(
            minX: sight.box.minX * width, minY: sight.box.minY * height,
            maxX: sight.box.maxX * width, maxY: sight.box.maxY * height))
      }
      let first = FaceFrame.mostProminent(
        frames, imageWidth: image.width, imageHeight: image.height)
      let sight = sights.remove(at: first ?? 0)
      for region in freshRegions([sight], of: image) {
        if let face = try mesh(in: region, of: image) { return [face] }
      }
    }
    return []
  }

  /// Overlap of frames from which two meshes are of one face.
  private static let sameFace: Float = 0.6

  /// Faces that are large enough, each once: two regions can lead to one face.
  private func wanted(_ faces: [MeshFace], _ image: MPImage) -> [MeshFace] {
    var kept: [MeshFace] = []
    let smallest = settings.smallestWidth * Float(image.width)
    for face in faces where face.frame.width >= smallest {
      var isKnown = false
      for index in kept.indices
      where kept[index].frame.overlap(face.frame) > VisionPipeline.sameFace {
        isKnown = true
        if face.presence > kept[index].presence { kept[index] = face }
        break
      }
      if !isKnown { kept.append(face) }
    }
    return kept
  }

  /// The most prominent face first, the others by size.
  private func byProminence(_ faces: [MeshFace], _ image: MPImage) -> [MeshFace] {
    var frames: [Rect] = []
    for face in faces { frames.append(face.frame) }
    guard
      let first = FaceFrame.mostProminent(
        frames, imageWidth: image.width, imageHeight: image.height)
    else { return [] }
    func area(_ index: Int) -> Float { frames[index].width * frames[index].height }
    let order = faces.indices.sorted { a, b in
      if a == first || b == first { return a == first && b != first }
      return area(a) != area(b) ? area(a) > area(b) : a < b
    }
    var sorted: [MeshFace] = []
    for index in order { sorted.append(faces[index]) }
    return sorted
  }

  // MARK: Following

  /// Images after which a stream in fast mode is searched for new faces, while all known ones are followed.
  private static let detectionInterval = 5

  /// Overlap of regions from which they are of one face.
  private static let sameRegion: Float = 0.5

  /// Faces of the next picture of a stream, with their numbers.
  private func follow(
    _ image: MPImage, _ timestampInMilliseconds: Int?
  ) throws(FaceKitError) -> [MeshFace] {
    if identities.prepare(
      imageWidth: image.width, imageHeight: image.height,
      timestampInMilliseconds: timestampInMilliseconds)
    {
      resetTracking()
    }
    var regions = followed
    imagesSinceDetection += 1
    if settings.performanceMode == .accurate || regions.isEmpty || identities.hasMissing
      || imagesSinceDetection >= VisionPipeline.detectionInterval
    {
      imagesSinceDetection = 0
      let fresh = freshRegions(try finder.find(in: image), of: image)
      // A detection takes the place of the regions that follow its face: beside another face those drift, until a mesh
      // spans both. What the detector does not see (a head that turns away) is followed on.
      regions.removeAll { followed in
        for region in fresh
        where followed.unrotatedBounds.overlap(region.unrotatedBounds)
          > VisionPipeline.sameRegion
        {
          return true
        }
        return false
      }
      regions += fresh
    }
    var faces = wanted(try meshes(in: regions, of: image), image)
    var frames: [Rect] = []
    followed = []
    for face in faces {
      frames.append(face.frame)
      followed.append(
        RegionOfInterest.from(
          face.landmarks, imageWidth: image.width, imageHeight: image.height))
    }
    for (index, id) in identities.identify(frames).enumerated() { faces[index].trackID = id }
    if settings.smoothsTrackedFaces { smooth(&faces, image, timestampInMilliseconds) }
    return faces
  }

  /// Smooths each face with the filter of its number. Regions and numbers follow the raw landmarks.
  private func smooth(_ faces: inout [MeshFace], _ image: MPImage, _ timestamp: Int?) {
    if let timestamp {
      let time = Int64(clamping: timestamp).multipliedReportingOverflow(by: 1_000_000)
      frameTime = time.overflow ? .max : time.partialValue
    } else {
      frameTime += 33_333_333
    }
    var current: [(trackID: Int, smoother: LandmarkSmoother)] = []
    for index in faces.indices {
      guard let id = faces[index].trackID else { continue }
      var smoother = LandmarkSmoother()
      for known in smoothers where known.trackID == id { smoother = known.smoother }
      faces[index].landmarks = smoother.smooth(
        faces[index].landmarks, imageWidth: image.width, imageHeight: image.height,
        time: frameTime)
      faces[index].measure(image)
      current.append((id, smoother))
    }
    smoothers = current
  }

  // MARK: Describing

  private func mapping(_ image: MPImage) -> UprightMapping {
    UprightMapping(
      settings.coordinateSpace == .input ? image.orientation : .up, storedWidth: image.width,
      storedHeight: image.height)
  }

  /// What was asked for of one face.
  private func describe(
    _ face: MeshFace, isMostProminent: Bool, of image: MPImage, _ mapping: UprightMapping
  ) throws(FaceKitError) -> VisionFace {
    let pose = poseSolver?.pose(
      of: face.landmarks, imageWidth: image.width, imageHeight: image.height)
    let angles = pose.map { HeadEulerAngles(rotation: $0.rotation) }
    var classification: FaceClassification?
    if let blendshapeModel, let angles {
      let expression = try blendshapeModel.classify(
        face.landmarks, imageWidth: image.width, imageHeight: image.height)
      var scores: [Float] = []
      for category in expression.categories { scores.append(category.score) }
      classification = FaceClassification(
        scores: scores, yaw: angles.y, calibration: settings.calibration)
    }
    let hasContours =
      settings.contourMode == .all && (isMostProminent || settings.contourScope == .allFaces)
    return VisionFace(
      frameRect: mapping.stored(face.frame), confidence: Double(face.presence),
      headEulerAngles: settings.reportsEulerAngles ? angles : nil,
      landmarks: landmarks(face, pose, angles, mapping),
      contours: hasContours ? contours(face, mapping) : [], classification: classification,
      trackID: face.trackID, sideConvention: settings.sideConvention)
  }

  private func landmarks(
    _ face: MeshFace, _ pose: Similarity?, _ angles: HeadEulerAngles?, _ mapping: UprightMapping
  ) -> [VisionFaceLandmark] {
    guard settings.landmarkMode == .all, let pose, let angles else { return [] }
    var landmarks: [VisionFaceLandmark] = []
    for type in FaceLandmarkType.allCases {
      let isVisible = type.isVisible(atHeadEulerAngleY: angles.y)
      if settings.hidesOccludedLandmarks && !isVisible { continue }
      landmarks.append(
        VisionFaceLandmark(
          type: settings.sideConvention == .viewer ? type.mirrored : type,
          position: VisionPoint(mapping.stored(type.position(mesh: face.mesh, pose: pose))),
          isVisible: isVisible))
    }
    return landmarks
  }

  private func contours(_ face: MeshFace, _ mapping: UprightMapping) -> [VisionFaceContour] {
    var contours: [VisionFaceContour] = []
    for type in FaceContourType.separate {
      var points: [VisionPoint] = []
      for index in type.meshIndices { points.append(VisionPoint(mapping.stored(face.mesh[index]))) }
      contours.append(
        VisionFaceContour(
          type: settings.sideConvention == .viewer ? type.mirrored : type, points: points))
    }
    return contours
  }
}
