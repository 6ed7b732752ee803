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
      Option(
        "-o", "--output", value: "FILE", role: .output,
        help:
          "draw: to this " + VideoFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")),
      Option("--format", value: "NAME", help: "of the drawn video, if its name has no extension"),
      Option("--no-audio", help: "do not copy the sound"),
      Option("--stats", help: "also detector calls per 1,000 frames, and time a frame"),
      Option("--models", value: "FOLDER", help: "where the models are"),
    ] + EngineArguments.options,
    details: """
      JSON: as `facekit landmarks`, with "frame", "timestampMs" and "detectorRan". There is one result for each
      frame of the video, with its own time; with --fps, frames come at that constant rate instead, some twice
      or never. Rotation, size and the shape of pixels are those the container says: faces are looked at as
      they are shown. Ctrl-C completes the file that -o names with the frames so far. A file that ends before
      its video does, or is damaged, gives the frames it has and exit status 1.
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
  private let output: VideoWriter.Target?
  private let printsStatistics: Bool
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
    output = try VideoRun.target(arguments)
    printsStatistics = arguments.has("--stats")
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
    programs = try FFmpeg()
    try LandmarkerArguments.chooseModels(
      arguments, ModelStore(folder: arguments.string("--models")), options)
  }

  private static func target(_ arguments: Arguments) throws(UsageError) -> VideoWriter.Target? {
    guard let path = arguments.string("--output") else { return nil }
    let place = "facekit \(arguments.command) -o \(path)"
    guard path != "-" else {
      throw UsageError(
        "a video cannot be written to a stream that does not turn back", at: place,
        advice: "give a file's name")
    }
    let format = try VideoFormat(of: path, chosen: arguments.choice("--format"), place)
    let inputs = arguments.protectedFiles
    try Arguments.check(output: path, protecting: inputs, place)
    return VideoWriter.Target(
      path: path, format: format, copiesAudio: !arguments.has("--no-audio"), inputs: inputs)
  }

  func run() throws -> ToolStatus {
    do {
      let source = try VideoSource.probe(file, fps: fps, programs, isInterrupted: isInterrupted)
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
      frames: while !console.isBroken {
        if isInterrupted() {
          wasInterrupted = true
          break
        }
        switch try reader.next(isInterrupted: isInterrupted) {
        case .end: break frames
        case .interrupted:
          wasInterrupted = true
          break frames
        case .frame(let frame):
          let result = try landmarks(in: frame, landmarker, &statistics)
          if let output {
            // Begun with the first frame: a video that cannot be read leaves no file.
            if writer == nil { writer = try VideoWriter(output, for: source, programs) }
            try writer!.write(
              LandmarkOutput.overlay(result, on: frame.image), microseconds: frame.microseconds)
          }
          if json { console.print(line(result, source, frame: statistics.frames - 1)) }
          progress.show(statistics.frames)
        }
      }
    } catch {
      fault = error
    }
    progress.clear()
    let isDrawn = complete(writer, early: wasInterrupted || console.isBroken, &fault)
    if statistics.frames > 0 || fault == nil { report(source, statistics, isDrawn: isDrawn) }
    if let fault { throw fault }
    guard wasInterrupted else { return .done }
    throw ToolError(
      "interrupted", "interrupted after \(statistics.frames) frames", at: file,
      advice: isDrawn ? "\(output!.path) has the frames so far" : "start again for the rest")
  }

  /// Completes the drawn file, if one was begun.
  ///
  /// - Returns: Whether it is there.
  private func complete(
    _ writer: VideoWriter?, early: Bool, _ fault: inout (any Error)?
  ) -> Bool {
    guard let writer else { return false }
    do throws(ToolError) {
      if early { try writer.finishEarly() } else { try writer.finish() }
      return true
    } catch {
      fault = fault ?? error
      return false
    }
  }

  private func landmarks(
    in frame: VideoReader.Frame, _ landmarker: FaceLandmarker, _ statistics: inout VideoStatistics
  ) throws -> FaceLandmarkerResult {
    let start = Stopwatch.now
    // Frames less than a millisecond apart still need times of their own.
    let time = max((frame.microseconds + 500) / 1000, statistics.lastMilliseconds + 1)
    do {
      let result = try landmarker.detect(
        videoFrame: frame.image, timestampInMilliseconds: time)
      statistics.add(
        faces: result.faceLandmarks.count, detectorRan: result.detectorRan, milliseconds: time,
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

  private func report(
    _ source: VideoSource, _ statistics: VideoStatistics, isDrawn: Bool
  ) {
    if json {
      if printsStatistics {
        let line: JSON = ["file": .string(file), "stats": statistics.json]
        console.print(line.text)
      }
      return
    }
    let rate = Formatting.fixed(source.rate.value, 2)
    var text = "\(SystemName.shown(file)) (\(source.width)×\(source.height), \(rate) frames/s): "
    text += "\(statistics.frames) frames, \(statistics.framesWithFaces) with faces"
    if isDrawn, let output { text += "\n  drawn to \(SystemName.shown(output.path))" }
    if printsStatistics { text += "\n" + statistics.text }
    console.print(text)
  }
}
