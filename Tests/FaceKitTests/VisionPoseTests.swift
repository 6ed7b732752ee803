import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKit

/// The canonical face, posed.
enum CanonicalHead {
  static let file = "geometry_pipeline_metadata_landmarks.binarypb"
  static let isAvailable = ModelFiles.isAvailable(file)
  static let reason = Comment(rawValue: ModelFiles.reason)

  static func metadata() throws -> GeometryMetadata {
    try GeometryMetadata(StorageView(Storage(copying: ModelFiles.bytes(file))))
  }

  /// The landmarks of the head in a picture, turned about its origin, `scale` pixels a centimetre, in weak perspective.
  static func landmarks(
    _ metadata: GeometryMetadata, _ angles: HeadEulerAngles, scale: Double = 12,
    center: (x: Double, y: Double) = (320, 240), imageWidth: Int = 640, imageHeight: Int = 480
  ) -> [NormalizedLandmark] {
    let r = angles.rotation
    return (0..<metadata.vertexCount).map { i in
      let p = (0..<3).map { Double(metadata.positions[3 * i + $0]) }
      func row(_ k: Int) -> Double { scale * (r[k, 0] * p[0] + r[k, 1] * p[1] + r[k, 2] * p[2]) }
      return NormalizedLandmark(
        x: Float((center.x + row(0)) / Double(imageWidth)),
        y: Float((center.y - row(1)) / Double(imageHeight)),
        z: Float(-row(2) / Double(imageWidth)))
    }
  }
}

@Suite("Vision: head angles")
struct VisionPoseTests {
  /// Rows of R for x, y, z.
  private static let vectors: [(HeadEulerAngles, [Double])] = [
    (HeadEulerAngles(x: 20, y: 0, z: 0), [1, 0, 0, 0, 0.939693, 0.342020, 0, -0.342020, 0.939693]),
    (HeadEulerAngles(x: 0, y: 30, z: 0), [0.866025, 0, 0.5, 0, 1, 0, -0.5, 0, 0.866025]),
    (
      HeadEulerAngles(x: 0, y: 0, z: 45),
      [0.707107, -0.707107, 0, 0.707107, 0.707107, 0, 0, 0, 1]
    ),
    (
      HeadEulerAngles(x: 15, y: -25, z: 40),
      [
        0.694272, -0.537094, -0.479079, 0.582563, 0.810251, -0.064131, 0.422618, -0.234570,
        0.875426,
      ]
    ),
    (
      HeadEulerAngles(x: -10, y: 35, z: -90),
      [
        0, 0.984808, -0.173648, -0.819152, -0.099601, -0.564863, -0.573576, 0.142244, 0.806707,
      ]
    ),
  ]

  @Test("known rotations have the documented angles, and back", arguments: vectors.indices)
  func knownRotations(_ index: Int) {
    let (angles, rows) = VisionPoseTests.vectors[index]
    for (value, expected) in zip(angles.rotation.m, rows) {
      #expect(abs(value - expected) < 1e-6)
    }
    #expect(distance(HeadEulerAngles(rotation: Matrix3(rows)), angles) < 1e-3)
  }

  private func distance(_ a: HeadEulerAngles, _ b: HeadEulerAngles) -> Double {
    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
  }

  @Test("a rotation that was applied is read back")
  func roundTrip() {
    var random = LinearCongruentialGenerator(seed: 21)
    for _ in 0..<500 {
      let r = random.floats(3, -1, 1).map(Double.init)
      let angles = HeadEulerAngles(x: 85 * r[0], y: 85 * r[1], z: 179 * r[2])
      #expect(distance(HeadEulerAngles(rotation: angles.rotation), angles) < 1e-9)
    }
  }

  @Test("a head seen exactly from its side has the turn about the view in z, and no x")
  func gimbalLock() {
    let angles = HeadEulerAngles(rotation: HeadEulerAngles(x: 0, y: 90, z: 33).rotation)
    #expect(abs(angles.y - 90) < 0.1 && angles.x == 0 && abs(angles.z - 33) < 1e-6)
    let beyond = HeadEulerAngles(
      rotation: Matrix3([0, 0, 1.0000001, 0, 1, 0, -1.0000001, 0, 0]))
    #expect(beyond.y == 90, "rounding beyond ±1 is no NaN")
  }

  @Test("the axes point where the signs say: up, to the image's right, counter-clockwise")
  func signs() {
    let up = HeadEulerAngles(x: 20, y: 0, z: 0).projectedAxes.forward
    #expect(up.y < -0.3 && abs(up.x) < 1e-6)
    let right = HeadEulerAngles(x: 0, y: 20, z: 0).projectedAxes.forward
    #expect(right.x > 0.3 && abs(right.y) < 1e-6)
    let tilted = HeadEulerAngles(x: 0, y: 0, z: 20).projectedAxes.up
    #expect(tilted.x < -0.3 && tilted.y < -0.9)
  }

  @Test("angles of a facial transformation matrix don't depend on its scale or translation")
  func matrix() {
    let rows: [Float] = [
      0.99807769, 0.06179976, -0.00480284, -0.06095145, 0.96436954, -0.25744310, -0.01127820,
      0.25724068, 0.96628225,
    ]
    for scale: Float in [1, 0.5, 2] {
      let r = rows.map { $0 * scale }
      let angles = HeadEulerAngles(
        TransformMatrix(rowMajor: [
          r[0], r[1], r[2], 3, r[3], r[4], r[5], -4, r[6], r[7], r[8], -50, 0, 0, 0, 1,
        ]))
      #expect(distance(angles, HeadEulerAngles(x: -14.907, y: 0.646, z: -3.495)) < 2e-3)
    }
  }

  @Test(
    "the pose of a canonical head is recovered wherever it is in the picture, at any size",
    .enabled(if: CanonicalHead.isAvailable, CanonicalHead.reason))
  func canonicalHead() throws {
    let metadata = try CanonicalHead.metadata()
    let solver = HeadPoseSolver(metadata)
    var random = LinearCongruentialGenerator(seed: 22)
    for _ in 0..<200 {
      let r = random.floats(6, -1, 1).map(Double.init)
      let angles = HeadEulerAngles(x: 80 * r[0], y: 80 * r[1], z: 179 * r[2])
      let scale = 12 + 10 * r[5]
      let landmarks = CanonicalHead.landmarks(
        metadata, angles, scale: scale, center: (320 + 300 * r[3], 240 + 200 * r[4]))
      let pose = try #require(solver.pose(of: landmarks, imageWidth: 640, imageHeight: 480))
      #expect(distance(HeadEulerAngles(rotation: pose.rotation), angles) < 0.01)
      #expect(abs(pose.scale - scale) < 1e-3)
      // A vertex that carries no weight lies where the fit puts it, too.
      let ear = pose.projected(
        Double(metadata.positions[3 * 234]), Double(metadata.positions[3 * 234 + 1]),
        Double(metadata.positions[3 * 234 + 2]))
      #expect(abs(ear.x - landmarks[234].x * 640) < 0.01)
      #expect(abs(ear.y - landmarks[234].y * 480) < 0.01)
    }
  }

  @Test(
    "noise of a pixel on every landmark moves the angles of a face of 170 pixels by less than 2°",
    .enabled(if: CanonicalHead.isAvailable, CanonicalHead.reason))
  func noise() throws {
    let metadata = try CanonicalHead.metadata()
    let solver = HeadPoseSolver(metadata)
    var random = LinearCongruentialGenerator(seed: 23)
    for yaw in stride(from: -60.0, through: 60, by: 20) {
      let angles = HeadEulerAngles(x: 10, y: yaw, z: -15)
      var landmarks = CanonicalHead.landmarks(metadata, angles)
      for index in landmarks.indices {
        let n = random.floats(3, -1, 1)
        landmarks[index].x += n[0] / 640
        landmarks[index].y += n[1] / 480
        landmarks[index].z += n[2] / 640
      }
      let pose = try #require(solver.pose(of: landmarks, imageWidth: 640, imageHeight: 480))
      #expect(distance(HeadEulerAngles(rotation: pose.rotation), angles) < 2)
    }
  }

  @Test(
    "landmarks in one place have no pose",
    .enabled(if: CanonicalHead.isAvailable, CanonicalHead.reason))
  func noExtent() throws {
    let solver = HeadPoseSolver(try CanonicalHead.metadata())
    let points = [NormalizedLandmark](
      repeating: NormalizedLandmark(x: 0.5, y: 0.5, z: 0), count: 478)
    #expect(solver.pose(of: points, imageWidth: 10, imageHeight: 10) == nil)
    #expect(solver.pose(of: [], imageWidth: 10, imageHeight: 10) == nil)
  }
}
