import EndToEndSupport
import FaceKit
import Foundation
import FaceKitTensor
import TestSupport
import Testing

@Suite(
  "The ML Kit guide's code, run", .enabled(if: Tasks.available, Comment(rawValue: Tasks.reason)))
struct VisionGuideSnippetTests {
  private let image: MPImage
  private let controller = VisionGuideSnippets.ViewController()

  init() throws { image = try Tasks.image(CorpusManifest.load().image("two-kids")) }

  private func detector(_ options: VisionFaceDetectorOptions) -> VisionFaceDetector {
    options.modelPath = ModelFiles.folder.path
    return controller.makeDetector(options: options)
  }

  /// What a line of ``VisionGuideSnippets/describe(_:)`` begins with.
  private func words(_ lines: [String]) -> [String] {
    lines.map { String($0.split(separator: " ")[0]) }
  }

  @Test("everything at once: every property of two faces, contours of one, on the main thread")
  @MainActor func everything() async {
    let detector = detector(VisionGuideSnippets.everything())
    let lines = await withCheckedContinuation { continuation in
      VisionGuideSnippets.process(VisionImage(image: image), detector) { lines in
        // Where `dispatchMain()` serves the main queue, it does so from other threads.
        dispatchPrecondition(condition: .onQueue(.main))
        continuation.resume(returning: lines)
      }
    }
    let first = [
      "frame", "y", "z", "leftEye", "leftEyePoints", "upperLipBottomPoints", "smile",
      "rightEyeOpen", "id",
    ]
    #expect(words(lines) == first + first.filter { !$0.hasSuffix("Points") })
    #expect(lines.contains("leftEyePoints 16") && lines.contains("upperLipBottomPoints 9"))
    #expect(lines.filter { $0.hasPrefix("id") } == ["id 0", "id 1"])
  }

  @Test("accurate landmarks and classification")
  func accurate() throws {
    let faces = try detector(VisionGuideSnippets.accurateOptions()).results(
      in: VisionImage(image: image))
    let each = ["frame", "y", "z", "leftEye", "smile", "rightEyeOpen"]
    #expect(words(VisionGuideSnippets.describe(faces)) == each + each)
  }

  @Test("contours alone: one face with nothing else")
  func contours() async throws {
    let faces = try await detector(VisionGuideSnippets.contourOptions()).faces(
      in: VisionImage(image: image))
    #expect(
      words(VisionGuideSnippets.describe(faces)) == [
        "frame", "leftEyePoints", "upperLipBottomPoints",
      ])
  }

  @Test("a camera's buffer, held upright: rows run along the picture's right edge")
  func buffer() throws {
    // Gray is luma as it is, and no chroma.
    let stored = try Tasks.image(CorpusManifest.load().image("two-kids"))
    let turned = try stored.oriented(.left).upright()
    let rgb = turned.pixels.array(of: UInt8.self)
    let (width, height) = (turned.width, turned.height)
    let luma = stride(from: 1, to: rgb.count, by: 3).map { rgb[$0] }
    let chroma = [UInt8](repeating: 128, count: (width + 1) / 2 * 2 * ((height + 1) / 2))
    let sample = YUVImage(
      width: width, height: height,
      luma: .init(StorageView(Storage(copying: luma)), rowStride: width),
      chroma: .cbcr(
        .init(StorageView(Storage(copying: chroma)), rowStride: (width + 1) / 2 * 2)),
      matrix: .bt601, range: .full)
    let faces = try detector(VisionFaceDetectorOptions()).results(
      in: VisionGuideSnippets.image(sampleBuffer: sample))
    let upright = try detector(VisionFaceDetectorOptions()).results(in: VisionImage(image: stored))
    #expect(faces.count == 2 && upright.count == 2)
    for (face, expected) in zip(faces, upright) {
      #expect(abs(face.frame.minX - expected.frame.minX) < 12)
      #expect(abs(face.frame.minY - expected.frame.minY) < 12)
      #expect(abs(face.headEulerAngleZ - expected.headEulerAngleZ) < 2)
    }
  }

  @Test("the older name calls back too")
  @available(*, deprecated)
  @MainActor func olderName() async {
    let detector = detector(VisionFaceDetectorOptions())
    let count = await withCheckedContinuation { continuation in
      VisionGuideSnippets.detect(VisionImage(image: image), detector) {
        continuation.resume(returning: $0)
      }
    }
    #expect(count == 2)
  }

  @Test("an error comes in place of faces, never with them")
  @MainActor func failure() async throws {
    let options = VisionFaceDetectorOptions()
    options.modelPath = "/nowhere"
    let detector = controller.makeDetector(options: options)
    let isRight = await withCheckedContinuation { continuation in
      detector.process(VisionImage(image: image)) { faces, error in
        continuation.resume(returning: faces == nil && (error as? FaceKitError)?.code == .notFound)
      }
    }
    #expect(isRight)
    let blank = try MPImage(
      copying: [UInt8](repeating: 90, count: 64 * 64), width: 64, height: 64, format: .gray)
    let found = try await self.detector(VisionFaceDetectorOptions()).faces(
      in: VisionImage(image: blank))
    #expect(found.isEmpty)
  }
}
