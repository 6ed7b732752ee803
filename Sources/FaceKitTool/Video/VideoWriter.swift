import FaceKit
import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A video file in the making: frames go through a pipe to ffmpeg, which copies the sound from the source.
final class VideoWriter {
  private let path: String
  private let source: VideoSource
  private let copiesAudio: Bool
  private let programs: FFmpeg
  private let encoder: ChildProcess
  private var frameCount = 0

  /// Begins the file, in the format its name says.
  init(
    _ path: String, for source: VideoSource, copyingAudio: Bool, _ programs: FFmpeg
  ) throws(ToolError) {
    self.path = path
    self.source = source
    self.programs = programs
    copiesAudio = copyingAudio && source.hasAudio
    var arguments = [
      "-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
      "-video_size", "\(source.width)x\(source.height)", "-framerate", source.rate.text,
    ]
    arguments += ["-i", "pipe:0"]
    if copiesAudio {
      arguments += FFmpeg.safely + ["-i", FFmpeg.file(source.path), "-map", "0:v", "-map", "1:a"]
      arguments += ["-c:a", "copy", "-map_metadata", "1"]
    }
    // Most players show only 4:2:0, which takes even sides.
    var filters = "pad=ceil(iw/2)*2:ceil(ih/2)*2"
    if let aspect = source.pixelAspect { filters += ",setsar=\(aspect)" }
    arguments += ["-vf", filters, "-pix_fmt", "yuv420p"]
    // What x264 reads; encoders without such options pass over them.
    arguments += ["-preset", "veryfast", "-crf", "18", FFmpeg.file(path)]
    encoder = try ChildProcess(programs.ffmpeg, arguments, connecting: .input)
  }

  /// Checks the place of the output before any work is done.
  ///
  /// - Throws: `UsageError` if it is the source itself.
  static func check(_ path: String, source: String, command: String) throws(UsageError) {
    var (to, from) = (stat(), stat())
    let isSame =
      stat(path, &to) == 0 && stat(source, &from) == 0 && to.st_ino == from.st_ino
      && to.st_dev == from.st_dev
    if isSame {
      throw UsageError(
        "the output is the input", at: "facekit \(command) -o \(path)", advice: "give another name")
    }
  }

  /// Adds a frame of the source's size.
  func write(_ frame: MPImage) throws(ToolError) {
    guard encoder.write(frame.pixels.bytes) else { throw fault(encoder.wait()) }
    frameCount += 1
  }

  /// Completes the file.
  func finish() throws(ToolError) {
    let status = encoder.wait()
    if status != 0 { throw fault(status) }
  }

  /// Completes the file with the frames so far.
  func finishEarly() throws(ToolError) {
    // At the end of the frames the encoder goes on to copy the rest of the sound, which is then cut off.
    try finish()
    guard copiesAudio else { return }
    let seconds =
      Double(frameCount) * Double(source.rate.denominator) / Double(source.rate.numerator)
    let name = path.split(separator: ".").last ?? ""
    let cut = "\(path).part.\(name)"
    let trimmer = try ChildProcess(
      programs.ffmpeg,
      [
        "-v", "error", "-nostdin", "-y", "-i", FFmpeg.file(path), "-map", "0", "-c", "copy",
        "-t", "\(seconds)", FFmpeg.file(cut),
      ], connecting: .output)
    _ = trimmer.readAll()
    // Without the cut the file still plays.
    if trimmer.wait() != 0 || rename(cut, path) != 0 { unlink(cut) }
  }

  private func fault(_ status: Int32) -> ToolError {
    let messages = encoder.lastMessages()
    let reason = messages.isEmpty ? "ffmpeg ended with status \(status)" : messages
    return ToolError(
      "unwritable", "the video cannot be written (\(reason))", at: path,
      advice: copiesAudio
        ? "check folder, space and extension; for sound that the format cannot hold, use .mkv or --no-audio"
        : "check the folder, its space, and the extension (.mp4, .mkv, .webm)")
  }
}
