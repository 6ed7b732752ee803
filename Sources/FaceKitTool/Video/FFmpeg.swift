import ToolSupport

/// The programs that read and write videos.
struct FFmpeg: Sendable {
  let ffmpeg: String
  let ffprobe: String

  /// Finds them in the folders of PATH.
  ///
  /// - Throws: ``ToolError`` that says how to install them.
  init(path: String? = Environment.value("PATH")) throws(ToolError) {
    ffmpeg = try FFmpeg.locate("ffmpeg", path)
    ffprobe = try FFmpeg.locate("ffprobe", path)
  }

  private static func locate(_ program: String, _ path: String?) throws(ToolError) -> String {
    if let found = ChildProcess.locate(program, path: path) { return found }
    throw ToolError(
      "ffmpegMissing", "\(program) is not installed, and videos are read with it", at: "PATH",
      advice:
        "run `tools/setup`, or install ffmpeg (`apt-get install ffmpeg`, `brew install ffmpeg`)"
    )
  }

  /// Containers that hold their pictures themselves. What only names other files (playlists such as hls, dash
  /// and concat, session descriptions, numbered pictures) would have this program read files that nobody gave
  /// it, whatever its own name says.
  private static let containers = [
    "apng", "asf", "avi", "av1", "dv", "flv", "gif", "h261", "h263", "h264", "hevc", "ivf",
    "live_flv",
    "m4v", "matroska", "mjpeg", "mjpeg_2000", "mov", "mpeg", "mpegts", "mpegvideo", "mpegtsraw",
    "mxf",
    "nut", "obu", "ogg", "rm", "vc1", "wtv", "yuv4mpegpipe",
  ]

  /// Options before every input: files only, so that nothing makes the tool reach into a network.
  static let safely = [
    "-protocol_whitelist", "file,pipe", "-format_whitelist", containers.joined(separator: ","),
  ]

  /// The same before numbered pictures, whose pattern the user gave.
  static func safely(pattern rate: FrameRate) -> [String] {
    [
      "-protocol_whitelist", "file,pipe", "-format_whitelist", "image2", "-f", "image2",
      "-framerate", rate.text,
    ]
  }

  /// A path as the programs take it, whatever it looks like: with `-` or a protocol at its start.
  static func file(_ path: String) -> String { "file:" + path }
}
