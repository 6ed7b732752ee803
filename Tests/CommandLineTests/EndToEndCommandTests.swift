import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing
import Inspection
import ToolSupport

@testable import FaceKitTool

private let models = ["--models", ModelFiles.folder.path]

private func call(_ words: [String]) -> (status: ToolStatus, output: [String], errors: [String]) {
  let record = Record()
  let status = Tool.run(words, console: record.console)
  return (status, record.output, record.errors)
}

@Suite(
  "Commands on files", .enabled(if: ModelFiles.isAvailable, Comment(rawValue: ModelFiles.reason)))
struct CommandTests {
  @Test("a bad picture is reported in one line, and the rest of the batch is done")
  func batch() throws {
    let scratch = try TestFolder()
    let good = try scratch.file(
      "good.ppm", Array("P6 64 64 255\n".utf8) + [UInt8](repeating: 90, count: 12288))
    let text = try scratch.file("text.jpg", Array("not a picture".utf8))
    let folder = scratch.path + "/drawn"
    let result = call(
      ["detect", "--json", "-o", folder, "/no/such.jpg", text, good, scratch.path] + models)
    #expect(result.status == .failed)
    #expect(result.output.count == 4 && result.errors.count == 3)
    #expect(result.output[0].contains(#""error": {"code": "notFound""#))
    #expect(result.output[1].contains(#""error": {"code": "notAnImage""#))
    #expect(result.output[2].hasSuffix(#""width": 64, "height": 64, "detections": []}"#))
    for error in result.errors {
      #expect(
        error.hasPrefix("facekit: error: ") && error.components(separatedBy: " — ").count == 3)
    }
    #expect(try MPImage(contentsOf: folder + "/good.png").width == 256)
  }

  @Test("a model whose weights are damaged gives an error, neither faces nor a drawing")
  func damagedWeights() throws {
    let scratch = try TestFolder()
    let picture = try scratch.file(
      "good.ppm", Array("P6 64 64 255\n".utf8) + [UInt8](repeating: 90, count: 12288))
    var model = try ModelFiles.bytes("face_detector.tflite")
    // Some weights become the largest half-precision number.
    let start = Int(Double(model.count) * 0.62) & ~1
    for offset in start..<start + 64 { model[offset] = offset & 1 == 0 ? 0xFF : 0x7B }
    let damaged = try scratch.file("damaged.tflite", model)
    let drawing = scratch.path + "/drawn.png"
    let result = call(["detect", "--json", "-o", drawing, "--model", damaged, picture])
    #expect(result.status == .failed)
    #expect(result.output.count == 1)
    #expect(result.output.first?.contains(#""error": {"code": "dataLoss""#) == true)
    #expect(result.output.first?.contains("the model's output is not finite") == true)
    #expect(!FileManager.default.fileExists(atPath: drawing))
  }

  @Test("models that are missing, cut, of the wrong kind or incomplete are one-line errors")
  func badModels() throws {
    let scratch = try TestFolder()
    let picture = try scratch.file(
      "good.ppm", Array("P5 8 8 255\n".utf8) + [UInt8](repeating: 90, count: 64))
    let model = try ModelFiles.bytes("face_detector.tflite")
    let cut = try scratch.file("cut.tflite", Array(model.prefix(100_000)))
    for words in [
      ["detect", "--model", cut, picture], ["detect", "--model", "/no/such.tflite", picture],
      ["detect", "--model", picture, picture], ["landmarks", "--model", cut, picture],
      ["run", cut, "--random", "1"], ["run", "/no/such.tflite", "--random", "1"],
    ] {
      let result = call(words)
      #expect(
        result.status == .failed && result.output.isEmpty && result.errors.count == 1, "\(words)")
      #expect(result.errors.first?.contains(words.dropFirst().first { $0.hasPrefix("/") }!) == true)
    }
  }

  @Test("run writes outputs that read back, and all tensors if asked")
  func run() throws {
    let scratch = try TestFolder()
    let model = ModelFiles.url("face_detector.tflite").path
    let result = call(["run", model, "--random", "7", "--output-dir", scratch.path, "--json"])
    #expect(result.status == .done)
    let json = try JSON(parsing: result.output[0].utf8)
    let outputs = try #require(json["outputs"]?.array)
    #expect(outputs.count == 2)
    let file = try #require(outputs[0]["file"]?.string)
    let tensor = try NPYFile.tensor([UInt8](Data(contentsOf: URL(fileURLWithPath: file))))
    #expect(tensor.shape.extents.map { .integer($0) } == outputs[0]["shape"]?.array)

    let all = call(
      [
        "run", model, "--random", "7", "--output-dir", scratch.path + "/all", "--all-tensors",
        "--json",
      ])
    let tensors = try #require(JSON(parsing: all.output[0].utf8)["tensors"]?.array)
    #expect(tensors.count > 50)

    #expect(call(["run", model]).status == .usage)
    let short = try scratch.file("short.bin", [1, 2, 3])
    #expect(call(["run", model, "--input", short]).status == .failed)
  }

  @Test("models verify says what is damaged")
  func verify() throws {
    #expect(call(["models", "verify"] + models).output.count >= 11)
    let scratch = try TestFolder()
    _ = try scratch.file("face_detector.tflite", [1, 2, 3])
    let result = call(["models", "verify", "--models", scratch.path])
    #expect(result.status == .failed)
    #expect(
      result.output.contains { $0.hasPrefix("damaged") && $0.contains("face_detector.tflite") })
  }

  @Test(
    "the guide's own example gives the guide's own numbers",
    .enabled(if: Corpus.isAvailable, Comment(rawValue: Corpus.reason)))
  func guide() throws {
    let picture = Corpus.url("images/decoded/two-kids.png").path
    let result = call(["detect", "--json", picture] + models)
    #expect(result.status == .done && result.errors.isEmpty)
    let line = try #require(result.output.first)
    let detections = try #require(JSON(parsing: line.utf8)["detections"]?.array)
    let expected: [(box: [Int], score: Double, point: [Double])] = [
      ([126, 100, 463, 463], 0.97292, [0.18298, 0.29610]),
      ([616, 193, 430, 430], 0.92514, [0.61513, 0.37134]),
    ]
    #expect(detections.count == 2)
    for (detection, wanted) in zip(detections, expected) {
      for (key, value) in zip(["originX", "originY", "width", "height"], wanted.box) {
        let found = try #require(detection["boundingBox"]?[key]?.integer)
        #expect(abs(found - value) <= 1)
      }
      #expect(abs(number(detection["score"]) - wanted.score) <= 1e-3)
      let point = detection["keypoints"]?.array?.first
      #expect(abs(number(point?["x"]) - wanted.point[0]) <= 1e-3)
      #expect(abs(number(point?["y"]) - wanted.point[1]) <= 1e-3)
    }
  }

  private func number(_ value: JSON?) -> Double {
    switch value {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: .nan
    }
  }
}
