import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// Every file of the hostile collection ends as its manifest says, by a typed error or a right
/// answer, within the time the manifest gives.
@Suite(
  "Hostile files", .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.reason)))
struct HostileTests {
  static let all: [HostileCase] =
    Conformance.isAvailable ? ((try? HostileCase.loadAll()) ?? []) : []

  static let bundleEntries = [
    "face_detector.tflite", "face_landmarks_detector.tflite", "face_blendshapes.tflite",
    "geometry_pipeline_metadata_landmarks.binarypb",
  ]

  /// How far a file got.
  struct Outcome {
    var stage = HostileCase.Stage.parse
    var error: ModelError?
    var outputs: [Tensor] = []
    var arenaBytes = 0
  }

  static func run(_ file: HostileCase, backend: Backend) throws -> Outcome {
    let bytes = StorageView(Storage(copying: try file.bytes()))
    // The suite's inputs are read outside the block that catches the engine's errors.
    let inputs = try file.inputs?.map { try $0.bytes(relativeTo: HostileCase.folder) }
    var outcome = Outcome()
    do throws(ModelError) {
      if file.kind == "task" {
        try openBundle(bytes)
        return outcome
      }
      let model = try TFLiteModel(bytes)
      outcome.stage = .prepare
      let compiled = try CompiledModel(model, options: EngineOptions(backend: backend))
      outcome.arenaBytes = compiled.arenaBytes
      let session = try compiled.makeSession()
      outcome.stage = .invoke
      for (index, input) in session.inputs.enumerated() {
        let size = input.type.bytes(for: input.shape.count) ?? 0
        let data = inputs?[index] ?? [UInt8](repeating: 0, count: size)
        try session.setInput(
          index,
          Tensor(type: input.type, shape: input.shape, data: StorageView(Storage(copying: data))))
      }
      try session.run()
      outcome.outputs = session.outputs.indices.map { session.output($0) }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private static func openBundle(_ bytes: StorageView) throws(ModelError) {
    let bundle = try TaskBundle(bytes)
    for name in bundleEntries {
      let entry = try bundle.entry(named: name)
      if name.utf8.suffix(7).elementsEqual(".tflite".utf8) { _ = try TFLiteModel(entry) }
    }
  }

  @Test("a file ends as its manifest says", arguments: all, [Backend.reference, .automatic])
  func ends(_ file: HostileCase, backend: Backend) throws {
    var outcome = Outcome()
    let time = try ContinuousClock().measure { outcome = try Self.run(file, backend: backend) }
    #expect(time < .seconds(2), "it took \(time)")
    #expect(outcome.arenaBytes <= 64 << 20)
    let text = outcome.error.map { "\($0)" } ?? "no error"
    #expect(text.utf8.count < 500 && !text.utf8.contains(0x0A))
    switch file.expect {
    case .reject:
      #expect(outcome.error != nil, "\(file.why)")
      #expect(outcome.stage <= file.latestStage ?? .invoke, "\(file.why): \(text)")
    case .either:
      if outcome.error != nil {
        #expect(outcome.stage <= file.latestStage ?? .invoke, "\(file.why): \(text)")
      }
    case .load:
      #expect(outcome.error == nil, "\(file.why): \(text)")
      for (index, output) in outcome.outputs.enumerated() {
        guard let expected = file.outputs?[index] else { continue }
        #expect(output.shape.extents == expected.shape)
        let departure = try expected.departure(
          of: output.data.array(of: UInt8.self), relativeTo: HostileCase.folder,
          "output \(index)")
        #expect(departure == nil)
      }
    }
  }
}

extension HostileCase.Stage: Comparable {
  private var rank: Int {
    switch self {
    case .parse: 0
    case .prepare: 1
    case .invoke: 2
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
