import FaceKit
import Inspection
import ToolSupport

extension Command {
  static let video = Command(
    name: "video",
    summary: "follows faces through a video",
    synopsis: "[options] <video or frames/%04d.png>",
    options: LandmarkerArguments.options + [
      Option(
        "--smoothing", value: "WHOSE",
        help: "landmarks smoothed: off, single (if --faces is 1), every (single)"),
      Option("--keep-order", help: "faces keep their places in the list while they are followed"),
      Option(
        "--fps", value: "N",
        help: "frames a second, 25 or 30000/1001: of numbered pictures (30),\nor to read a video at"
      ),
      Option("--json", help: "one JSON object a line and frame"),
      Option("-o", "--output", value: "FILE", help: "draw: to this .mp4, .mkv, .webm…"),
      Option("--no-audio", help: "do not copy the sound"),
      Option("--stats", help: "also detector calls per 1,000 frames, and time a frame"),
      Option("--models", value: "FOLDER", help: "where the models are"),
    ] + EngineArguments.options,
    details: """
      JSON: as `facekit landmarks`, with "frame", "timestampMs" and "detectorRan". Frames come at a constant
      rate; where a video's own varies, some are shown twice or left out, so that sound and picture stay
      together. Rotation and size are those the container says. Ctrl-C completes the file that -o names with
      the frames so far.
      """
  ) { arguments, console in
    try Interruption.noting {
      try VideoRun(arguments, console, isInterrupted: { Interruption.isRequested }).run()
    }
  }
}

/// `facekit video`, from the arguments to the last frame.
struct VideoRun {
  private let file: String
  private let json: Bool
  private let output: String?
  private let copiesAudio: Bool
  private let wantsStatistics: Bool
  private let fps: FrameRate?
  private let options: FaceLandmarkerOptions
  private let programs: FFmpeg
  private let console: Console
  private let isInterrupted: () -> Bool

  /// Checks everything that can be checked before the first frame.
  init(_ arguments: Arguments, _ console: Console, isInterrupted: @escaping () -> Bool) throws {
    self.console = console
    self.isInterrupted = isInterrupted
    let files = try arguments.requireFiles("video")
    guard files.count == 1 else {
      throw UsageError(
        "\(files.count) videos given", at: "facekit \(arguments.command)",
        advice: "give one; quote a pattern, so that the shell leaves it alone")
    }
    file = files[0]
    json = arguments.has("--json")
    output = arguments.string("--output")
    copiesAudio = !arguments.has("--no-audio")
    wantsStatistics = arguments.has("--stats")
    fps = try arguments.string("--fps").map { text throws(UsageError) in
      guard let rate = FrameRate(text) else {
        throw arguments.invalid(
          "--fps", text, "give a rate from 0.001 to 1000, as 25 or 30000/1001")
      }
      return rate
    }
    options = try LandmarkerArguments.options(arguments)
    options.runningMode = .video
    options.keepsFaceOrder = arguments.has("--keep-order")
    options.smoothing = try LandmarkerArguments.smoothing(arguments)
    if let output { try VideoWriter.check(output, source: file, command: arguments.command) }
    programs = try FFmpeg()
    try LandmarkerArguments.chooseModels(
      arguments, ModelStore(folder: arguments.string("--models")), options)
  }

  func run() throws -> ToolStatus {
    do {
      let source = try VideoSource.probe(file, fps: fps, programs)
      return try process(source)
    } catch {
      if json { console.print(PictureBatch.errorLine(file, error).text) }
      throw error
    }
  }

  private func process(_ source: VideoSource) throws -> ToolStatus {
    let landmarker = try LandmarkerArguments.landmarker(options)
    let reader = try VideoReader(source, programs)
    var writer: VideoWriter?
    var statistics = VideoStatistics()
    var progress = VideoProgress(console, total: source.frameCount)
    var fault: (any Error)?
    var wasInterrupted = false
    do {
      frames: while true {
        if isInterrupted() {
          wasInterrupted = true
          break
        }
        switch try reader.next(isInterrupted: isInterrupted) {
        case .end: break frames
        case .interrupted: wasInterrupted = true; break frames
        case .frame(let image):
          let result = try landmarks(in: image, source, landmarker, &statistics)
          if let output {
            // Begun with the first frame: a video that cannot be read leaves no empty file.
            if writer == nil {
              writer = try VideoWriter(output, for: source, copyingAudio: copiesAudio, programs)
            }
            try writer!.write(LandmarkOutput.overlay(result, on: image))
          }
          if json { console.print(line(result, source, frame: statistics.frames - 1)) }
          progress.show(statistics.frames)
        }
      }
    } catch {
      fault = error
    }
    progress.clear()
    if wasInterrupted { try writer?.finishEarly() } else { try writer?.finish() }
    if statistics.frames > 0 || fault == nil { report(source, statistics) }
    if let fault { throw fault }
    guard wasInterrupted else { return .done }
    throw ToolError(
      "interrupted", "interrupted after \(statistics.frames) frames", at: file,
      advice: writer == nil ? "start again for the rest" : "\(output!) has the frames so far")
  }

  private func landmarks(
    in image: MPImage, _ source: VideoSource, _ landmarker: FaceLandmarker,
    _ statistics: inout VideoStatistics
  ) throws -> FaceLandmarkerResult {
    let start = Stopwatch.now
    do {
      let result = try landmarker.detect(
        videoFrame: image,
        timestampInMilliseconds: source.rate.milliseconds(ofFrame: statistics.frames))
      statistics.add(
        faces: result.faceLandmarks.count, detectorRan: result.detectorRan,
        nanoseconds: Stopwatch.now - start)
      return result
    } catch {
      throw ToolError(error, in: file)
    }
  }

  private func line(_ result: FaceLandmarkerResult, _ source: VideoSource, frame: Int) -> String {
    let line: JSON = [
      "file": .string(file), "width": .integer(source.width), "height": .integer(source.height),
      "frame": .integer(frame), "timestampMs": .integer(result.timestampInMilliseconds),
      "detectorRan": .bool(result.detectorRan), "faces": .array(LandmarkOutput.json(result)),
    ]
    return line.text
  }

  private func report(_ source: VideoSource, _ statistics: VideoStatistics) {
    if json {
      if wantsStatistics {
        let line: JSON = ["file": .string(file), "stats": statistics.json]
        console.print(line.text)
      }
      return
    }
    let rate = Formatting.fixed(source.rate.value, 2)
    var text = "\(file) (\(source.width)×\(source.height), \(rate) frames/s): "
    text += "\(statistics.frames) frames, \(statistics.framesWithFaces) with faces"
    if let output { text += "\n  drawn to \(output)" }
    if wantsStatistics { text += "\n" + statistics.text }
    console.print(text)
  }
}
