import FaceKitKernels
import Testing

@testable import FaceKit

@Suite("Confirmation of a mesh")
struct FaceConfirmationTests {
  /// A mesh that has only what confirmation looks at: 100 pixels from outer to outer corner of the eyes.
  private func mesh(turnedBy degrees: Double = 0) -> [Point] {
    var points = [Point](repeating: Point(x: 0, y: 0), count: 468)
    let places: [(Int, Float, Float)] = [
      (33, -50, 0), (133, -20, 0), (362, 20, 0), (263, 50, 0), (1, 0, 40), (4, 0, 44), (13, 0, 80),
      (14, 0, 84), (10, 0, -60), (152, 0, 120),
    ]
    for (index, x, y) in places { points[index] = Point(x: x, y: y) }
    let angle = Float(degrees * .pi / 180)
    let (c, s) = (Elementary.cos(angle), Elementary.sin(angle))
    return points.map { Point(x: 500 + c * $0.x - s * $0.y, y: 400 + s * $0.x + c * $0.y) }
  }

  private let image: MPImage

  init() throws {
    image = try MPImage(
      copying: [UInt8](repeating: 0, count: 1000 * 800 * 3), width: 1000, height: 800, format: .rgb)
  }

  private func candidate(_ keypoints: [Point], movedBy dx: Float = 0, score: Float)
    -> DetectionCandidate
  {
    var normalized = keypoints.map { Point(x: ($0.x + dx) / 1000, y: $0.y / 800) }
    normalized += [Point(x: 0, y: 0), Point(x: 0, y: 0)]
    return DetectionCandidate(
      box: Rect(x: 0.4, y: 0.4, width: 0.2, height: 0.2), keypoints: normalized, score: score)
  }

  @Test("a candidate agrees by its score and by how near its keypoints are")
  func agreement() {
    let face = ExpectedFace(mesh())
    let unit: Float = 108  // 0.6 of the 180 pixels from forehead to chin, more than the eyes' 100
    let exact = face.agreement(of: [candidate(face.keypoints, score: 0.9)], in: image)
    // Keypoints pass through fractions of the picture, and are rounded there.
    #expect(abs(exact - 0.9) < 1e-5)
    let beside = face.agreement(
      of: [candidate(face.keypoints, movedBy: unit / 10, score: 0.9)], in: image)
    #expect(abs(beside - 0.9 * 0.8) < 1e-3)
    #expect(
      face.agreement(of: [candidate(face.keypoints, movedBy: unit * 0.51, score: 1)], in: image)
        == 0)
    #expect(face.agreement(of: [], in: image) == 0)
    let both = [
      candidate(face.keypoints, movedBy: unit / 5, score: 1), candidate(face.keypoints, score: 0.8),
    ]
    #expect(
      abs(face.agreement(of: both, in: image) - 0.8) < 1e-5, "the better of two counts")
    let broken = candidate(face.keypoints.map { _ in Point(x: .nan, y: 0) }, score: 1)
    #expect(face.agreement(of: [broken], in: image) == 0)
  }

  @Test("a face read upside down does not agree with the one that is there")
  func upsideDown() {
    let (upright, turned) = (ExpectedFace(mesh()), ExpectedFace(mesh(turnedBy: 180)))
    #expect(upright.agreement(of: [candidate(turned.keypoints, score: 1)], in: image) < 0.05)
  }

  @Test("evidence is what both detectors say, and a little of the mesh's presence")
  func evidence() {
    func sum(_ short: Float, _ full: Float, _ presence: Float) -> Float {
      FaceConfirmation.evidence(shortRange: short, fullRange: full, presence: presence)
    }
    #expect(abs(sum(0.9, 0.8, 0.5) - 1.7) < 1e-6)
    #expect(abs(sum(0.9, 0.8, 1) - 1.7 - 0.02 * 9.9035) < 1e-3, "capped")
    #expect(sum(0, 0, 0) < 0 && sum(0, 0, 0) > -0.3)
    // The strongest ghost of the measured pictures, and the weakest face.
    #expect(sum(0.52, 0, 0.978) < FaceConfirmation.leastOfBoth)
    #expect(sum(0.54, 0.1, 1) > FaceConfirmation.leastOfBoth)
  }

  // MARK: Readings

  private func reading(_ x: Float, _ degrees: Double, score: Float) -> DetectionCandidate {
    let turned = ExpectedFace(mesh(turnedBy: degrees)).keypoints
    var candidate = candidate(turned, score: score)
    candidate.box = Rect(x: x, y: 0.4, width: 0.2, height: 0.2)
    return candidate
  }

  @Test("readings of one place survive if they differ in angle, and only then")
  func readings() {
    let found = FaceFinder.distinctReadings(
      [
        reading(0.4, 0, score: 0.8), reading(0.41, 40, score: 0.9), reading(0.4, 180, score: 0.7),
        reading(0.42, 170, score: 0.6), reading(0.7, 0, score: 0.5),
      ], imageWidth: 1000, imageHeight: 800)
    #expect(found.map(\.score) == [0.9, 0.7, 0.5])
  }

  @Test(
    "a detection takes the number of the region it replaces, unless it reads it the other way up")
  func streams() {
    func region(_ x: Float, rotation: Float, track: Int? = nil) -> TrackedRegion {
      TrackedRegion(
        rect: NormalizedRect(centerX: x, centerY: 0.5, width: 0.2, height: 0.2, rotation: rotation),
        trackID: track, detectionScore: 1)
    }
    let tracked = [region(0.3, rotation: 0.1, track: 7)]
    #expect(
      VisionStream.merged(tracked, with: [region(0.32, rotation: 0.2)])
        == [region(0.32, rotation: 0.2, track: 7)])
    #expect(
      VisionStream.merged(tracked, with: [region(0.32, rotation: 3)])
        == tracked + [region(0.32, rotation: 3)])
    #expect(
      VisionStream.merged(tracked, with: [region(0.6, rotation: 0)])
        == tracked + [region(0.6, rotation: 0)])
  }
}
