import Testing

@testable import FaceKit

@Suite("Regions")
struct RegionTests {
  @Test("angles are wrapped into −π...<π")
  func wrap() {
    #expect(Angle.wrap(0) == 0)
    #expect(abs(Angle.wrap(3 * .pi / 2) + .pi / 2) < 1e-6)
    #expect(Angle.wrap(.pi) == Float(-Double.pi))
    #expect(abs(Angle.wrap(-5 * .pi / 2) + .pi / 2) < 1e-6)
  }

  @Test("a detection's region is 1.5 times its box, turned by the eyes: the sample portrait's")
  func fromDetection() {
    let face = DetectionCandidate(
      box: Rect(x: 0.3468074, y: 0.1618578, width: 0.1862188, height: 0.1862192),
      keypoints: [Point(x: 0.3935457, y: 0.2048795), Point(x: 0.4801673, y: 0.2130800)],
      score: 0.92)
    let rect = RegionRule.faceDetection.region(of: face, imageWidth: 512, imageHeight: 512)
    #expect(abs(rect.centerX - 0.4399168) < 1e-6 && abs(rect.centerY - 0.2549674) < 1e-6)
    #expect(abs(rect.width - 0.2793282) < 1e-6 && abs(rect.height - 0.2793289) < 1e-6)
    #expect(abs(rect.rotation - 0.0943889) < 2e-6)
  }

  @Test("the legacy region is a square of the longer side in pixels")
  func square() {
    let face = DetectionCandidate(
      box: Rect(x: 0, y: 0, width: 0.5, height: 0.25),
      keypoints: [Point(x: 0, y: 0), Point(x: 1, y: 0)], score: 1)
    let rect = RegionRule.legacyFaceDetection.region(of: face, imageWidth: 100, imageHeight: 200)
    #expect(abs(rect.width * 100 - 75) < 1e-4 && abs(rect.height * 200 - 75) < 1e-4)
  }

  private func mesh(_ points: [Int: (Float, Float)], fill: (Float, Float)) -> [NormalizedLandmark] {
    (0..<478).map {
      let point = points[$0] ?? fill
      return NormalizedLandmark(x: point.0, y: point.1, z: 0)
    }
  }

  @Test("the next region is a square around the landmarks, 1.5 times as large")
  func fromLandmarks() {
    let landmarks = mesh(
      [0: (0.2, 0.1), 1: (0.6, 0.3), 33: (0.3, 0.2), 263: (0.5, 0.2)], fill: (0.4, 0.2))
    let rect = RegionRule.faceMesh.region(of: landmarks, imageWidth: 200, imageHeight: 100)
    #expect(abs(rect.centerX - 0.4) < 1e-6 && abs(rect.centerY - 0.2) < 1e-6)
    #expect(abs(rect.width - 0.6) < 1e-6 && abs(rect.height - 1.2) < 1e-6)
    #expect(rect.rotation == 0)
  }

  @Test("a face wholly at negative coordinates is bounded by the smallest positive number")
  func negativeFace() {
    let rect = RegionRule.faceMesh.region(
      of: mesh([0: (-0.5, -0.5)], fill: (-0.4, -0.4)), imageWidth: 100, imageHeight: 100)
    #expect(abs(rect.centerX + 0.25) < 1e-6 && abs(rect.width - 0.75) < 1e-6)
  }

  @Test("another rule turns by another angle and moves along the region's own axes")
  func otherRule() {
    // A palm: from the wrist (0) up to the middle finger (1), moved half its height towards the fingers.
    let rule = RegionRule(
      lineStart: 0, lineEnd: 1, targetAngle: .pi / 2, scale: 2.6, shiftY: -0.5, isSquare: true)
    let box = Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.2)
    func palm(_ wrist: Point, _ finger: Point) -> NormalizedRect {
      rule.region(
        of: DetectionCandidate(box: box, keypoints: [wrist, finger], score: 1), imageWidth: 100,
        imageHeight: 100)
    }
    let upright = palm(Point(x: 0.5, y: 0.6), Point(x: 0.5, y: 0.4))
    #expect(abs(upright.rotation) < 1e-6 && abs(upright.width - 0.52) < 1e-6)
    #expect(abs(upright.centerX - 0.5) < 1e-6 && abs(upright.centerY - 0.4) < 1e-6)
    // Fingers to the right: turned clockwise by a quarter.
    let turned = palm(Point(x: 0.4, y: 0.5), Point(x: 0.6, y: 0.5))
    #expect(abs(turned.rotation - .pi / 2) < 1e-6)
    #expect(abs(turned.centerX - 0.6) < 1e-6 && abs(turned.centerY - 0.5) < 1e-6)
  }

  // MARK: Association

  private func region(_ x: Float, track: Int?) -> TrackedRegion {
    TrackedRegion(
      rect: NormalizedRect(centerX: x, centerY: 0.5, width: 0.2, height: 0.2, rotation: 1),
      trackID: track, detectionScore: 0.5)
  }

  @Test(
    "a fresh detection replaces the tracked region it overlaps, inherits its track, and goes last")
  func freshReplacesTracked() {
    let current = associate(
      previous: [region(0.2, track: 1), region(0.7, track: 2)],
      detections: [region(0.21, track: nil), region(0.45, track: nil)], threshold: 0.5, limit: 5)
    #expect(current.map(\.rect.centerX) == [0.7, 0.21, 0.45])
    #expect(current.map(\.trackID) == [2, 1, nil])
  }

  @Test("the best overlapping track is inherited when a detection replaces several")
  func inheritsBestTrack() {
    let current = associate(
      previous: [region(0.20, track: 1), region(0.29, track: 2)],
      detections: [region(0.27, track: nil)], threshold: 0.4, limit: 5)
    #expect(current.count == 1 && current[0].trackID == 2)
  }

  @Test(
    "duplicates within one list are merged too, the later one winning, and the limit cuts the end")
  func duplicatesAndLimit() {
    let merged = associate(
      previous: [region(0.2, track: 1), region(0.2, track: 2)], detections: [], threshold: 0.5,
      limit: 5)
    // The region is the later one's, the number the older one's.
    #expect(merged.map(\.trackID) == [1])
    let cut = associate(
      previous: [region(0.2, track: 1)], detections: [region(0.8, track: nil)], threshold: 0.5,
      limit: 1)
    #expect(cut.map(\.trackID) == [1])
  }

  @Test("at a threshold of 1 nothing merges")
  func thresholdOne() {
    let current = associate(
      previous: [region(0.2, track: 1)], detections: [region(0.2, track: nil)], threshold: 1,
      limit: 5)
    #expect(current.count == 2)
  }

  // MARK: Orientation

  @Test("the detector looks at the picture turned upright")
  func detectionRects() throws {
    let image = try Scene.noise(width: 40, height: 20, format: .rgb)
    let full = image.detectionRect(nil)
    #expect(full == .full)
    let right = image.oriented(.right).detectionRect(nil)
    // 20 pixels wide along the image's y axis, 40 high along x.
    #expect(right.width == 0.5 && right.height == 2)
    #expect(abs(right.rotation + .pi / 2) < 1e-6)
    #expect(abs(image.oriented(.down).detectionRect(nil).rotation + .pi) < 1e-6)
    let roi = image.oriented(.upMirrored).detectionRect(
      Rect(minX: 0, minY: 0.5, maxX: 0.25, maxY: 1))
    #expect(roi.centerX == 0.875 && roi.centerY == 0.75 && roi.width == 0.25)
  }
}
