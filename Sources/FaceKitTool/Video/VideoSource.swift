import ToolSupport

/// A video file, or numbered pictures, and what the container says about it.
struct VideoSource: Equatable, Sendable {
  let path: String
  /// Numbered pictures: `frames/%04d.png`.
  let isPattern: Bool
  /// Sides of the picture as it is shown: upright, and in square pixels.
  let width: Int
  let height: Int
  /// The rate of a constant-rate video, else about how many frames a second there are.
  let rate: FrameRate
  /// Whether frames are read at ``rate``: numbered pictures, or because `--fps` says so. Otherwise each decoded
  /// frame comes once, with its own time.
  let isResampled: Bool
  /// How many frames there should be; `nil` if the container does not say.
  let frameCount: Int?
  /// Whether ``frameCount`` was counted by the container, not estimated from the duration.
  let isCounted: Bool
  /// How long the pictures should last, in seconds; `nil` if the container does not say.
  let duration: Double?
  let hasAudio: Bool

  static let maximumPixels = 100_000_000

  /// The options that open the input.
  var inputArguments: [String] {
    (isPattern ? FFmpeg.safely(pattern: rate) : FFmpeg.safely) + ["-i", FFmpeg.file(path)]
  }

  static func isPattern(_ path: String) -> Bool {
    path.hasNumberPlace && !FileStatus.exists(path)
  }

  /// Asks ffprobe.
  ///
  /// - Throws: ``ToolError``: `notFound`, `interrupted`, or `video` for a file that is broken or has no pictures.
  static func probe(
    _ path: String, fps: FrameRate?, _ programs: FFmpeg, isInterrupted: () -> Bool = { false }
  ) throws(ToolError) -> VideoSource {
    let isPattern = isPattern(path)
    if !isPattern { try checkReadable(path) }
    let options = isPattern ? FFmpeg.safely(pattern: fps ?? defaultRate) : FFmpeg.safely
    let child = try ChildProcess(
      programs.ffprobe,
      ["-v", "error", "-show_streams", "-show_format", "-of", "json"] + options + [
        FFmpeg.file(path)
      ], connecting: .output)
    guard let text = child.readAll(isInterrupted: isInterrupted) else {
      throw ToolError(
        "interrupted", "interrupted before the first frame", at: path, advice: "start again")
    }
    let status = child.wait()
    guard status == 0, let json = try? JSON(parsing: text) else {
      throw isPattern ? noPictures(path, child) : broken(path, child)
    }
    return try VideoSource(path, isPattern: isPattern, fps: fps, json)
  }

  static let defaultRate = FrameRate(30, 1)!

  /// Reads ffprobe's answer.
  init(_ path: String, isPattern: Bool, fps: FrameRate?, _ json: JSON) throws(ToolError) {
    let streams = json["streams"]?.array ?? []
    // A cover in a music file is a video stream of one picture.
    let video = streams.first {
      $0["codec_type"]?.string == "video" && $0["disposition"]?["attached_pic"]?.integer != 1
    }
    hasAudio = streams.contains { $0["codec_type"]?.string == "audio" }
    guard let video else {
      throw ToolError(
        "video", hasAudio ? "there is sound, but no picture" : "there is no video in the file",
        at: path, advice: "give a video file")
    }
    guard let stored = VideoSource.size(video) else {
      throw ToolError(
        "video", "the video's size cannot be told", at: path,
        advice: "check that the file plays, or make a new copy of it")
    }
    guard stored.width <= VideoSource.maximumPixels / stored.height else {
      throw ToolError(
        "video", "frames of \(stored.width)×\(stored.height) pixels", at: path,
        advice: "scale the video down; \(VideoSource.maximumPixels / 1_000_000) megapixels are read"
      )
    }
    self.path = path
    self.isPattern = isPattern
    isResampled = isPattern || fps != nil
    (width, height) =
      VideoSource.quarterTurns(video) % 2 == 1 ? (stored.height, stored.width) : stored
    let rate = fps ?? VideoSource.rate(video)
    self.rate = rate
    let counted = video["nb_frames"]?.string.flatMap { Int($0) }
    isCounted = counted != nil && (fps == nil || isPattern)
    let duration = VideoSource.duration(video, json["format"], frames: counted)
    self.duration = duration
    frameCount =
      isCounted
      ? counted
      : duration.flatMap { seconds in
        let frames = (seconds * rate.value).rounded()
        return frames >= 1 && frames < 1e9 ? Int(frames) : nil
      }
  }

  // MARK: Members of the answer

  /// The rate of a constant-rate video; of others, the mean.
  private static func rate(_ video: JSON) -> FrameRate {
    let base = video["r_frame_rate"]?.string.flatMap { FrameRate($0) }
    let mean = video["avg_frame_rate"]?.string.flatMap { FrameRate($0) }
    guard let base, let mean else { return mean ?? base ?? defaultRate }
    // The mean is computed from rounded durations: near the base rate, it is the base rate.
    return abs(base.value - mean.value) <= 0.02 * mean.value ? base : mean
  }

  /// Turns by which players, and the decoder, bring the picture upright: from the display matrix, or from
  /// the tag that older files and programs have instead.
  private static func quarterTurns(_ video: JSON) -> Int {
    var degrees = video["tags"]?["rotate"]?.string.flatMap { Double($0) } ?? 0
    for data in video["side_data_list"]?.array ?? [] {
      if let rotation = data["rotation"]?.number { degrees = rotation }
    }
    let turns = (degrees / 90).rounded()
    guard abs(turns) < 1e6, abs(turns * 90 - degrees) < 2 else { return 0 }
    return abs(Int(turns)) % 4
  }

  /// The sides in square pixels, not yet turned. Where pixels are not square, the width follows, to an even number.
  private static func size(_ video: JSON) -> (width: Int, height: Int)? {
    guard let width = video["width"]?.integer, let height = video["height"]?.integer,
      (1...1_000_000).contains(width), (1...1_000_000).contains(height)
    else { return nil }
    let parts = (video["sample_aspect_ratio"]?.string ?? "").split(separator: ":").map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x > 0, y > 0, x != y else {
      return (width, height)
    }
    let shown = Double(width) * Double(x) / Double(y)
    guard shown < 1_000_000 else { return nil }
    return (max(2, 2 * Int((shown / 2).rounded())), height)
  }

  /// What the container says of the pictures' length, as far as it says anything: of the stream, else of the whole.
  private static func duration(_ video: JSON, _ format: JSON?, frames: Int?) -> Double? {
    // The header of an AVI file counts frames that a cut file no longer has; its length is made from what is left.
    if format?["format_name"]?.string == "avi", let frames,
      let rate = video["avg_frame_rate"]?.string.flatMap({ FrameRate($0) })
    {
      return Double(frames) / rate.value
    }
    let tags = video["tags"]
    let texts = [video["duration"], tags?["DURATION"], format?["duration"]].compactMap(\.?.string)
    return texts.lazy.compactMap(seconds).first
  }

  /// `4.008`, or `00:00:04.008000000`.
  private static func seconds(_ text: String) -> Double? {
    var seconds = 0.0
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard let value = Double(part), value.isFinite, value >= 0 else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds > 0 ? seconds : nil
  }

  // MARK: Faults

  private static func checkReadable(_ path: String) throws(ToolError) {
    if Folder.exists(path) {
      throw ToolError(
        "video", "this is a folder", at: path,
        advice: "give a video file, or pictures in it: \(path)/%04d.png")
    }
    try InputFile.check(path, what: "video")
  }

  private static func broken(_ path: String, _ child: ChildProcess) -> ToolError {
    ToolError(
      "video", "this is not a video, or it is damaged (\(child.lastMessages(1)))", at: path,
      advice: "check that the file plays and is complete")
  }

  private static func noPictures(_ path: String, _ child: ChildProcess) -> ToolError {
    ToolError(
      "notFound", "no pictures could be read (\(child.lastMessages(1)))", at: path,
      advice: "name them like the pattern, numbered from 0 to 4 on without a gap")
  }
}

extension String {
  /// Whether there is a `%d` or `%04d` in it.
  fileprivate var hasNumberPlace: Bool {
    let parts = split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    return parts.contains { part in
      part.drop(while: { "0"..."9" ~= $0 }).first == "d"
    }
  }
}
