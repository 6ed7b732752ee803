import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

private func call(_ words: [String]) -> (status: ToolStatus, output: [JSON], errors: [String]) {
  let record = Record()
  let status = Tool.run(
    words + ["--models", ModelFiles.folder.path], console: record.console)
  return (status, record.output.map { (try? JSON(parsing: $0.utf8)) ?? .string($0) }, record.errors)
}

/// Videos as they come: not square, not steady, cut, not videos at all. Serialised: the command takes over the
/// process's signals.
@Suite(
  "facekit video: awkward videos", .serialized,
  .enabled(
    if: ModelFiles.isAvailable && Corpus.isAvailable && programs != nil,
    "needs models, the reference corpus and ffmpeg: see tools/setup"))
struct AwkwardVideoTests {
  private let folder = try! TestFolder()
  private var pattern: String { Corpus.url("sequences/heads-turning/%03d.png").path }

  /// A video of 20 frames of the sequence, 33 ms apart unless `options` say otherwise.
  private func clip(
    _ name: String, frames: Int = 20, inputs: [String] = [], _ options: [String]
  ) throws -> String {
    let path = folder.path + "/" + name
    try ffmpeg(
      ["-framerate", "1000/33", "-i", pattern] + inputs + ["-frames:v", "\(frames)"] + options + [
        path
      ])
    return path
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("pixels that are not square are looked at as they are shown, and drawn square")
  func anamorphic() throws {
    let wide = ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p"]
    let input = try clip("sar.mp4", ["-vf", "scale=160:180,setsar=2"] + wide)
    try #require(ask(input, "v:0", "sample_aspect_ratio") == "2:1")
    let output = folder.path + "/drawn.mp4"
    let result = call(["video", input, "--json", "-o", output])
    #expect(result.status == .done && result.output.count == 20)
    for line in result.output {
      #expect(line["width"] == .integer(320) && line["height"] == .integer(180))
      #expect(line["faces"]?.array?.count == 1)
    }
    #expect(try ask(output, "v:0", "width") == "320")
    #expect(try ["1:1", "N/A"].contains(ask(output, "v:0", "sample_aspect_ratio")))
    // Landmarks where the undistorted video has them, as far as half the width can tell.
    let square = call(["video", try clip("square.mp4", wide), "--json"])
    func nose(_ lines: [JSON]) -> [Double] {
      lines.compactMap { $0["faces"]?.array?.first?["landmarks"]?.array?[4].array?[0].number }
    }
    let pairs = Array(zip(nose(result.output), nose(square.output)))
    #expect(pairs.count == 20 && pairs.allSatisfy { abs($0 - $1) < 0.02 }, "\(pairs)")
  }

  @Test("each frame comes once, with its own time, and is drawn at that time")
  func variableRate() throws {
    let times = (0..<20).map { $0 * 40 + $0 % 3 * 7 }
    let input = try clip(
      "varying.mkv",
      [
        "-vf", "settb=1/1000,setpts=N*40+mod(N\\,3)*7", "-vsync", "passthrough", "-enc_time_base",
        "1/1000", "-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p",
      ])
    let output = folder.path + "/drawn.mp4"
    let result = call(["video", input, "--json", "-o", output])
    #expect(result.output.compactMap { $0["timestampMs"]?.integer } == times)
    let packets = try runProgram(
      programs!.ffprobe,
      ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", output])
    let drawn = packets.split(whereSeparator: \.isNewline).compactMap { line in
      Double(line.prefix { $0 != "," }).map { Int(($0 * 1000).rounded()) }
    }
    #expect(drawn.sorted() == times)
    // A constant rate is there for the asking.
    let steady = call(["video", input, "--json", "--fps", "10"])
    #expect(
      steady.output.compactMap { $0["timestampMs"]?.integer }
        == Array(stride(from: 0, to: 100 * steady.output.count, by: 100)))
  }

  @Test("odd sides get no black line")
  func oddSides() throws {
    let input = try clip("odd.mkv", ["-vf", "crop=161:91:80:20", "-c:v", "ffv1"])
    let drawn = folder.path + "/odd.mp4"
    #expect(call(["video", input, "-o", drawn]).status == .done)
    let picture = folder.path + "/frame.png"
    try ffmpeg(["-i", drawn, "-frames:v", "1", picture])
    let image = try MPImage(contentsOf: picture)
    try #require(image.width == 162 && image.height == 92)
    func brightness(_ pixels: [(x: Int, y: Int)]) -> Double {
      let sum = pixels.reduce(0) { sum, pixel in
        sum
          + (0..<3).reduce(0) {
            $0 + Int(image.pixels.bytes[pixel.y * image.rowStride + 3 * pixel.x + $1])
          }
      }
      return Double(sum) / Double(3 * pixels.count)
    }
    let columns = [160, 161].map { x in brightness((0..<91).map { (x, $0) }) }
    let rows = [90, 91].map { y in brightness((0..<161).map { ($0, y) }) }
    #expect(abs(columns[0] - columns[1]) < 4 && columns[1] > 20, "\(columns)")
    #expect(abs(rows[0] - rows[1]) < 4 && rows[1] > 20, "\(rows)")
  }

  @Test(
    "a file that was cut gives the frames it has, and an error, in every container that says its length",
    arguments: [
      ("webm", ["-c:v", "libvpx"], [String]()), ("flv", ["-c:v", "flv1"], []),
      ("mkv", ["-c:v", "libx264"], []), ("avi", ["-c:v", "mpeg4"], []),
      ("avi", ["-c:v", "mpeg4"], ["--fps", "10"]), ("flv", ["-c:v", "flv1"], ["--fps", "25"]),
    ])
  func cut(_ container: String, _ codec: [String], _ options: [String]) throws {
    let whole = try clip("whole.\(container)", frames: 50, codec + ["-pix_fmt", "yuv420p"])
    let fine = call(["video", whole, "--json"] + options)
    #expect(fine.status == .done && fine.errors.isEmpty, "\(fine.errors)")
    let data = try bytes(whole)
    let half = try folder.file("half.\(container)", Array(data.prefix(data.count * 6 / 10)))
    let result = call(["video", half, "--json"] + options)
    let frames = result.output.count { $0["frame"] != nil }
    #expect(result.status == .failed && frames > 2 && frames < fine.output.count)
    let message = result.errors.first ?? ""
    #expect(message.contains("the video is damaged after \(frames) of "), "\(message)")
  }

  @Test("sound that lasts longer than the pictures is no damage")
  func longSound() throws {
    let input = try clip(
      "long.mkv", inputs: ["-f", "lavfi", "-i", "sine=duration=3"],
      ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    #expect(call(["video", input]).status == .done)
  }

  @Test("what only names other files is not followed, whatever its own name")
  func playlists() throws {
    let secret = try clip("secret.ts", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    for (name, text) in [
      ("hls.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(secret)\n#EXT-X-ENDLIST\n"),
      ("concat.mp4", "ffconcat version 1.0\nfile secret.ts\n"),
      ("sdp.mp4", "v=0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n"),
    ] {
      let list = try folder.file(name, Array(text.utf8))
      let result = call(["video", list, "-o", folder.path + "/out.mp4"])
      #expect(result.status == .failed && result.errors.count == 1, "\(name): \(result.errors)")
      #expect(try !folder.names.contains("out.mp4"))
    }
    #expect(call(["video", secret]).status == .done)
  }

  @Test("what stood at the output's place stays when the video cannot be written")
  func keepsOutput() throws {
    let sound = ["-f", "lavfi", "-i", "sine=frequency=440"]
    let input = try clip(
      "sound.mp4", inputs: sound,
      ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"])
    let output = try folder.file("keep.webm", Array("mine".utf8))
    // WebM holds no AAC.
    let result = call(["video", input, "-o", output])
    #expect(result.status == .failed && result.errors.first?.contains("cannot be written") == true)
    #expect(!result.output.contains { $0.string?.contains("drawn to") == true })
    #expect(try bytes(output) == Array("mine".utf8))
    #expect(try folder.names == ["keep.webm", "sound.mp4"])
    for name in ["out.gif", "out", "out.png", "-"] {
      #expect(call(["video", input, "-o", folder.path + "/" + name]).status == .usage)
    }
    #expect(call(["video", input, "-o", input]).status == .usage)
  }

  @Test("interrupted before the first frame, nothing is drawn, and nothing said to be")
  func interruptedEarly() throws {
    let input = try clip("in.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let record = Record()
    let arguments = try Arguments(
      parsing: [input, "-o", folder.path + "/out.mp4", "--models", ModelFiles.folder.path],
      for: .video)
    let error = #expect(throws: ToolError.self) {
      try VideoRun(arguments, record.console, isInterrupted: { true }).run()
    }
    #expect(error?.code == "interrupted")
    #expect(!(record.output + record.errors).contains { $0.contains("drawn to") })
    #expect(try folder.names == ["in.mp4"])
  }

  @Test("two signals end the tool and every program that it started, and leave nothing")
  func ended() throws {
    let tool = try #require(BuiltTool.path, "facekit is built beside the tests")
    let input = try clip(
      "long.mp4", inputs: [], ["-vf", "loop=100:20:0", "-frames:v", "2000", "-c:v", "libx264"])
    let output = folder.path + "/out.mp4"
    let child = try ChildProcess(
      tool, ["video", input, "--json", "-o", output, "--models", ModelFiles.folder.path],
      connecting: .output)
    var first = [UInt8](repeating: 0, count: 1000)
    #expect(
      first.withUnsafeMutableBytes { child.read(into: $0, isInterrupted: { false }) } == .complete)
    child.signal(SIGTERM)
    child.signal(SIGTERM)
    for _ in 0..<50 {
      child.signal(SIGTERM)
      Thread.sleep(forTimeInterval: 0.01)
    }
    #expect(child.wait() == -SIGTERM)
    #expect(try folder.names == ["long.mp4"])
    // The programs' command lines name the folder.
    let running = try runProgram(
      "/bin/sh", ["-c", "ps -eo args | grep -c '[f]fmpeg.*\(folder.path)'; true"])
    #expect(running.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
  }
}

@Suite("Videos for the drawn file")
struct RawMatroskaTests {
  @Test(
    "frames come back with their bytes and times", .enabled(if: programs != nil, "needs ffmpeg"))
  func roundTrip() throws {
    let folder = try TestFolder()
    let times = [0, 40_000, 41_000, 5_000_000]
    var stream = RawMatroska.header(width: 4, height: 2, rate: FrameRate(25, 1)!)
    let frames = times.indices.map { [UInt8](repeating: UInt8(10 * $0 + 1), count: 24) }
    for (time, frame) in zip(times, frames) {
      stream += RawMatroska.frameHeader(microseconds: time, byteCount: frame.count) + frame
    }
    let file = try folder.file("raw.mkv", stream)
    let raw = folder.path + "/raw.rgb"
    try ffmpeg(["-i", file, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
    #expect(try folder.bytes("raw.rgb") == frames.flatMap { $0 })
    let packets = try runProgram(
      programs!.ffprobe,
      ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file])
    let read = packets.split(whereSeparator: \.isNewline).compactMap { line in
      Double(line.prefix { $0 != "," }).map { Int(($0 * 1e6).rounded()) }
    }
    #expect(read == times)
  }

  @Test("formats are those of names")
  func formats() throws {
    #expect(try VideoFormat(of: "a.MKV", chosen: nil, "").muxer == "matroska")
    #expect(try VideoFormat(of: "a", chosen: .mov, "") == .mov)
    for (name, chosen) in [("a.gif", nil), ("a", nil), ("a.mp4", VideoFormat.mkv)] {
      #expect(throws: UsageError.self) { try VideoFormat(of: name, chosen: chosen, "") }
    }
  }
}

/// The reported cases, where they are.
@Suite(
  "Reported videos", .serialized,
  .enabled(
    if: ModelFiles.isAvailable && SharedCases.isAvailable && programs != nil,
    Comment(rawValue: SharedCases.reason)))
struct ReportedVideoTests {
  @Test("the squashed video has faces in every frame, like the square one")
  func anamorphic() {
    let result = call(["video", "--json", SharedCases.url("anamorphic-video/anamorphic.mp4").path])
    #expect(result.output.count == 50)
    #expect(result.output.allSatisfy { $0["faces"]?.array?.count == 1 })
    #expect(result.output.allSatisfy { $0["width"] == .integer(480) })
  }

  @Test("the recorder's video has 50 lines with their times")
  func recorder() {
    let result = call([
      "video", "--json", SharedCases.url("variable-frame-rate/recorder.webm").path,
    ])
    #expect(result.output.count == 50)
    #expect(
      result.output.prefix(5).compactMap { $0["timestampMs"]?.integer } == [0, 44, 89, 100, 144])
  }

  @Test("the cut video says so, after its 34 frames")
  func cut() {
    let result = call([
      "video", "--json", SharedCases.url("truncated-video-accepted/t_95.webm").path,
    ])
    #expect(result.status == .failed && result.output.count { $0["frame"] != nil } == 34)
    #expect(result.errors.first?.contains("damaged after 34 of about 60 frames") == true)
  }
}
