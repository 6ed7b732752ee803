import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

@Suite("facekit vision")
struct VisionCommandTests {
  private func call(_ words: [String]) -> (status: ToolStatus, output: [String], errors: [String]) {
    let record = Record()
    let status = Tool.run(
      ["vision"] + words + ["--models", ModelFiles.folder.path], console: record.console)
    return (status, record.output, record.errors)
  }

  private static let available = Corpus.isAvailable && ModelFiles.isAvailable
  private static let reason = Comment(rawValue: ModelFiles.reason)

  @Test(
    "options that cannot be are usage errors",
    arguments: [
      ["--performance", "slow"], ["--features", "landmarks,teeth"], ["--min-face-size", "2"],
      ["--threads", "0"],
    ])
  func usage(_ words: [String]) {
    let result = call(words + ["picture.png"])
    #expect(result.status == .usage && result.errors.count == 1)
    #expect(result.errors.first?.contains(words[1].split(separator: ",").last!) == true)
  }

  @Test("JSON has what was asked for, and nothing else", .enabled(if: available, reason))
  func json() throws {
    let picture = Corpus.url("images/decoded/two-kids.png").path
    let full = call(["--json", "--features", "landmarks,contours,classification,tracking", picture])
    #expect(full.status == .done)
    let line = try #require(full.output.first)
    let faces = try #require(JSON(parsing: line.utf8)["faces"]?.array)
    #expect(faces.count == 2)
    let keys = [
      "framePixels", "confidence", "headEulerAngleX", "headEulerAngleY", "headEulerAngleZ",
      "landmarks", "contours", "smilingProbability", "leftEyeOpenProbability",
      "rightEyeOpenProbability", "trackingID",
    ]
    #expect(keys.allSatisfy { faces[0][$0] != nil })
    #expect(faces[1]["contours"] == nil && faces[1]["trackingID"] == .integer(1))
    #expect(faces[0]["contours"]?["face"]?.array?.count == 36)
    #expect(faces[0]["landmarks"]?["noseBase"]?.array?.count == 2)
    let bare = call(["--json", "--features", "none", picture])
    let short = try #require(bare.output.first)
    let face = try #require(JSON(parsing: short.utf8)["faces"]?.array?.first)
    for key in keys where key.contains("Probab") || ["landmarks", "contours"].contains(key) {
      #expect(face[key] == nil, "\(key)")
    }
  }

  @Test("a drawing changes pixels where the face is", .enabled(if: available, reason))
  func drawing() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vision-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let picture = Corpus.url("images/decoded/hopper.png").path
    for words in [[], ["--zoom"]] {
      let path = folder.appendingPathComponent("out.png").path
      let result = call(words + ["-o", path, picture])
      #expect(result.status == .done && result.output[0].contains("15 contours of 133 points"))
      let drawn = try MPImage(contentsOf: path)
      #expect(max(drawn.width, drawn.height) > 900)
    }
  }

  @Test("curves go through all points, and closed ones end where they start")
  func curves() {
    let points = [(0.0, 0.0), (4, 1), (5, 6), (-2, 3)].map { CanvasPoint(x: $0.0, y: $0.1) }
    for closed in [false, true] {
      let line = VisionCurves.smooth(points, closed: closed)
      #expect(points.allSatisfy(line.contains))
      #expect((line.first == line.last) == closed)
    }
    #expect(VisionCurves.smooth(Array(points.prefix(2)), closed: true).count == 2)
    let lines = VisionCurves.curves { type in
      type.meshIndices.map { CanvasPoint(x: Double($0), y: Double($0 % 7)) }
    }
    // Oval, two brows and two lids a side, four of the lips, two of the nose.
    #expect(lines.count == 1 + 2 * 4 + 4 + 2)
    #expect(VisionCurves.curves { _ in [] }.isEmpty)
  }

  @Test("faces with values beyond measure are drawn without harm")
  func wild() throws {
    let image = try MPImage(
      copying: [UInt8](repeating: 99, count: 30 * 20), width: 30, height: 20, format: .gray)
    for value in [0, -50, 1e9, Double.infinity, .nan] {
      var face = DrawnVisionFace(x: value, y: 3, width: value, height: 9)
      face.contourPoints = [CanvasPoint(x: value, y: value)]
      face.axes = [CanvasPoint](repeating: CanvasPoint(x: value, y: 0), count: 3)
      face.shares = [("smiling", value)]
      face.lines = ["text"]
      let drawing = try FaceDrawing(image)
      drawing.draw(vision: face)
      let drawn = try drawing.rendered().pixels.array(of: UInt8.self)
      #expect(drawn.contains { $0 != 99 } == (value == 0 || value == -50), "\(value)")
    }
  }
}
