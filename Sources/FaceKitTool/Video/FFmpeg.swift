import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
    for folder in (path ?? "").split(separator: ":")
    where access("\(folder)/\(program)", X_OK) == 0 {
      return "\(folder)/\(program)"
    }
    throw ToolError(
      "ffmpegMissing", "\(program) is not installed, and videos are read with it", at: "PATH",
      advice:
        "run `tools/setup`, or install ffmpeg (`apt-get install ffmpeg`, `brew install ffmpeg`)"
    )
  }

  /// Options before every input: files only, so that no playlist makes the tool reach into a network.
  static let safely = ["-protocol_whitelist", "file,pipe"]

  /// A path as the programs take it, whatever it looks like: with `-` or a protocol at its start.
  static func file(_ path: String) -> String { "file:" + path }
}
