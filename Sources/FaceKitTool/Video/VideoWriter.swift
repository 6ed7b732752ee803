import FaceKit
import ToolSupport

/// A video file in the making: frames go through a pipe to ffmpeg, which copies the sound from the source. It
/// writes beside the file's place, which is taken when all is well.
final class VideoWriter {
  /// What to write, and where.
  struct Target {
    let path: String
    let format: VideoFormat
    let copiesAudio: Bool
    let inputs: ProtectedFiles
  }

  private let target: Target
  private let source: VideoSource
  private let copiesAudio: Bool
  private let programs: FFmpeg
  private let file: OutputFile
  private let encoder: ChildProcess
  private var frameCount = 0
  private var lastTime = 0
  /// Sides of the frames that are written: even, because most players show only 4:2:0.
  private let (width, height): (Int, Int)

  /// Begins the file.
  init(
    _ target: Target, for source: VideoSource, _ programs: FFmpeg
  ) throws(ToolError) {
    self.target = target
    self.source = source
    self.programs = programs
    copiesAudio = target.copiesAudio && source.hasAudio
    (width, height) = (source.width + source.width % 2, source.height + source.height % 2)
    file = try OutputFile(target.path, protecting: target.inputs)
    var arguments = ["-v", "error", "-nostdin", "-y", "-f", "matroska", "-i", "pipe:0"]
    if copiesAudio {
      arguments += FFmpeg.safely + ["-i", FFmpeg.file(source.path), "-map", "0:v", "-map", "1:a"]
      arguments += ["-c:a", "copy", "-map_metadata", "1"]
    }
    arguments += ["-pix_fmt", "yuv420p"]
    // Each frame at its own time, in units fine enough for all usual rates; else ffmpeg's own way to a constant
    // rate.
    if target.format.hasFrameTimes { arguments += ["-vsync", "vfr", "-enc_time_base", "1/90000"] }
    // What x264 reads; encoders without such options pass over them.
    arguments += ["-preset", "veryfast", "-crf", "18", "-f", target.format.muxer]
    encoder = try ChildProcess(
      programs.ffmpeg, arguments + [FFmpeg.file(file.temporaryPath)], connecting: .input)
    let header = RawMatroska.header(width: width, height: height, rate: source.rate)
    guard header.withUnsafeBytes({ encoder.write($0) }) else { throw fault(encoder.wait()) }
  }

  /// Adds a frame of the source's size.
  func write(_ frame: MPImage, microseconds: Int) throws(ToolError) {
    let header = RawMatroska.frameHeader(microseconds: microseconds, byteCount: 3 * width * height)
    let isTaken =
      header.withUnsafeBytes { encoder.write($0) }
      && (width == source.width && height == source.height
        ? encoder.write(frame.pixels.bytes)
        : evenBytes(frame).withUnsafeBytes { encoder.write($0) })
    guard isTaken else { throw fault(encoder.wait()) }
    frameCount += 1
    lastTime = microseconds
  }

  /// The frame with its last column and row once more where its sides are odd.
  private func evenBytes(_ frame: MPImage) -> [UInt8] {
    let (bytes, row) = (frame.pixels.bytes, 3 * source.width)
    var even: [UInt8] = []
    even.reserveCapacity(3 * width * height)
    for y in 0..<height {
      let line = bytes[(min(y, source.height - 1) * row)...].prefix(row)
      even += line
      if width > source.width { even += line.suffix(3) }
    }
    return even
  }

  /// Completes the file.
  func finish() throws(ToolError) {
    let status = encoder.wait()
    if status != 0 { throw fault(status) }
    try file.commit()
  }

  /// Completes the file with the frames so far.
  func finishEarly() throws(ToolError) {
    // At the end of the frames the encoder goes on to copy the rest of the sound, which is then cut off.
    let status = encoder.wait()
    if status != 0 { throw fault(status) }
    guard copiesAudio, let cut = try? OutputFile(target.path, protecting: target.inputs) else {
      return try file.commit()
    }
    let seconds = Double(lastTime) / 1e6 + 1 / source.rate.value
    let trimmer = try ChildProcess(
      programs.ffmpeg,
      ["-v", "error", "-nostdin", "-y"] + FFmpeg.safely + [
        "-i", FFmpeg.file(file.temporaryPath), "-map", "0", "-c", "copy", "-t", "\(seconds)", "-f",
        target.format.muxer, FFmpeg.file(cut.temporaryPath),
      ], connecting: .output)
    _ = trimmer.readAll()
    // Without the cut the file still plays.
    if trimmer.wait() == 0 { try cut.commit() } else { try file.commit() }
  }

  private func fault(_ status: Int32) -> ToolError {
    let messages = encoder.lastMessages()
    let reason = messages.isEmpty ? "ffmpeg ended with status \(status)" : messages
    return ToolError(
      "unwritable", "the video cannot be written (\(reason))", at: target.path,
      advice: copiesAudio
        ? "check folder and space; for sound that the format cannot hold, use .mkv or --no-audio"
        : "check the folder and its space")
  }
}
