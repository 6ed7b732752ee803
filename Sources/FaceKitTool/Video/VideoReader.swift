import FaceKit
import FaceKitTensor
import ToolSupport

/// The frames of a video, decoded by ffmpeg: upright RGB in square pixels, each with the time it is shown at.
final class VideoReader {
  /// A frame, valid until the next one is asked for.
  struct Frame {
    let image: MPImage
    /// Since the start of the file, in microseconds; later than the frame before.
    let microseconds: Int
  }

  enum Next {
    case frame(Frame)
    case end
    case interrupted
  }

  private let source: VideoSource
  private let programs: FFmpeg
  private let decoder: ChildProcess
  /// One frame's bytes, used again and again: a frame is done with before the next is read.
  private let storage: Storage
  private(set) var frameCount = 0
  private var lastTime = -1
  /// Between the last two frames.
  private var lastStep = 0

  init(_ source: VideoSource, _ programs: FFmpeg) throws(ToolError) {
    self.source = source
    self.programs = programs
    storage = Storage(count: 3 * source.width * source.height)
    // The decoder turns frames upright by itself. The size is said so that each frame has it, even where the
    // stream changes in the middle.
    var filters = [
      "scale=\(source.width):\(source.height):flags=bicubic+accurate_rnd+full_chroma_int",
      "setsar=1",
    ]
    var timing = ["-r", source.rate.text]
    if !source.isResampled {
      // A note for each frame, with its time. Only frames that have metadata are noted, hence one is added.
      filters += [
        "settb=1/1000000", "metadata=mode=add:key=facekit:value=1",
        "metadata=mode=print:file=pipe\\\\:3:direct=1",
      ]
      timing = ["-vsync", "passthrough", "-enc_time_base", "1/1000000"]
    }
    decoder = try ChildProcess(
      programs.ffmpeg,
      ["-v", "error", "-nostdin"] + source.inputArguments
        + ["-map", "0:V:0", "-vf", filters.joined(separator: ",")] + timing
        + ["-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"],
      connecting: source.isResampled ? .output : .outputAndNotes)
  }

  /// The next frame.
  ///
  /// - Throws: ``ToolError`` if the decoder gave up, or the file ends before the video does.
  func next(isInterrupted: () -> Bool) throws -> Next {
    let bytes = UnsafeMutableRawBufferPointer(start: storage.base, count: storage.count)
    switch decoder.read(into: bytes, isInterrupted: isInterrupted) {
    case .interrupted: return .interrupted
    case .ended:
      try checkEnd()
      return .end
    case .complete:
      let time = max(time(), lastTime + 1)
      if frameCount > 0 { lastStep = time - lastTime }
      lastTime = time
      frameCount += 1
      return .frame(
        Frame(
          image: try MPImage(
            pixels: StorageView(storage), width: source.width, height: source.height, format: .rgb),
          microseconds: time))
    }
  }

  /// The time of the frame that was just read.
  private func time() -> Int {
    guard !source.isResampled else { return source.rate.microseconds(ofFrame: frameCount) }
    // `frame:12   pts:480000  pts_time:0.48`, then a line for each metadatum.
    while let line = decoder.nextNote() {
      guard line.hasPrefix("frame:"), let start = line.firstRange(of: " pts:") else { continue }
      let text = line[start.upperBound...].prefix { $0 == "-" || $0.isNumber }
      // Some streams say no time for a frame: then it is a step after the last.
      return Int(text) ?? lastTime + max(lastStep, 1)
    }
    return lastTime + max(lastStep, 1)
  }

  // MARK: The end

  /// Tells an end from a breakdown: ffmpeg skips what it cannot decode, and calls that success.
  private func checkEnd() throws(ToolError) {
    let status = decoder.wait()
    let messages = decoder.lastMessages(1)
    if frameCount == 0 {
      throw ToolError(
        "video",
        "no frame could be decoded (\(messages.isEmpty ? "ffmpeg ended with status \(status)" : messages))",
        at: source.path, advice: "check that the file plays")
    }
    guard status != 0 || isShort && (!messages.isEmpty || fileIsShort) else { return }
    let reason =
      !messages.isEmpty
      ? messages
      : status != 0 ? "ffmpeg ended with status \(status)" : "the file ends before the video does"
    let all = source.frameCount.map { source.isCounted ? " of \($0)" : " of about \($0)" } ?? ""
    throw ToolError(
      "video", "the video is damaged after \(frameCount)\(all) frames (\(reason))",
      at: source.path, advice: "what could be read was processed; make a new copy of the file")
  }

  /// How much may be missing at the end of a whole file, in seconds: durations are rounded, and of the whole.
  private func tolerance(_ duration: Double) -> Double {
    max(0.1, 0.02 * duration, 2 / source.rate.value)
  }

  /// Whether the frames end before the container says they do.
  private var isShort: Bool {
    guard let duration = source.duration else { return false }
    let end = Double(lastTime + lastStep) / 1e6
    return end < duration - tolerance(duration)
  }

  /// Whether the whole file ends before that, not only the pictures: sound may go on after them.
  private var fileIsShort: Bool {
    guard let duration = source.duration, !source.isPattern,
      let probe = try? ChildProcess(
        programs.ffprobe,
        ["-v", "error", "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"]
          + FFmpeg.safely + [FFmpeg.file(source.path)], connecting: .output),
      let lines = probe.readAll(), probe.wait() == 0
    else { return false }
    let end = lines.split(separator: 0x0A).compactMap { line -> Double? in
      let times = line.split(separator: 0x2C).map { Double(String(decoding: $0, as: UTF8.self)) }
      return times.first.flatMap { $0 }.map { $0 + (times.count > 1 ? times[1] ?? 0 : 0) }
    }.max()
    return end.map { $0 < duration - tolerance(duration) } ?? false
  }
}
