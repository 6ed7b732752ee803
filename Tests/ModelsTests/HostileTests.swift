import Tensor
import TestSupport
import Testing

@testable import Models

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
  }

  static func run(_ file: HostileCase) throws -> Outcome {
    let bytes = StorageView(Storage(copying: try file.bytes()))
    var outcome = Outcome()
    do {
      if file.kind == "task" {
        let bundle = try TaskBundle(bytes)
        for name in bundleEntries {
          let entry = try bundle.entry(named: name)
          if name.utf8.suffix(7).elementsEqual(".tflite".utf8) { _ = try TFLiteModel(entry) }
        }
      } else {
        let model = try TFLiteModel(bytes)
        outcome.stage = .prepare
        _ = try model.makeGraph()
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  @Test("a file ends as its manifest says", arguments: all)
  func ends(_ file: HostileCase) throws {
    var outcome = Outcome()
    let time = try ContinuousClock().measure { outcome = try Self.run(file) }
    #expect(time < .seconds(2))
    let text = outcome.error.map { "\($0)" } ?? "no error"
    switch file.expect {
    case .reject:
      if file.latestStage == .parse || file.kind == "task" {
        #expect(outcome.error != nil, "\(file.why)")
      }
    case .load:
      #expect(outcome.error == nil || outcome.stage != .parse, "\(text)")
    case .either: break
    }
    #expect(text.utf8.count < 500)
  }
}
