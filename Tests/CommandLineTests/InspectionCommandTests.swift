import Foundation
import FaceKitModels
import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

@Suite(
  "facekit inspect, profile",
  .enabled(if: ModelFiles.isAvailable, Comment(rawValue: ModelFiles.reason)))
struct InspectionCommandTests {
  private let model = ModelFiles.url("face_landmarks_detector.tflite").path

  private func json(_ words: [String]) throws -> JSON {
    let record = Record()
    #expect(Tool.run(words, console: record.console) == .done, "\(record.errors)")
    return try JSON(parsing: Array(record.output[0].utf8))
  }

  @Test("passes change the nodes but not the multiply–accumulates")
  func inspect() throws {
    let file = try json(["inspect", model, "--json"])
    let running = try json(["inspect", model, "--json", "--optimised"])
    #expect(file["macs"]?.integer == running["macs"]?.integer)
    #expect(try #require(file["macs"]?.integer) > 100_000_000)
    let before = try #require(file["graph"]?["nodes"]?.array)
    let after = try #require(running["graph"]?["nodes"]?.array)
    #expect(before.count > after.count)
    let passes = try #require(running["passes"]?.array)
    #expect(passes.first?["nodesBefore"]?.integer == before.count)
    #expect(passes.last?["nodesAfter"]?.integer == after.count)
    for (earlier, later) in zip(passes, passes.dropFirst()) {
      #expect(earlier["nodesAfter"]?.integer == later["nodesBefore"]?.integer)
    }
    #expect(file["metadata"]?["name"]?.string == "Face mesh detection model v2")
  }

  @Test("the profile has every node, in shares that make a whole, and a trace without gaps")
  func profile() throws {
    let trace = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: trace) }
    let found = try json(["profile", model, "--json", "--repetitions", "3", "--trace", trace])
    let nodes = try #require(found["nodes"]?.array)
    let running = try json(["inspect", model, "--json", "--optimised"])
    #expect(nodes.count == running["graph"]?["nodes"]?.array?.count)
    let bytes = try #require(FileManager.default.contents(atPath: trace))
    let events = try #require(JSON(parsing: Array(bytes))["traceEvents"]?.array)
    #expect(events.count == nodes.count + 1)
    #expect(events[1]["ph"]?.string == "X" && events[1]["ts"] != nil && events[1]["dur"] != nil)
  }

  @Test("a model that is not one is a one-line error, status 1")
  func bad() {
    for command in ["inspect", "profile"] {
      let record = Record()
      #expect(Tool.run([command, "/no/such.tflite"], console: record.console) == .failed)
      #expect(record.errors.count == 1 && record.errors[0].contains("/no/such.tflite"))
    }
  }

  @Test("a model with an unknown operator still shows its operators, and is an error")
  func unknownOperator() throws {
    var model = ModelBuilder()
    let (input, output) = (model.tensor([1, 4]), model.tensor([1, 7]))
    model.custom("Unheard", inputs: [input], outputs: [output])
    model.inputs = [input]
    model.outputs = [output]
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).tflite")
      .path
    try Data(model.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let record = Record()
    #expect(Tool.run(["inspect", path], console: record.console) == .failed)
    #expect(record.output.first?.contains("Unheard (custom)") == true)
    #expect(record.output.first?.contains("1×7 float32") == true)
    #expect(record.errors.count == 1 && record.errors[0].contains("no custom operator 'Unheard'"))
  }
}
