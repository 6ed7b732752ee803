/// A face of the current frame on its way to the result.
struct TrackedFace: Sendable {
  var region: TrackedRegion
  var landmarks: [NormalizedLandmark]
  var presence: Float
  /// How well the face stayed in its region: overlap of the region looked at with that for the next frame.
  var trackingScore: Float?
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

/// What a stream remembers from frame to frame.
struct FaceTracker: Sendable {
  /// Where to look in the next frame.
  private(set) var regions: [TrackedRegion] = []
  private var nextTrackID = 1
  private var smoothers: [(trackID: Int, smoother: LandmarkSmoother)] = []

  /// Names the faces, and plans where to look for them next.
  mutating func follow(_ faces: inout [TrackedFace], imageWidth: Int, imageHeight: Int) {
    regions = []
    for index in faces.indices {
      let track = faces[index].region.trackID ?? nextTrackID
      if track == nextTrackID { nextTrackID += 1 }
      let rect = RegionOfInterest.from(
        faces[index].landmarks, imageWidth: imageWidth, imageHeight: imageHeight)
      faces[index].trackID = track
      faces[index].trackingScore = rect.unrotatedBounds.overlap(
        faces[index].region.rect.unrotatedBounds)
      regions.append(
        TrackedRegion(
          rect: rect, trackID: track, detectionScore: faces[index].region.detectionScore))
    }
  }

  /// Smooths each face with the filter of its track.
  ///
  /// With `sharesFilter`, all tracks share one that lives until a frame has no face: so does the reference,
  /// which follows one face and does not notice when it becomes another.
  mutating func smooth(
    _ faces: inout [TrackedFace], imageWidth: Int, imageHeight: Int, timestampInMilliseconds: Int,
    sharesFilter: Bool
  ) {
    // The reference counts microseconds in 64 bits; a stamp beyond that range is no time.
    let time = Int64(clamping: timestampInMilliseconds).multipliedReportingOverflow(by: 1_000_000)
    var current: [(trackID: Int, smoother: LandmarkSmoother)] = []
    for index in faces.indices {
      let key = sharesFilter ? 0 : faces[index].trackID ?? 0
      var smoother = LandmarkSmoother()
      for known in smoothers where known.trackID == key { smoother = known.smoother }
      faces[index].landmarks = smoother.smooth(
        faces[index].landmarks, imageWidth: imageWidth, imageHeight: imageHeight,
        time: time.overflow ? .max : time.partialValue)
      current.append((key, smoother))
    }
    // Filters of faces that are gone go too.
    smoothers = current
  }
}
