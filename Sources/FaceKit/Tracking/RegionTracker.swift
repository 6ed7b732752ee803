/// Where a stream's faces are searched for in the next frame, and the numbers they have.
///
/// A face keeps its number while it is tracked. One that was lost for a moment (a frame without detection, a hand, the
/// picture's edge) gets its number back from ``FaceIdentities`` if it reappears near the predicted place in time.
struct RegionTracker: Sendable {
  /// Where to search in the next frame.
  private(set) var regions: [TrackedRegion] = []
  private let rule: RegionRule
  private var identities = FaceIdentities(firstID: 1)

  /// - Parameter rule: How a frame's landmarks give the region for the next one.
  init(_ rule: RegionRule) { self.rule = rule }

  /// Numbers the faces of a frame, and plans where to search for them in the next one.
  mutating func update(
    _ faces: inout [MeshedFace], imageWidth: Int, imageHeight: Int, timestampInMilliseconds: Int
  ) {
    _ = identities.prepare(
      imageWidth: imageWidth, imageHeight: imageHeight,
      timestampInMilliseconds: timestampInMilliseconds)
    var frames: [Rect] = []
    var known: [Int?] = []
    for face in faces {
      frames.append(FaceFrame.around(face.points(width: imageWidth, height: imageHeight)))
      known.append(face.region.trackID)
    }
    let tracks = identities.identify(frames, known: known)
    regions = []
    for index in faces.indices {
      let track = tracks[index]
      let rect = rule.region(
        of: faces[index].landmarks, imageWidth: imageWidth, imageHeight: imageHeight)
      faces[index].trackID = track
      faces[index].trackingScore = rect.unrotatedBounds.overlap(
        faces[index].region.rect.unrotatedBounds)
      regions.append(
        TrackedRegion(
          rect: rect, trackID: track, detectionScore: faces[index].region.detectionScore))
    }
  }
}
