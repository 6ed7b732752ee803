/// Smooths the landmarks of a stream's faces, each with a filter of its own.
struct TrackSmoother: Sendable {
  private var filters: [(trackID: Int, filter: LandmarkSmoother)] = []

  init() {}

  /// Smooths the faces of a frame. Filters of faces that are not in it are dropped: they begin anew.
  ///
  /// - Parameters:
  ///   - faces: With their numbers. A face without one passes unchanged, unless `sharesFilter`.
  ///   - imageWidth: Of the picture, in pixels.
  ///   - imageHeight: Of the picture, in pixels.
  ///   - nanoseconds: The frame's time; frames that are not later than the one before pass unchanged.
  ///   - sharesFilter: All faces share one filter, which lives until a frame has no face. So does MediaPipe,
  ///     which smooths only a single face and does not notice when it becomes another.
  mutating func smooth(
    _ faces: inout [MeshedFace], imageWidth: Int, imageHeight: Int, nanoseconds: Int64,
    sharesFilter: Bool = false
  ) {
    var current: [(trackID: Int, filter: LandmarkSmoother)] = []
    for index in faces.indices {
      guard let key = sharesFilter ? 0 : faces[index].trackID else { continue }
      var filter = LandmarkSmoother()
      for known in filters where known.trackID == key { filter = known.filter }
      faces[index].landmarks = filter.smooth(
        faces[index].landmarks, imageWidth: imageWidth, imageHeight: imageHeight,
        time: nanoseconds)
      current.append((key, filter))
    }
    filters = current
  }

  /// A timestamp in the filters' unit. One that 64 bits of nanoseconds cannot hold becomes the last moment.
  static func nanoseconds(milliseconds: Int) -> Int64 {
    let (time, overflow) = Int64(clamping: milliseconds).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : time
  }
}
