import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKit

@Suite(
  "Damaged models", .enabled(if: ModelFiles.isAvailable, Comment(rawValue: ModelFiles.reason)))
struct DamagedModelTests {
  /// What replaces weights: half-precision NaN, infinity, and the largest number.
  private static let patterns: [[UInt8]] = [[0x00, 0x7E], [0x00, 0x7C], [0xFF, 0x7B]]

  /// The file with a stretch of its weights overwritten.
  private func damaged(_ name: String, at share: Double, _ pattern: [UInt8]) throws -> StorageView {
    var bytes = try ModelFiles.bytes(name)
    let start = Int(Double(bytes.count) * share) & ~1
    for offset in start..<start + 64 { bytes[offset] = pattern[offset & 1] }
    return StorageView(Storage(copying: bytes))
  }

  @Test("coordinates of a detector that are not finite, or absurd, are an error, not faces")
  func detector() throws {
    let image = try Scene.noise(width: 64, height: 48, format: .rgb)
    var refused = 0
    for pattern in DamagedModelTests.patterns {
      for share in stride(from: 0.3, to: 0.95, by: 0.08) {
        let options = FaceDetectorOptions()
        options.model = try damaged("face_detector.tflite", at: share, pattern)
        options.minDetectionConfidence = 0
        // Whoever hits the file's structure is refused before.
        guard let detector = try? FaceDetector(options: options) else { continue }
        do throws(FaceKitError) {
          for detection in try detector.detect(image: image).detections {
            let box = detection.normalizedBox
            for value in [box.minX, box.minY, box.maxX, box.maxY] { #expect(abs(value) < 1e4) }
          }
        } catch {
          refused += 1
          #expect(error.code == .dataLoss)
          #expect(error.what.hasPrefix("the model's output is not finite"))
          #expect(error.location.hasPrefix("face detector, output"))
        }
      }
    }
    #expect(refused > 0)
  }

  @Test("and so are landmarks")
  func landmarks() throws {
    let bundle = try FaceModels(
      bundle: StorageView(Storage(copying: ModelFiles.bytes("face_landmarker.task"))))
    let image = try Scene.noise(width: 64, height: 48, format: .rgb)
    var refused = 0
    for pattern in DamagedModelTests.patterns {
      for share in stride(from: 0.3, to: 0.95, by: 0.08) {
        var bytes = Array(bundle.landmarks.bytes)
        let start = Int(Double(bytes.count) * share) & ~1
        for offset in start..<start + 64 { bytes[offset] = pattern[offset & 1] }
        guard
          let model = try? LandmarkModel(
            StorageView(Storage(copying: bytes)), engine: EngineOptions())
        else { continue }
        do throws(FaceKitError) {
          let reading = try model.landmarks(of: image, in: .full)
          for landmark in reading.landmarks { #expect(abs(landmark.x) < 1e4) }
          #expect((0...1).contains(reading.presence))
        } catch {
          refused += 1
          #expect(error.what.hasPrefix("the model's output is not finite"))
          #expect(error.location.hasPrefix("face landmark model, output"))
        }
      }
    }
    #expect(refused > 0)
  }
}
