/// What tracking remembers from picture to picture.
struct VisionStream {
  private var identities = FaceIdentities()
  /// Where the faces of the last picture are looked for in the next one.
  private var regions: [TrackedRegion] = []
  private var imagesSinceDetection = 0
  private var smoother = TrackSmoother()
  /// Nanoseconds, for pictures without timestamps.
  private var frameTime: Int64 = 0

  /// Pictures after which a stream in fast mode is searched for new faces, while all known ones are tracked.
  private static let detectionInterval = 5

  /// Overlap of regions from which they are of one face.
  private static let sameRegion: Float = 0.5

  /// Forgets all faces. Numbers go on counting.
  mutating func reset() {
    identities.reset()
    regions = []
    smoother = TrackSmoother()
  }

  /// The faces of the next picture, with their numbers.
  mutating func update(
    _ pipeline: VisionPipeline, _ image: MPImage, _ timestampInMilliseconds: Int?
  ) throws(FaceKitError) -> [FramedFace] {
    if identities.prepare(
      imageWidth: image.width, imageHeight: image.height,
      timestampInMilliseconds: timestampInMilliseconds)
    {
      reset()
    }
    var candidates = regions
    imagesSinceDetection += 1
    if pipeline.settings.performanceMode == .accurate || regions.isEmpty || identities.hasMissing
      || imagesSinceDetection >= VisionStream.detectionInterval
    {
      imagesSinceDetection = 0
      candidates = VisionStream.merged(regions, with: try pipeline.detectedRegions(image))
    }
    var faces = try pipeline.distinctFaces(in: candidates, of: image)
    var frames: [Rect] = []
    regions = []
    for face in faces {
      frames.append(face.frame)
      var region = face.mesh.region
      region.rect = pipeline.mesher.nextRegion(of: face.mesh.landmarks, in: image)
      regions.append(region)
    }
    for (index, id) in identities.identify(frames).enumerated() {
      faces[index].mesh.trackID = id
      regions[index].trackID = id
    }
    // Regions and numbers come from the raw landmarks, what is shown from the smoothed ones.
    return pipeline.settings.smoothsTrackedFaces
      ? smoothed(faces, image, timestampInMilliseconds) : faces
  }

  private mutating func smoothed(
    _ faces: [FramedFace], _ image: MPImage, _ timestampInMilliseconds: Int?
  ) -> [FramedFace] {
    var meshes: [MeshedFace] = []
    for face in faces { meshes.append(face.mesh) }
    smoother.smooth(
      &meshes, imageWidth: image.width, imageHeight: image.height,
      nanoseconds: time(timestampInMilliseconds))
    var result: [FramedFace] = []
    for mesh in meshes { result.append(FramedFace(mesh, in: image)) }
    return result
  }

  /// Difference of angles from which two regions show a face differently: what is upside down for a tracked face is not
  /// that face.
  private static let sameAngle = Float.pi / 3

  /// A detection takes the place, and the number, of the regions that track its face: beside another face those drift,
  /// until a mesh spans both. What the detector does not see (a head that turns away) stays tracked.
  static func merged(
    _ tracked: [TrackedRegion], with detected: [TrackedRegion]
  ) -> [TrackedRegion] {
    var (kept, fresh) = ([TrackedRegion](), detected)
    for region in tracked {
      var isReplaced = false
      for index in fresh.indices
      where region.rect.unrotatedBounds.overlap(fresh[index].rect.unrotatedBounds) > sameRegion
        && Angle.distance(region.rect.rotation, fresh[index].rect.rotation) < sameAngle
      {
        fresh[index].trackID = region.trackID
        isReplaced = true
        break
      }
      if !isReplaced { kept.append(region) }
    }
    return kept + fresh
  }

  private mutating func time(_ timestampInMilliseconds: Int?) -> Int64 {
    if let timestampInMilliseconds {
      frameTime = TrackSmoother.nanoseconds(milliseconds: timestampInMilliseconds)
    } else {
      frameTime += 33_333_333
    }
    return frameTime
  }
}
