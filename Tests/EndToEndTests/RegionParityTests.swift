import EndToEndSupport
import FaceKitModels
import TestSupport
import Testing

@testable import FaceKit

@Suite("Regions against MediaPipe", .enabled(if: Tasks.available, Comment(rawValue: Tasks.reason)))
struct RegionParityTests {
  /// `0.05` pixels of the picture, and as much at the region's corner for the angle.
  private func check(
    _ rect: NormalizedRect, _ golden: RectGolden, scale: Double, _ picture: CorpusImage,
    _ kind: String
  ) {
    let (w, h) = (Double(picture.width), Double(picture.height))
    let off = [
      (Double(rect.centerX) - golden.xCenter) * w, (Double(rect.centerY) - golden.yCenter) * h,
      (Double(rect.width) - golden.width * scale) * w,
      (Double(rect.height) - golden.height * scale) * h,
      (Double(rect.rotation) - golden.rotation) * golden.width * scale * w,
    ]
    let bound = kind == "landmarks" ? 0.15 : 0.05
    #expect(off.allSatisfy { abs($0) <= bound }, "\(picture.id), from \(kind): \(off)")
  }

  @Test("regions of detections, and regions for the next frame", arguments: Tasks.images)
  func regions(_ picture: CorpusImage) throws {
    let golden = try RectsGolden.load(picture.goldenID).numFaces1
    let image = try Tasks.image(picture)
    let settings = try Validated(LandmarkerSettings()).detector(isLegacy: false)
    let detector = try DetectorPipeline(
      model: try Tasks.bytes("face_detector.tflite"), settings: settings, engine: EngineOptions())
    let faces = try detector.detect(image).prefix(1)
    for (face, rect) in zip(faces, golden.fromDetection ?? []) {
      let region = RegionRule.faceDetection.region(
        of: face, imageWidth: image.width, imageHeight: image.height)
      check(region, rect, scale: 1.5, picture, "detection")
    }
    let landmarks = try Tasks.oneFace.get().detect(image: image).faceLandmarks
    for (face, rect) in zip(landmarks, golden.fromLandmarks ?? []) {
      let region = RegionRule.faceMesh.region(
        of: face, imageWidth: image.width, imageHeight: image.height)
      check(region, rect, scale: 1, picture, "landmarks")
    }
  }
}
