import ToolSupport

/// What is counted while a video is processed.
struct VideoStatistics: Sendable {
  private(set) var frames = 0
  private(set) var framesWithFaces = 0
  private(set) var detectorRuns = 0
  /// The time of the last frame; -1 before the first.
  private(set) var lastMilliseconds = -1
  /// Time in the landmarker, without decoding, drawing and encoding.
  private(set) var nanoseconds: UInt64 = 0

  mutating func add(faces: Int, detectorRan: Bool, milliseconds: Int, nanoseconds: UInt64) {
    frames += 1
    lastMilliseconds = milliseconds
    if faces > 0 { framesWithFaces += 1 }
    if detectorRan { detectorRuns += 1 }
    self.nanoseconds += nanoseconds
  }

  var detectorRunsPer1000Frames: Double {
    frames == 0 ? 0 : Double(detectorRuns) * 1000 / Double(frames)
  }

  var millisecondsPerFrame: Double { frames == 0 ? 0 : Double(nanoseconds) / 1e6 / Double(frames) }

  var json: JSON {
    [
      "frames": .integer(frames), "framesWithFaces": .integer(framesWithFaces),
      "detectorRuns": .integer(detectorRuns),
      "detectorRunsPer1000Frames": .double(detectorRunsPer1000Frames),
      "msPerFrame": .double(millisecondsPerFrame),
    ]
  }

  var text: String {
    """
      detector calls per 1,000 frames: \(Formatting.fixed(detectorRunsPer1000Frames, 1)) \
    (\(detectorRuns) in \(frames) frames, \(framesWithFaces) with faces)
      landmarker: \(Formatting.fixed(millisecondsPerFrame, 2)) ms a frame
    """
  }
}

/// The bar of a video: frames, speed and time left, on a terminal only.
struct VideoProgress {
  private let console: Console
  private let total: Int?
  private let bar: ProgressBar
  private let start: UInt64
  private var lastShown: UInt64 = 0
  /// Redrawing for each frame would make the terminal the slowest part.
  private static let interval: UInt64 = 100_000_000

  init(_ console: Console, total: Int?, now: UInt64 = Stopwatch.now) {
    self.console = console
    self.total = total
    bar = ProgressBar(console, total: total ?? 0)
    start = now
  }

  mutating func show(_ done: Int, now: UInt64 = Stopwatch.now) {
    guard let progress = console.progress, now - lastShown >= VideoProgress.interval else { return }
    lastShown = now
    let speed = Double(done) * 1e9 / Double(max(1, now - start))
    let rate = "\(Formatting.fixed(speed, 1)) frames/s"
    // An estimate may be passed.
    if let total, total > 1, done <= total {
      let left = speed > 0 ? Double(total - done) / speed : 0
      bar.show(done, "\(rate), \(VideoProgress.clock(left)) left")
    } else {
      progress("\r\u{1B}[K\(done) frames, \(rate)")
    }
  }

  func clear() { console.progress?("\r\u{1B}[K") }

  /// `0:07`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(0, seconds), 1e6).rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, Formatting.zeros(whole % 60, 2))
    return hours > 0 ? "\(hours):\(Formatting.zeros(minutes, 2)):\(rest)" : "\(minutes):\(rest)"
  }
}
