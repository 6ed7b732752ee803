import FaceKitKernels
import FaceKitModels
import TestSupport
import Testing

/// The models of the Python package mediapipe 0.10.21 that the face pipelines do not use: hands, palms,
/// poses, people against their background, and the mesh with attention. ``ParityTests`` has the rest.
///
/// LiteRT gave the goldens, MediaPipe itself those of the models with operators of its own.
@Suite("MediaPipe's other models")
struct MediaPipeModelTests {
  static let available = ModelGolden.mediaPipeModels.filter {
    ModelFiles.isAvailable($0 + ".tflite")
  }

  /// The pose model's mask is logits, the largest −1421, that grow out of differences of large numbers:
  /// LiteRT's own back ends are 3·10⁻⁴ of the largest apart.
  static func tolerance(_ golden: ModelGolden, _ output: ModelGolden.Output) -> Tolerance {
    let isMask = golden.name == "pose_landmark_full" && output.shape == [1, 256, 256, 1]
    return isMask ? Tolerance(absolute: 1e-6, ofLargest: 2e-3) : .litert
  }

  @Test(
    "loads, runs and agrees, twice in one session",
    .enabled(if: !available.isEmpty, "\(ModelFiles.reason)"),
    arguments: available, [Backend.reference, .automatic])
  func agrees(name: String, backend: Backend) throws {
    let golden = try ModelGolden.load(name, from: .own)
    let bytes = try ModelFiles.bytes(golden.model)
    let compiled = try CompiledModel(
      TFLiteModel(bytes: bytes), options: EngineOptions(backend: backend))
    let session = try compiled.makeSession()
    let item = try golden.case("lcg0")
    let input = try golden.inputValues(item)
    for turn in ["first", "second"] {
      session.withInput(0) { _ = $0.update(fromContentsOf: input) }
      try session.run()
      #expect(session.outputs.count == item.outputs.count)
      for (index, output) in item.outputs.enumerated() {
        #expect(session.outputs[index].shape.extents == output.shape)
        let actual = session.withOutput(index) { Array($0) }
        let departure = try golden.departure(
          of: actual, from: output, within: Self.tolerance(golden, output),
          "\(name), \(backend.rawValue), \(turn) run")
        #expect(departure == nil)
      }
    }
  }

  @Test("all ten are here", .enabled(if: !available.isEmpty, "\(ModelFiles.reason)"))
  func complete() {
    #expect(Self.available == ModelGolden.mediaPipeModels)
  }
}
