import FaceKit
import FaceKitTensor
import ToolSupport

/// The frames of a video, decoded by ffmpeg: upright RGB, at a constant rate, so that frame `n` is shown at
/// `n / rate` and sound stays beside its picture.
final class VideoReader {
  enum Next {
    case frame(MPImage)
    case end
    case interrupted
  }

  private let source: VideoSource
  private let decoder: ChildProcess
  /// One frame's bytes, used again and again: a frame is done with before the next is read.
  private let storage: Storage
  private(set) var frameCount = 0

  init(_ source: VideoSource, _ programs: FFmpeg) throws(ToolError) {
    self.source = source
    storage = Storage(count: 3 * source.width * source.height)
    // The decoder turns frames upright by itself. The size is said again so that each frame has it, even
    // where the stream changes in the middle.
    decoder = try ChildProcess(
      programs.ffmpeg,
      ["-v", "error", "-nostdin"] + source.inputArguments + [
        "-map", "0:V:0", "-r", source.rate.text, "-s", "\(source.width)x\(source.height)",
        "-sws_flags", "bicubic+accurate_rnd+full_chroma_int", "-pix_fmt", "rgb24",
        "-f", "rawvideo", "pipe:1",
      ], connecting: .output)
  }

  /// The next frame, valid until the one after it is asked for.
  ///
  /// - Throws: ``ToolError`` if the decoder gave up.
  func next(isInterrupted: () -> Bool) throws -> Next {
    let bytes = UnsafeMutableRawBufferPointer(start: storage.base, count: storage.count)
    switch decoder.read(into: bytes, isInterrupted: isInterrupted) {
    case .interrupted: return .interrupted
    case .ended:
      try checkEnd()
      return .end
    case .complete:
      frameCount += 1
      return .frame(
        try MPImage(
          pixels: StorageView(storage), width: source.width, height: source.height, format: .rgb))
    }
  }

  /// Tells an end from a breakdown: ffmpeg skips what it cannot decode, and calls that success.
  private func checkEnd() throws(ToolError) {
    let status = decoder.wait()
    let messages = decoder.lastMessages(1)
    let reason = messages.isEmpty ? "ffmpeg ended with status \(status)" : messages
    if frameCount == 0 {
      throw ToolError(
        "video", "no frame could be decoded (\(reason))", at: source.path,
        advice: "check that the file plays")
    }
    let expected = source.isCounted ? source.frameCount ?? 0 : 0
    let isShort = !messages.isEmpty && frameCount < expected - max(2, expected / 50)
    if status != 0 || isShort {
      let all = expected > 0 ? " of \(expected)" : ""
      throw ToolError(
        "video", "the video is damaged after \(frameCount)\(all) frames (\(reason))",
        at: source.path, advice: "what could be read was processed; make a new copy of the file")
    }
  }
}
