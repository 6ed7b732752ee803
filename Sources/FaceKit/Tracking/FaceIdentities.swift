import FaceKitKernels

/// Gives the faces of a stream numbers that stay with them: by where they are and how they move, not by who they are.
///
/// For each track, the place of its face is predicted from its velocity; faces are paired with tracks so that the sum of
///
/// ```
/// 1 − IoU + 0.3 · distance / width + 0.2 · |ln(width′ / width)|
/// ```
///
/// is least, among pairs near enough to be one face. Unpaired faces get the next number. A track without a face is kept
/// for half a second, or for the next four frames if those take longer; a face that comes back later is a new one. No
/// number is given twice. Positions are in units of the picture's width, so that they don't depend on its resolution.
struct FaceIdentities: Sendable {
  /// A face's rectangle in units of the picture's width.
  struct Box: Sendable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// From pixels.
    init(_ frame: Rect, imageWidth: Int) {
      let unit = Double(imageWidth)
      width = Double(frame.width) / unit
      height = Double(frame.height) / unit
      x = Double(frame.minX + frame.maxX) / 2 / unit
      y = Double(frame.minY + frame.maxY) / 2 / unit
    }

    func distance(_ other: Box) -> Double {
      let (dx, dy) = (x - other.x, y - other.y)
      return (dx * dx + dy * dy).squareRoot()
    }

    func overlap(_ other: Box) -> Double {
      let w =
        min(x + width / 2, other.x + other.width / 2)
        - max(x - width / 2, other.x - other.width / 2)
      let h =
        min(y + height / 2, other.y + other.height / 2)
        - max(y - height / 2, other.y - other.height / 2)
      if w <= 0 || h <= 0 { return 0 }
      return w * h / (width * height + other.width * other.height - w * h)
    }
  }

  private struct Track: Sendable {
    let id: Int
    var box: Box
    var velocityX = 0.0
    var velocityY = 0.0
    var misses = 0
    /// Seconds of the stream when the face was last seen.
    var lastSeen: Double
  }

  private enum Rule {
    static let velocityMemory = 0.5
    /// The longest step that is predicted, as a share of the face's width per picture.
    static let largestStep = 0.5
    static let minimumOverlap = 0.2
    static let reach = 0.5
    static let reachGrowth = 0.25
    static let sizeRatio = 0.6...1.67
    static let patience = 0.5
    static let patienceInImages = 5
    static let longestGap = 1.0
    /// Seconds between pictures without timestamps.
    static let standardStep = 1 / 30.0
  }

  private var tracks: [Track] = []
  private var nextID: Int
  private var clock: Double?
  private var time = 0.0
  private var width = 0
  private var height = 0

  /// - Parameter firstID: The first face's number; the others count on from it.
  init(firstID: Int = 0) { nextID = firstID }

  /// Tracks whose face is missing at the moment.
  var hasMissing: Bool {
    for track in tracks where track.misses > 0 { return true }
    return false
  }

  /// Forgets all faces. Numbers go on counting.
  mutating func reset() {
    tracks = []
    clock = nil
  }

  /// Begins a new stream if the next picture can't belong to the one before: another size, a time that steps back, or a gap
  /// of more than a second. Returns whether it did.
  mutating func prepare(
    imageWidth: Int, imageHeight: Int, timestampInMilliseconds: Int?
  ) -> Bool {
    var isNew = width != imageWidth || height != imageHeight
    var step = Rule.standardStep
    let stamp = timestampInMilliseconds.map { Double($0) / 1000 }
    if let stamp, let clock {
      step = stamp - clock
      if step < 0 || step > Rule.longestGap { isNew = true }
    }
    if isNew {
      reset()
      step = Rule.standardStep
    }
    clock = stamp
    (width, height) = (imageWidth, imageHeight)
    time += step
    return isNew
  }

  /// The numbers of the faces of the picture that was given to
  /// ``prepare(imageWidth:imageHeight:timestampInMilliseconds:)``.
  ///
  /// - Parameters:
  ///   - frames: The faces' rectangles in pixels.
  ///   - known: Numbers that are certain, from earlier calls, each at most once; `nil` for faces to be matched with
  ///     the tracks that are left. An empty list stands for `nil` throughout.
  /// - Returns: A number for each face.
  mutating func identify(_ frames: [Rect], known: [Int?] = []) -> [Int] {
    var boxes: [Box] = []
    for frame in frames { boxes.append(Box(frame, imageWidth: width)) }
    var ids = known.isEmpty ? [Int?](repeating: nil, count: boxes.count) : known
    // Costs of pairs whose track and face are both free.
    var costs: [[Double?]] = []
    for track in tracks {
      let predicted = predicted(track)
      let isTaken = ids.contains(track.id)
      var row: [Double?] = []
      for (column, box) in boxes.enumerated() {
        row.append(
          isTaken || ids[column] != nil ? nil : FaceIdentities.cost(track, predicted, box))
      }
      costs.append(row)
    }
    var pairs = leastCostAssignment(costs, columns: boxes.count)
    for index in tracks.indices {
      if let column = ids.firstIndex(of: tracks[index].id) { pairs[index] = column }
    }
    for (index, column) in pairs.enumerated() {
      if let column {
        ids[column] = tracks[index].id
        FaceIdentities.update(&tracks[index], boxes[column], time)
      } else {
        tracks[index].misses += 1
      }
    }
    dropLost()
    var result: [Int] = []
    for (index, id) in ids.enumerated() {
      if let id {
        result.append(id)
        // A number that is certain though its track was dropped: the stream paused for longer than tracks are kept.
        var isTracked = false
        for track in tracks where track.id == id { isTracked = true }
        if !isTracked { tracks.append(Track(id: id, box: boxes[index], lastSeen: time)) }
      } else {
        tracks.append(Track(id: nextID, box: boxes[index], lastSeen: time))
        result.append(nextID)
        nextID += 1
      }
    }
    return result
  }

  /// Where a track's face should be by now.
  private func predicted(_ track: Track) -> Box {
    var box = track.box
    let elapsed = time - track.lastSeen
    // The clamp is for one picture's step; a face that was hidden for several may have made several.
    let limit = Rule.largestStep * box.width * Double(track.misses + 1)
    let (dx, dy) = (track.velocityX * elapsed, track.velocityY * elapsed)
    let length = (dx * dx + dy * dy).squareRoot()
    let share = length > limit ? limit / length : 1
    box.x += dx * share
    box.y += dy * share
    return box
  }

  /// `nil` for a pair too far apart, or too different in size.
  private static func cost(_ track: Track, _ predicted: Box, _ box: Box) -> Double? {
    let ratio = box.width / track.box.width
    guard Rule.sizeRatio.contains(ratio) else { return nil }
    let overlap = predicted.overlap(box)
    let distance = predicted.distance(box)
    let meanWidth = (predicted.width + box.width) / 2
    let reach = Rule.reach * meanWidth * (1 + Rule.reachGrowth * Double(track.misses))
    guard overlap >= Rule.minimumOverlap || distance <= reach else { return nil }
    return 1 - overlap + 0.3 * distance / meanWidth + 0.2 * abs(Elementary.log(ratio))
  }

  private static func update(_ track: inout Track, _ box: Box, _ time: Double) {
    let elapsed = time - track.lastSeen
    if elapsed > 0 {
      let memory = Rule.velocityMemory
      track.velocityX = memory * track.velocityX + (1 - memory) * (box.x - track.box.x) / elapsed
      track.velocityY = memory * track.velocityY + (1 - memory) * (box.y - track.box.y) / elapsed
    }
    track.box = box
    track.misses = 0
    track.lastSeen = time
  }

  private mutating func dropLost() {
    var kept: [Track] = []
    for track in tracks
    where time - track.lastSeen <= Rule.patience || track.misses < Rule.patienceInImages {
      kept.append(track)
    }
    tracks = kept
  }
}
