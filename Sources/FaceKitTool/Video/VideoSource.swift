import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Frames a second, as a fraction: 30000/1001.
struct FrameRate: Equatable, Sendable {
  let numerator: Int
  let denominator: Int

  /// `30`, `29.97`, `30000/1001`; `nil` for anything that is no rate from 1/1000 to 1000.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) {
      self.init(numerator, denominator)
    } else if let value = Double(text), value > 0, value <= 1000 {
      self.init(Int((value * 1000).rounded()), 1000)
    } else {
      return nil
    }
  }

  init?(_ numerator: Int, _ denominator: Int) {
    let sane = 1...1_000_000_000
    guard sane.contains(numerator), sane.contains(denominator),
      numerator <= denominator * 1000, denominator <= numerator * 1000
    else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  var value: Double { Double(numerator) / Double(denominator) }
  var text: String { "\(numerator)/\(denominator)" }

  /// When frame `index` is shown. Strictly increasing, since there are no more than 1000 frames a second.
  func milliseconds(ofFrame index: Int) -> Int {
    Int((Double(index) * 1000 * Double(denominator) / Double(numerator)).rounded())
  }
}

/// A video file, or numbered pictures, and what the container says about it.
struct VideoSource: Equatable, Sendable {
  let path: String
  /// Numbered pictures: `frames/%04d.png`.
  let isPattern: Bool
  /// Sides of the upright picture.
  let width: Int
  let height: Int
  let rate: FrameRate
  /// How many frames there should be; `nil` if the container does not say.
  let frameCount: Int?
  /// Whether ``frameCount`` was counted by the container, not estimated from the duration.
  let isCounted: Bool
  let hasAudio: Bool
  /// Width to height of a pixel, where they are not square: `16/15`.
  let pixelAspect: String?

  static let maximumPixels = 100_000_000

  /// The options that open the input.
  var inputArguments: [String] {
    var arguments = FFmpeg.safely
    if isPattern { arguments += ["-f", "image2", "-framerate", rate.text] }
    return arguments + ["-i", FFmpeg.file(path)]
  }

  static func isPattern(_ path: String) -> Bool {
    path.hasNumberPlace && access(path, F_OK) != 0
  }

  /// Asks ffprobe.
  ///
  /// - Throws: ``ToolError``: `notFound`, or `video` for a file that is broken or has no pictures.
  static func probe(
    _ path: String, fps: FrameRate?, _ programs: FFmpeg
  ) throws(ToolError) -> VideoSource {
    let isPattern = isPattern(path)
    if !isPattern { try checkReadable(path) }
    var arguments = ["-v", "error", "-show_streams", "-show_format", "-of", "json"] + FFmpeg.safely
    if isPattern {
      arguments += ["-f", "image2", "-framerate", (fps ?? defaultRate).text]
    }
    let child = try ChildProcess(
      programs.ffprobe, arguments + [FFmpeg.file(path)], connecting: .output)
    let text = child.readAll()
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
    guard let width = video["width"]?.integer, let height = video["height"]?.integer,
      width > 0, height > 0
    else {
      throw ToolError(
        "video", "the video's size cannot be told", at: path,
        advice: "check that the file plays, or make a new copy of it")
    }
    guard width <= VideoSource.maximumPixels / height else {
      throw ToolError(
        "video", "frames of \(width)×\(height) pixels", at: path,
        advice: "scale the video down; \(VideoSource.maximumPixels / 1_000_000) megapixels are read"
      )
    }
    self.path = path
    self.isPattern = isPattern
    let isTurned = VideoSource.quarterTurns(video) % 2 == 1
    (self.width, self.height) = isTurned ? (height, width) : (width, height)
    let rate = fps ?? VideoSource.rate(video)
    self.rate = rate
    pixelAspect = VideoSource.pixelAspect(video, isTurned: isTurned)
    let counted = fps == nil || isPattern ? video["nb_frames"]?.string.flatMap { Int($0) } : nil
    isCounted = counted != nil
    let duration = video["duration"]?.string ?? json["format"]?["duration"]?.string
    frameCount =
      counted
      ?? duration.flatMap { Double($0) }.flatMap { seconds in
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

  private static func pixelAspect(_ video: JSON, isTurned: Bool) -> String? {
    let parts = (video["sample_aspect_ratio"]?.string ?? "").split(separator: ":").map { Int($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x > 0, y > 0, x != y else {
      return nil
    }
    return isTurned ? "\(y)/\(x)" : "\(x)/\(y)"
  }

  // MARK: Faults

  private static func checkReadable(_ path: String) throws(ToolError) {
    var status = stat()
    if stat(path, &status) != 0 || access(path, R_OK) != 0 {
      throw ToolError(
        "notFound", "the video cannot be opened (\(String(cString: strerror(errno))))", at: path,
        advice: "check the path")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw ToolError(
        "video", "this is a folder", at: path,
        advice: "give a video file, or pictures in it: \(path)/%04d.png")
    }
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
