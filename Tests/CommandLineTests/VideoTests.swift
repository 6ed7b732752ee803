import FaceKit
import Foundation
import ImageCodecs
import Synchronization
import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

/// What ffprobe says of files and streams, in numbers.
@Suite("Video: what the container says")
struct VideoSourceTests {
  private func source(_ video: String, audio: Bool = false, fps: FrameRate? = nil) throws
    -> VideoSource
  {
    let sound = audio ? #", {"codec_type": "audio"}"# : ""
    let text =
      #"{"streams": [{"codec_type": "video", \#(video)}\#(sound)], "format": {"duration": "2.5"}}"#
    return try VideoSource("in.mp4", isPattern: false, fps: fps, JSON(parsing: text.utf8))
  }

  @Test(
    "a quarter turn swaps the sides, from the matrix or the older tag",
    arguments: [
      (#""side_data_list": [{"rotation": -90}]"#, true), (#""tags": {"rotate": "270"}"#, true),
      (#""side_data_list": [{"rotation": 180}]"#, false), (#""tags": {"rotate": "x"}"#, false),
    ])
  func rotation(_ member: String, _ swaps: Bool) throws {
    let source = try source(#""width": 64, "height": 48, \#(member)"#)
    #expect(source.width == (swaps ? 48 : 64) && source.height == (swaps ? 64 : 48))
  }

  @Test("the rate is the base rate if the mean agrees, else the mean")
  func rate() throws {
    let sides = #""width": 4, "height": 4, "#
    let constant = try source(sides + #""r_frame_rate": "30/1", "avg_frame_rate": "359/12""#)
    #expect(constant.rate == FrameRate(30, 1) && constant.frameCount == 75)
    let varying = try source(sides + #""r_frame_rate": "1000/1", "avg_frame_rate": "24/1""#)
    #expect(varying.rate == FrameRate(24, 1))
    #expect(try source(sides + #""r_frame_rate": "0/0", "avg_frame_rate": "0/0""#).rate.value == 30)
    for text in ["0", "-1", "1/0", "nan", "inf", "1001", "9999999999/1", "30/", ""] {
      #expect(FrameRate(text) == nil, "\(text)")
    }
    let ntsc = try #require(FrameRate("30000/1001"))
    #expect((0..<4).map(ntsc.milliseconds) == [0, 33, 67, 100])
    #expect(FrameRate("29.97")?.text == "29970/1000")
  }

  @Test("sound without pictures, covers, and absurd sizes are refused in words")
  func refusals() throws {
    for (video, words) in [
      (#""disposition": {"attached_pic": 1}, "width": 9, "height": 9"#, "there is sound"),
      (#""width": 0, "height": 9"#, "size cannot be told"),
      (#""width": 100000, "height": 100000"#, "100000×100000"),
    ] {
      let error = #expect(throws: ToolError.self) { try source(video, audio: true) }
      #expect(error?.what.contains(words) == true, "\(words)")
    }
  }

  @Test("without ffmpeg the error says how to get it")
  func missing() {
    let error = #expect(throws: ToolError.self) { try FFmpeg(path: "/no/such/folder") }
    #expect(error?.code == "ffmpegMissing" && error?.advice.contains("tools/setup") == true)
  }

  @Test("the progress bar tells speed and time left, and not more often than eyes can follow")
  func progress() {
    let record = Record()
    var progress = VideoProgress(record.terminal, total: 100, now: 1_000_000_000)
    progress.show(10, now: 2_000_000_000)
    progress.show(11, now: 2_000_000_001)
    progress.show(120, now: 3_000_000_000)
    #expect(record.progress.count == 2)
    #expect(record.progress.first?.hasSuffix("10/100 10.0 frames/s, 0:09 left") == true)
    #expect(record.progress.last?.hasSuffix("120 frames, 60.0 frames/s") == true)
    #expect(VideoProgress.clock(3723) == "1:02:03")
  }
}

private func call(_ words: [String]) -> (status: ToolStatus, output: [JSON], errors: [String]) {
  let record = Record()
  let status = Tool.run(
    words + ["--models", ModelFiles.folder.path], console: record.console)
  return (status, record.output.map { (try? JSON(parsing: $0.utf8)) ?? .string($0) }, record.errors)
}

/// Serialised: the command takes over the process's signals.
@Suite(
  "facekit video", .serialized,
  .enabled(
    if: ModelFiles.isAvailable && Corpus.isAvailable && programs != nil,
    "needs models, the reference corpus and ffmpeg: see tools/setup"))
struct VideoCommandTests {
  private let scratch = try! TestFolder()
  /// 20 frames, 33 ms apart.
  private static let frames = 20
  private var pattern: String { Corpus.url("sequences/heads-turning/%03d.png").path }

  /// A video of the frames; `extra` goes before the output.
  private func clip(
    _ name: String, frames: Int = frames, inputs: [String] = [], _ extra: [String] = []
  ) throws -> String {
    let path = scratch.path + "/" + name
    try ffmpeg(
      ["-loop", "1", "-framerate", "1000/33", "-i", pattern] + inputs + ["-frames:v", "\(frames)"]
        + [
          "-c:v", "libx264", "-preset", "ultrafast", "-crf", "10", "-pix_fmt", "yuv420p",
        ] + extra + [path])
    return path
  }

  @Test("a line a frame, with times, detector runs and faces; then statistics")
  func lines() throws {
    let result = call(["video", try clip("in.mp4"), "--json", "--stats"])
    #expect(result.status == .done && result.errors.isEmpty)
    let lines = result.output.dropLast()
    #expect(lines.count == Self.frames)
    for (index, line) in lines.enumerated() {
      #expect(line["frame"] == .integer(index) && line["timestampMs"] == .integer(33 * index))
      #expect(line["detectorRan"] == .bool(index == 0))
      #expect(line["width"] == .integer(320) && line["height"] == .integer(180))
      let faces = try #require(line["faces"]?.array)
      #expect(faces.count == 1 && faces[0]["landmarks"]?.array?.count == 478)
      #expect(faces[0]["trackingID"] == .integer(1))
    }
    let statistics = result.output.last?["stats"]
    #expect(statistics?["frames"] == .integer(Self.frames))
    #expect(statistics?["detectorRuns"] == .integer(1))
    #expect(statistics?["detectorRunsPer1000Frames"]?.number == 1000 / Double(Self.frames))
  }

  @Test("numbered pictures give what the task gives for them, to the bit")
  func numberedPictures() throws {
    let result = call(["video", pattern, "--fps", "1000/33", "--json"])
    #expect(result.status == .done)
    let options = FaceLandmarkerOptions()
    options.baseOptions.modelAssetPath = ModelFiles.url("face_landmarker.task").path
    options.runningMode = .video
    let landmarker = try FaceLandmarker(options: options)
    for (index, line) in result.output.enumerated() {
      let number = String(index)
      let name = String(repeating: "0", count: 3 - number.count) + number
      let frame = try MPImage(
        contentsOf: Corpus.url("sequences/heads-turning/\(name).png").path)
      let expected = try landmarker.detect(videoFrame: frame, timestampInMilliseconds: 33 * index)
      let faces = LandmarkOutput.json(expected)
      let text = JSON.array(faces).text
      #expect(try line["faces"] == JSON(parsing: text.utf8), "frame \(index)")
    }
    #expect(result.output.count == 56)
  }

  @Test("a container's rotation is applied: faces stand upright in upright frames")
  func rotation() throws {
    // Stored on its side, with the note to turn it back.
    let side = try clip("side.mp4", ["-vf", "transpose=1"])
    let turned = scratch.path + "/turned.mp4"
    try ffmpeg(["-i", side, "-c", "copy", "-metadata:s:v", "rotate=90", turned])
    try #require(ask(turned, "v:0", "width") == "180")
    let output = scratch.path + "/out.mp4"
    let plain = call(["video", turned, "--json", "-o", output]).output
    #expect(plain.count == Self.frames)
    #expect(plain.first?["width"] == .integer(320) && plain.first?["height"] == .integer(180))
    #expect(plain.first?["faces"]?.array?.count == 1)
    #expect(try ask(output, "v:0", "width") == "320")
  }

  @Test("the drawn video has all frames, the size, the rate, the drawing and the sound")
  func drawn() throws {
    let input = try clip(
      "sound.mp4", inputs: ["-f", "lavfi", "-i", "sine=frequency=440"],
      ["-c:a", "aac", "-shortest"])
    let output = scratch.path + "/drawn.mp4"
    let result = call(["video", input, "-o", output])
    #expect(result.status == .done && result.output.count == 1, "\(result.errors)")
    #expect(try ask(output, "v:0", "nb_read_packets") == "\(Self.frames)")
    #expect(try ask(output, "v:0", "r_frame_rate") == "1000/33")
    #expect(try ask(output, "v:0", "width") == "320")
    #expect(try ask(output, "v:0", "pix_fmt") == "yuv420p")
    #expect(try ask(output, "a:0", "codec_name") == "aac")
    // Copied, not encoded again: the packets have the same checksums.
    func sound(_ file: String) throws -> String {
      try runProgram(
        programs!.ffmpeg,
        ["-v", "error", "-i", file, "-map", "0:a", "-c", "copy", "-f", "md5", "-"])
    }
    #expect(try sound(output) == sound(input))
    try ffmpeg(["-i", output, "-frames:v", "1", scratch.path + "/drawn.png"])
    try ffmpeg(["-i", input, "-frames:v", "1", scratch.path + "/plain.png"])
    let (drawn, plain) = (
      try MPImage(contentsOf: scratch.path + "/drawn.png"),
      try MPImage(contentsOf: scratch.path + "/plain.png")
    )
    let changed = zip(drawn.pixels.bytes, plain.pixels.bytes).count { abs(Int($0) - Int($1)) > 24 }
    #expect(changed > 1000 && changed < plain.pixels.count / 2)

    #expect(call(["video", input, "-o", output, "--no-audio"]).status == .done)
    #expect(try ask(output, "a", "codec_name") == "")
  }

  @Test("odd sides are padded, and a place that cannot be written is said")
  func awkward() throws {
    let odd = try clip("odd.mkv", ["-vf", "crop=161:91:80:20", "-c:v", "ffv1", "-frames:v", "3"])
    let output = scratch.path + "/odd.mp4"
    #expect(call(["video", odd, "-o", output]).status == .done)
    #expect(try ask(output, "v:0", "width") == "162")
    let result = call(["video", odd, "-o", "/no/such/folder/out.mp4"])
    #expect(result.status == .failed && result.errors.first?.contains("cannot be created") == true)
    #expect(call(["video", odd, "-o", odd]).status == .usage)
  }

  @Test("missing, broken, cut, audio-only, folders and empty patterns are one-line errors")
  func faults() throws {
    let good = try clip("good.mp4")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: good)))
    let text = try scratch.file("text.mp4", Array("not a video".utf8))
    let cut = try scratch.file("cut.mp4", Array(bytes.prefix(bytes.count / 2)))
    let sound = scratch.path + "/sound.m4a"
    try ffmpeg(["-f", "lavfi", "-i", "sine=frequency=440:duration=1", sound])
    for (file, words) in [
      ("/no/such.mp4", "cannot be opened"), (text, "damaged"), (cut, "damaged"),
      (sound, "there is sound, but no picture"), (scratch.path, "folder"),
      (scratch.path + "/%04d.png", "no pictures"),
    ] {
      let output = scratch.path + "/never.mp4"
      let result = call(["video", file, "--json", "-o", output])
      #expect(result.status == .failed && result.errors.count == 1, "\(file)")
      #expect(
        result.errors.first?.contains(words) == true && result.errors.first?.contains(file) == true,
        "\(result.errors)")
      #expect(result.output.count == 1 && result.output.first?["error"]?["code"] != nil)
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  @Test("a file cut in the middle gives the frames it has, and an error")
  func cutInTheMiddle() throws {
    // With its index at the front a file can be read as far as it goes.
    let whole = try clip("whole.mp4", ["-movflags", "+faststart"])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
    let cut = try scratch.file("half.mp4", Array(bytes.prefix(bytes.count / 2)))
    let result = call(["video", cut, "--json"])
    #expect(result.status == .failed)
    #expect(result.output.count > 3 && result.output.count < Self.frames)
    #expect(result.errors.first?.contains("the video is damaged after") == true, "\(result.errors)")
  }

  @Test("Ctrl-C completes the drawn file, with and without sound", arguments: [false, true])
  func interrupted(_ withSound: Bool) throws {
    let tool = try #require(BuiltTool.path, "facekit is built beside the tests")
    // Lines of 20 KB: more than a pipe of a megabyte holds, so the tool cannot be done before they are read.
    let all = 200
    let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=6"]
    let input = try clip(
      "long.mp4", frames: all, inputs: withSound ? sound : [], withSound ? ["-c:a", "aac"] : [])
    let output = scratch.path + "/partial.mp4"
    let child = try ChildProcess(
      tool,
      ["video", input, "--json", "-o", output, "--models", ModelFiles.folder.path],
      connecting: .output)
    var first = [UInt8](repeating: 0, count: 1000)
    #expect(
      first.withUnsafeMutableBytes { child.read(into: $0, isInterrupted: { false }) } == .complete)
    child.signal(SIGINT)
    let lines = (first + (child.readAll() ?? [])).split(separator: UInt8(ascii: "\n"))
    #expect(child.wait() == ToolStatus.failed.rawValue)
    #expect(child.lastMessages().contains("interrupted after"), "\(child.lastMessages())")
    // The last line is the error.
    let frames = lines.count - 1
    #expect(frames >= 1 && frames < all)
    try ffmpeg(["-xerror", "-i", output, "-f", "null", "-"])
    let written = try #require(Int(ask(output, "v:0", "nb_read_packets")))
    #expect(written == frames)
    if withSound {
      let seconds = try #require(Double(ask(output, "a:0", "duration")))
      #expect(abs(seconds - Double(frames) * 0.033) < 0.1, "the sound ends with the picture")
    }
  }

  @Test("the other face models and smoothing of several faces work on videos")
  func models() throws {
    let input = try clip("short.mp4", ["-frames:v", "3"])
    let mesh = call(
      ["video", input, "--json", "--model", ModelFiles.url("face_landmark.tflite").path])
    #expect(mesh.output.first?["faces"]?.array?.first?["landmarks"]?.array?.count == 468)
    let full = call(
      [
        "video", input, "--json", "--detector",
        ModelFiles.url("face_detection_full_range_sparse.tflite").path, "--smoothing", "every",
        "--faces", "2",
      ])
    #expect(full.output.first?["faces"]?.array?.count == 2, "\(full.errors)")
    #expect(call(["video", input, "--smoothing", "some"]).status == .usage)
    #expect(call(["video", input, "--fps", "0"]).status == .usage)
    #expect(call(["video", input, input]).status == .usage)
    #expect(call(["video"]).status == .usage)
  }
}

/// Tiles: a face too small for the detector to see in the whole picture.
@Suite(
  "Tiles on the command line",
  .enabled(if: ModelFiles.isAvailable && Corpus.isAvailable, "needs models and the corpus"))
struct TileCommandTests {
  @Test("detect --tiles finds the small face that the whole picture hides")
  func tiles() throws {
    let scratch = try TestFolder()
    let face = try MPImage(contentsOf: Corpus.url("images/original/astronaut.png").path)
    // The portrait at half its size, in a large gray picture.
    let side = 1600
    var bytes = [UInt8](repeating: 128, count: 3 * side * side)
    let (step, place) = (2, 1000)
    for y in 0..<face.height / step {
      for x in 0..<face.width / step {
        for channel in 0..<3 {
          bytes[3 * ((place + y) * side + place + x) + channel] =
            face.pixels.bytes[step * y * face.rowStride + 3 * step * x + channel]
        }
      }
    }
    let picture = try scratch.file(
      "small.ppm", Array("P6 \(side) \(side) 255\n".utf8) + bytes)
    let whole = call(["detect", "--json", picture])
    let tiled = call(["detect", "--json", "--tiles", "9", picture])
    #expect(whole.output.first?["detections"]?.array?.count == 0)
    let detections = try #require(tiled.output.first?["detections"]?.array)
    #expect(detections.count == 1)
    let x = try #require(detections.first?["boundingBox"]?["originX"]?.integer)
    #expect((1000..<1256).contains(x))
    #expect(call(["detect", "--tiles", "0", picture]).status == .usage)
  }
}
