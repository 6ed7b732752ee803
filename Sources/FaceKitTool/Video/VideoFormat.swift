import ToolSupport

/// The containers that drawn videos are written in.
enum VideoFormat: String, CaseIterable, Sendable {
  case mp4, m4v, mov, mkv, webm, avi, ts

  /// The name that ffmpeg has for it.
  var muxer: String {
    switch self {
    case .mp4, .m4v: "mp4"
    case .mov: "mov"
    case .mkv: "matroska"
    case .webm: "webm"
    case .avi: "avi"
    case .ts: "mpegts"
    }
  }

  /// Whether each frame can have a time of its own.
  var hasFrameTimes: Bool { self != .avi }

  /// The format that a file's name says, or the one that was chosen for a name without one.
  ///
  /// - Throws: ``UsageError`` if there is none, or they differ.
  init(of path: String, chosen: VideoFormat?, _ place: String) throws(UsageError) {
    let word = PictureFormat.pathExtension(path)
    if let format = word.flatMap({ VideoFormat(rawValue: $0.lowercased()) }),
      chosen == nil || chosen == format
    {
      self = format
      return
    }
    if word == nil, let chosen {
      self = chosen
      return
    }
    let names = VideoFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
    throw UsageError(
      chosen.map { "--format \($0.rawValue) is not what '.\(word ?? "")' says" }
        ?? word.map { "'.\($0)' is no video format that is written" }
        ?? "the name has no extension that says the format",
      at: place, advice: "give one of \(names), or --format")
  }
}
