import TestSupport
import Testing

@testable import FaceKit

@Suite("Vision: contours, landmarks and frames")
struct VisionShapeTests {
  @Test("contours have ML Kit's numbers of points, 133 in all, no point twice")
  func counts() {
    let expected: [FaceContourType: Int] = [
      .face: 36, .leftEyebrowTop: 5, .leftEyebrowBottom: 5, .rightEyebrowTop: 5,
      .rightEyebrowBottom: 5, .leftEye: 16, .rightEye: 16, .upperLipTop: 11, .upperLipBottom: 9,
      .lowerLipTop: 9, .lowerLipBottom: 9, .noseBridge: 2, .noseBottom: 3, .leftCheek: 1,
      .rightCheek: 1, .all: 133,
    ]
    #expect(expected.count == FaceContourType.allCases.count)
    for (type, count) in expected {
      #expect(type.meshIndices.count == count, "\(type)")
      #expect(Set(type.meshIndices).count == count, "\(type)")
      #expect(type.meshIndices.allSatisfy { (0..<468).contains($0) })
      #expect(type.rawValue == "\(type)")
    }
    #expect(
      Set(FaceContourType.separate.flatMap(\.meshIndices)) == Set(FaceContourType.all.meshIndices))
  }

  @Test("the flat list goes by place, and has the middle of the nose's bottom first")
  func flatList() {
    let all = FaceContourType.all.meshIndices
    #expect(Array(all[0..<36]) == FaceContourType.face.meshIndices)
    #expect(Array(all[36..<41]) == FaceContourType.rightEyebrowTop.meshIndices)
    #expect(Array(all[56..<72]) == FaceContourType.rightEye.meshIndices)
    #expect(Array(all[72..<88]) == FaceContourType.leftEye.meshIndices)
    #expect(Array(all[88..<97]) == FaceContourType.upperLipBottom.meshIndices)
    #expect(Array(all[126...]) == [168, 1, 2, 98, 327, 205, 425])
  }

  private static let hasHead = CanonicalHead.isAvailable

  @Test("neighbours in a contour are neighbours in the mesh", arguments: FaceContourType.separate)
  func adjacency(_ type: FaceContourType) {
    // In the published drawing of the mesh; the nose's two contours jump over points between.
    guard type != .noseBridge, type != .noseBottom else { return }
    let edges = Set(
      FaceLandmarkConnections.tesselation.map { Set([$0.start, $0.end]) })
    let indices = type.meshIndices
    var jumps: [[Int]] = []
    for k in 1..<max(1, indices.count) where !edges.contains([indices[k - 1], indices[k]]) {
      jumps.append([indices[k - 1], indices[k]])
    }
    // ML Kit's inner upper lip leaves out one point beside each corner.
    #expect(jumps == (type == .upperLipBottom ? [[78, 80], [310, 308]] : []), "\(type)")
    if type.isClosed { #expect(edges.contains([indices[0], indices[indices.count - 1]])) }
  }

  @Test(
    "closed contours run clockwise as seen, the oval from the forehead over the image's right",
    .enabled(if: hasHead, CanonicalHead.reason))
  func direction() throws {
    let p = try CanonicalHead.metadata().positions
    func x(_ i: Int) -> Float { p[3 * i] }
    func y(_ i: Int) -> Float { p[3 * i + 1] }
    for type in [FaceContourType.face, .leftEye, .rightEye] {
      let indices = type.meshIndices
      var area: Float = 0
      for (k, a) in indices.enumerated() {
        let b = indices[(k + 1) % indices.count]
        area += x(a) * y(b) - x(b) * y(a)
      }
      #expect(area < 0, "\(type)")
    }
    let oval = FaceContourType.face.meshIndices
    #expect(oval.max { y($0) < y($1) } == oval[0] && oval.min { y($0) < y($1) } == oval[18])
    #expect(x(oval[9]) > 0 && x(oval[27]) < 0)
    // Upper lips from the image's left to its right, lower lips back, brows towards the nose.
    for type in [FaceContourType.upperLipTop, .upperLipBottom] {
      #expect(zip(type.meshIndices, type.meshIndices.dropFirst()).allSatisfy { x($0) < x($1) })
    }
    for type in [FaceContourType.lowerLipTop, .lowerLipBottom] {
      #expect(zip(type.meshIndices, type.meshIndices.dropFirst()).allSatisfy { x($0) > x($1) })
    }
    for type in [
      FaceContourType.leftEyebrowTop, .leftEyebrowBottom, .rightEyebrowTop, .rightEyebrowBottom,
    ] {
      #expect(
        zip(type.meshIndices, type.meshIndices.dropFirst()).allSatisfy { abs(x($0)) > abs(x($1)) })
    }
  }

  @Test(
    "the contours of one side are those of the other, mirrored",
    .enabled(if: hasHead, CanonicalHead.reason))
  func mirrored() throws {
    let metadata = try CanonicalHead.metadata()
    let p = metadata.positions
    func partner(_ i: Int) -> Int? {
      (0..<468).min {
        func off(_ j: Int) -> Float {
          abs(p[3 * j] + p[3 * i]) + abs(p[3 * j + 1] - p[3 * i + 1])
            + abs(p[3 * j + 2] - p[3 * i + 2])
        }
        return off($0) < off($1)
      }
    }
    for type in [
      FaceContourType.leftEyebrowTop, .leftEyebrowBottom, .leftCheek, .leftEye,
    ] {
      var reflected = type.meshIndices.map(partner)
      if type == .leftEye {
        // Both run clockwise, so one is reversed, from its other corner.
        reflected = (0..<16).map { reflected[($0 <= 8 ? 8 - $0 : 24 - $0)] }
      }
      #expect(reflected == type.mirrored.meshIndices, "\(type)")
      // The subject's left is on the image's right.
      #expect(type.meshIndices.allSatisfy { p[3 * $0] > 0 })
      #expect(type.mirrored.meshIndices.allSatisfy { p[3 * $0] < 0 })
    }
  }

  @Test(
    "landmarks of a frontal head: pairs level and apart, left on the image's right",
    .enabled(if: hasHead, CanonicalHead.reason))
  func landmarks() throws {
    let metadata = try CanonicalHead.metadata()
    let landmarks = CanonicalHead.landmarks(metadata, HeadEulerAngles(x: 0, y: 0, z: 0))
    let pose = try #require(
      HeadPoseSolver(metadata).pose(of: landmarks, imageWidth: 640, imageHeight: 480))
    let mesh = landmarks.map { Point(x: $0.x * 640, y: $0.y * 480) }
    func at(_ type: FaceLandmarkType) -> Point { type.position(mesh: mesh, pose: pose) }
    for type in [FaceLandmarkType.leftEye, .leftEar, .leftCheek, .mouthLeft] {
      let (left, right) = (at(type), at(type.mirrored))
      #expect(left.x > 320 && right.x < 320, "\(type)")
      #expect(abs(left.x + right.x - 640) < 0.5 && abs(left.y - right.y) < 0.5, "\(type)")
    }
    #expect(at(.leftEar).x > at(.leftEye).x + 30 && at(.leftEye).y < at(.leftCheek).y)
    #expect(at(.noseBase).y < at(.mouthBottom).y && abs(at(.noseBase).x - 320) < 0.5)
    #expect(at(.leftCheek).y < at(.mouthLeft).y)
  }

  @Test("landmarks are in sight as ML Kit's table says")
  func visibility() {
    let table: [(y: Double, visible: Set<FaceLandmarkType>)] = [
      (-50, [.leftEye, .mouthLeft, .leftEar, .noseBase, .leftCheek]),
      (
        -20,
        [.mouthLeft, .noseBase, .mouthBottom, .rightEye, .leftEye, .leftCheek, .leftEar]
      ),
      (
        0,
        [
          .rightEye, .leftEye, .noseBase, .leftCheek, .rightCheek, .mouthLeft, .mouthRight,
          .mouthBottom,
        ]
      ),
      (
        20,
        [.mouthRight, .noseBase, .mouthBottom, .leftEye, .rightEye, .rightCheek, .rightEar]
      ),
      (50, [.rightEye, .mouthRight, .rightEar, .noseBase, .rightCheek]),
    ]
    for (y, visible) in table {
      let found = FaceLandmarkType.allCases.filter { $0.isVisible(atHeadEulerAngleY: y) }
      #expect(Set(found) == visible, "\(y)")
    }
    #expect(FaceLandmarkType.allCases.allSatisfy { $0.rawValue == "\($0)" })
  }

  // MARK: Frames

  @Test("a frame is the mesh's bounds and a tenth on each side, irises left out, not clipped")
  func frame() {
    var mesh = [Point](repeating: Point(x: 50, y: 60), count: 478)
    mesh[10] = Point(x: -10, y: 20)
    mesh[200] = Point(x: 90, y: 220)
    mesh[470] = Point(x: 1000, y: 1000)
    #expect(FaceFrame.around(mesh) == Rect(minX: -20, minY: 0, maxX: 100, maxY: 240))
  }

  @Test("the largest face is the most prominent, then the one in the middle, then the leftmost")
  func prominent() {
    func pick(_ frames: [Rect]) -> Int? {
      FaceFrame.mostProminent(frames, imageWidth: 100, imageHeight: 100)
    }
    let small = Rect(x: 45, y: 45, width: 10, height: 10)
    let large = Rect(x: 0, y: 0, width: 20, height: 20)
    #expect(pick([]) == nil && pick([small]) == 0 && pick([small, large]) == 1)
    let middle = Rect(x: 40, y: 40, width: 19.95, height: 20)
    #expect(pick([large, middle]) == 1 && pick([middle, large]) == 0)
    let twins = [
      Rect(x: 70, y: 40, width: 20, height: 20), Rect(x: 10, y: 40, width: 20, height: 20),
    ]
    #expect(pick(twins) == 1 && pick(twins.reversed()) == 0)
    let wild = Rect(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan)
    #expect(pick([wild]) == 0)
  }
}
