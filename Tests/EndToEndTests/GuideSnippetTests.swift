import EndToEndSupport
import FaceKit
import Foundation
import TestSupport
import Testing

@Suite(
  "The published guides' code, run", .enabled(if: Tasks.available, Comment(rawValue: Tasks.reason)))
struct GuideSnippetTests {
  private let bundle = ModelFiles.url("face_landmarker.task").path
  private let model = ModelFiles.url("face_detector.tflite").path
  private let image: MPImage

  init() throws { image = try Tasks.image(CorpusManifest.load().image("two-kids")) }

  @Test("a picture")
  func picture() throws {
    let faceLandmarker = try GuideSnippets.landmarkerForImages(modelPath: bundle)
    let result = try faceLandmarker.detect(image: image)
    #expect(result.faceLandmarks.count == 2 && result.faceBlendshapes.isEmpty)
    #expect(GuideSnippets.describe(result).count == 3)
    #expect(GuideSnippets.lines(result.faceLandmarks[0]) > 2500)
    let faceDetector = try GuideSnippets.detector(modelPath: model, mode: .image)
    let detections = try faceDetector.detect(image: image)
    #expect(GuideSnippets.boxes(detections, in: CGSize(width: 100, height: 100)).count == 14)
  }

  @Test("a video")
  func video() throws {
    let faceLandmarker = try GuideSnippets.landmarkerForVideo(modelPath: bundle)
    for timestamp in [0, 33] {
      let result = try faceLandmarker.detect(
        videoFrame: image,
        timestampInMilliseconds: timestamp)
      #expect(result.timestampInMilliseconds == timestamp)
      #expect(result.faceBlendshapes.first?.categories.count == 52)
      #expect(result.facialTransformationMatrixes.count == 1)
      #expect(result.faceTracks.first?.trackID == 1)
      #expect(GuideSnippets.describe(result).count == 7)
    }
  }

  @Test("a live stream, with delegates")
  func liveStream() throws {
    let processor = FaceLandmarkerResultProcessor()
    let faceLandmarker = try GuideSnippets.landmarkerForLiveStream(
      modelPath: bundle, processor: processor)
    try faceLandmarker.detectAsync(
      image: image,
      timestampInMilliseconds: 0)
    #expect(processor.finished.wait(timeout: .now() + 60) == .success)
    #expect(processor.received == ["faces 1"])
    faceLandmarker.close()
    let detections = FaceDetectorResultProcessor()
    let faceDetector = try GuideSnippets.detector(
      modelPath: model, mode: .liveStream, processor: detections)
    try faceDetector.detectAsync(image: image, timestampInMilliseconds: 0)
    #expect(detections.finished.wait(timeout: .now() + 60) == .success)
  }

  @Test("a live stream, as a sequence of results that ends when the task is closed")
  func sequence() async throws {
    let options = FaceDetectorOptions()
    options.baseOptions.modelAssetPath = model
    let (detector, results) = try FaceDetector.liveStream(options: options, bufferedResults: 8)
    var stamps: [Int] = []
    try detector.detectAsync(image: image, timestampInMilliseconds: 5)
    for await outcome in results {
      let result = try outcome.get()
      #expect(result.detections.count == 2)
      stamps.append(result.timestampInMilliseconds)
      if stamps.count < 3 {
        try detector.detectAsync(image: image, timestampInMilliseconds: 5 + stamps.count)
      } else {
        detector.close()
      }
    }
    #expect(stamps == [5, 6, 7])
  }

  @Test("asynchronous calls answer as blocking ones")
  func asynchronous() async throws {
    let landmarker = try GuideSnippets.landmarkerForImages(modelPath: bundle)
    let blocking = try landmarker.detect(image: image)
    let awaited = try await landmarker.detect(image)
    #expect(awaited == blocking)
  }
}
