/// Where a stream's faces are looked for in the next frame, and the numbers they have.
struct RegionTracker: Sendable {
  /// Where to look in the next frame.
  private(set) var regions: [TrackedRegion] = []
  private let rule: RegionRule
  private var nextTrackID = 1

  /// - Parameter rule: How a frame's landmarks give the region for the next one.
  init(_ rule: RegionRule) { self.rule = rule }

  /// Numbers the faces of a frame, and plans where to look for them in the next one.
  mutating func update(_ faces: inout [MeshedFace], imageWidth: Int, imageHeight: Int) {
    regions = []
    for index in faces.indices {
      let track = faces[index].region.trackID ?? nextTrackID
      if track == nextTrackID { nextTrackID += 1 }
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
