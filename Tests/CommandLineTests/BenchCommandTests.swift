import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

@Suite(
  "facekit bench, diff, activations",
  .enabled(if: ModelFiles.isAvailable, Comment(rawValue: ModelFiles.reason)))
struct BenchCommandTests {
  private let model = ModelFiles.url("face_landmarks_detector.tflite").path

  private func call(_ words: [String]) -> (status: ToolStatus, output: [String], errors: [String]) {
    let record = Record()
    let status = Tool.run(words, console: record.console)
    return (status, record.output, record.errors)
  }

  @Test("every tier and the reference are measured, and agree", arguments: ["kernels", "stages"])
  func bench(_ what: String) throws {
    let result = call([
      "bench", what, model, "--filter", "1×16×16×64", "--json", "--repetitions", "2",
    ])
    #expect(result.status == .done, "\(result.errors)")
    let lines = try result.output.map { try JSON(parsing: Array($0.utf8)) }
    let variants = Set(lines.compactMap { $0["variant"]?.string })
    #expect(variants.contains("reference") && variants.contains("baseline"))
    #expect(lines.allSatisfy { $0["correct"] == .bool(true) })
    #expect(lines.allSatisfy { ($0["minUs"]?.number ?? 0) > 0 })
  }

  @Test("a filter that nothing matches is a usage error")
  func filter() {
    #expect(call(["bench", "kernels", model, "--filter", "no such thing"]).status == .usage)
  }

  @Test("back ends agree; a tolerance of zero names the first operator that departs")
  func diff() {
    let same = call(["diff", model])
    #expect(same.status == .done && same.output.last == "none departs")
    let strict = call(["diff", model, "--tolerance", "0"])
    #expect(strict.status == .failed)
    #expect(strict.output.last?.hasPrefix("the first that departs: operator ") == true)
  }

  @Test("one layer of the landmark model, from a vector of values")
  func activations() throws {
    let record = Record()
    let status = Tool.run(
      [
        "activations", ModelFiles.url("face_blendshapes.tflite").path, "--input", "/no/such.npy",
      ], console: record.console)
    #expect(status == .failed && record.errors[0].contains("/no/such.npy"))
  }

  @Test(
    "each step of the pipeline can be measured by itself",
    .enabled(if: Portrait.path != nil, "no sample portrait: run tools/setup"))
  func pipelineStages() throws {
    let path = try #require(Portrait.path)
    let result = call(["bench", "stages", path, "--json", "--repetitions", "1"])
    #expect(result.status == .done, "\(result.errors)")
    let lines = try result.output.map { try JSON(parsing: Array($0.utf8)) }
    let steps = lines.compactMap { $0["kernel"]?.string }
    for step in [
      "image → tensor 128×128", "anchor decoding", "non-maximum suppression",
      "image → tensor 256×256", "landmark mesh head", "blendshape head", "geometry solve",
      "smoothing",
    ] {
      #expect(steps.contains { $0.hasPrefix(step) }, "\(step)")
    }
    #expect(lines.allSatisfy { ($0["minUs"]?.number ?? 0) > 0 })
  }
}
