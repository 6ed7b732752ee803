import TestSupport
import Testing

@testable import FaceKit

@Suite("Detector steps")
struct DetectorTests {
  @Test("anchors lie in the middle of their cells, equal ones side by side")
  func anchors() {
    let short = DetectorSpecification.faceShortRange.anchorCenters()
    #expect(short.count == 896)
    #expect(short[0] == Point(x: 0.03125, y: 0.03125) && short[1] == short[0])
    #expect(short[2] == Point(x: 0.09375, y: 0.03125))
    #expect(short[511] == Point(x: 0.96875, y: 0.96875))
    #expect(short[512..<518].allSatisfy { $0 == Point(x: 0.0625, y: 0.0625) })
    #expect(short[518] == Point(x: 0.1875, y: 0.0625))
    let full = DetectorSpecification.faceFullRange.anchorCenters()
    #expect(full.count == 2304)
    #expect(full[49] == Point(x: 1.5 / 48, y: 1.5 / 48))
  }

  private func decode(
    _ logits: [Int: Float], _ values: [Int: [Float]] = [:], minimumScore: Float = 0.5
  ) -> [DetectionCandidate] {
    var regressors = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -100, count: 896)
    for (index, logit) in logits { scores[index] = logit }
    for (index, row) in values {
      regressors.replaceSubrange(index * 16..<index * 16 + 16, with: row)
    }
    let decoder = DetectionDecoder(.faceShortRange, minimumScore: minimumScore)
    return regressors.withUnsafeBufferPointer { regressors in
      scores.withUnsafeBufferPointer { decoder.decode(regressors: regressors, logits: $0) }
    }
  }

  @Test("a candidate is its anchor plus offsets in input pixels, x before y")
  func decoding() throws {
    let row: [Float] = [12.8, -6.4, 25.6, 64, 1.28, 2.56] + (0..<10).map { Float($0) * 12.8 }
    let candidate = try #require(decode([0: 2], [0: row]).first)
    let (ax, ay): (Float, Float) = (0.03125, 0.03125)
    #expect(abs(candidate.box.minX - (ax + 0.1 - 0.1)) < 1e-6)
    #expect(abs(candidate.box.maxX - (ax + 0.1 + 0.1)) < 1e-6)
    #expect(abs(candidate.box.minY - (ay - 0.05 - 0.25)) < 1e-6)
    #expect(abs(candidate.keypoints[0].x - (ax + 0.01)) < 1e-6)
    #expect(abs(candidate.keypoints[0].y - (ay + 0.02)) < 1e-6)
    #expect(abs(candidate.keypoints[5].y - (ay + 0.9)) < 1e-6)
    #expect(abs(candidate.score - 0.880797) < 1e-6)
  }

  @Test("the score must reach the threshold, equality included")
  func threshold() {
    #expect(decode([3: 0, 4: -1e-6]).count == 1)
    #expect(decode([:], minimumScore: 0).count == 896)
    #expect(decode([3: 200], minimumScore: 1).count == 1)
    #expect(decode([3: 5], minimumScore: 1).isEmpty)
  }

  @Test("negative and undefined sizes are no faces")
  func badSizes() {
    let negative: [Float] = [0, 0, -1, 4] + [Float](repeating: 0, count: 12)
    let undefined: [Float] = [0, 0, .nan, 4] + [Float](repeating: 0, count: 12)
    #expect(decode([0: 3, 1: 3, 2: .nan], [0: negative, 1: undefined]).isEmpty)
  }

  // MARK: Suppression

  private func candidate(_ x: Float, _ score: Float, width: Float = 0.2) -> DetectionCandidate {
    DetectionCandidate(
      box: Rect(x: x, y: 0.1, width: width, height: 0.2),
      keypoints: [Point](repeating: Point(x: x, y: 0), count: 6), score: score)
  }

  @Test("a cluster becomes its weighted mean, with the best one's score")
  func blending() throws {
    let faces = suppressed(
      [candidate(0.10, 0.6), candidate(0.12, 0.9), candidate(0.7, 0.8)], by: .weighted(0.3))
    #expect(faces.count == 2)
    #expect(faces[0].score == 0.9 && faces[1].score == 0.8)
    let mean: Float = (0.10 * 0.6 + 0.12 * 0.9) / 1.5
    #expect(abs(faces[0].box.minX - mean) < 1e-6)
    #expect(abs(faces[0].keypoints[3].x - mean) < 1e-6)
    #expect(abs(faces[1].box.minX - 0.7) < 1e-6)
  }

  @Test("overlap must be strictly greater than the threshold")
  func strictOverlap() {
    // 0.2 wide boxes, shifted by 0.1: intersection over union is a third.
    let pair = [candidate(0, 0.9), candidate(0.1, 0.8)]
    let overlap = pair[0].box.overlap(pair[1].box)
    #expect(suppressed(pair, by: .weighted(overlap)).count == 2)
    #expect(suppressed(pair, by: .weighted(overlap.nextDown)).count == 1)
  }

  @Test("at a threshold of 1 only the best candidate is returned, as it is")
  func thresholdOne() {
    let faces = suppressed([candidate(0.1, 0.6), candidate(0.7, 0.9)], by: .weighted(1))
    #expect(faces == [candidate(0.7, 0.9)])
  }

  @Test("equal scores keep input order, and nothing in is nothing out")
  func ties() {
    let faces = suppressed([candidate(0.5, 0.7), candidate(0.1, 0.7)], by: .weighted(0.3))
    #expect(faces.map(\.box.minX) == [0.5, 0.1])
    #expect(suppressed([], by: .weighted(0.3)).isEmpty)
  }

  @Test("plain suppression keeps the best box of each group as it is, nested boxes included or not")
  func policies() {
    let outer = candidate(0.1, 0.9)
    let inner = DetectionCandidate(
      box: Rect(x: 0.15, y: 0.15, width: 0.05, height: 0.05), keypoints: outer.keypoints, score: 0.8
    )
    let shifted = candidate(0.12, 0.7)
    let all = [shifted, inner, outer]
    #expect(suppressed(all, by: .plain(0.3)) == [outer, inner])
    #expect(suppressed(all, by: .acrossPasses) == [outer])
    // At a threshold of 1 nothing is suppressed; only the weighted form stops at the best.
    #expect(suppressed(all, by: .plain(1)) == [outer, inner, shifted])
  }

  @Test("boxes without area are kept one by one, and end nothing")
  func emptyBoxes() {
    let points = [
      candidate(0.1, 0.9, width: 0), candidate(0.1, 0.8, width: 0), candidate(0.5, 0.7),
    ]
    #expect(suppressed(points, by: .plain(0.3)) == points)
    #expect(suppressed(points, by: .acrossPasses) == points)
    #expect(suppressed(points, by: .weighted(0.3)) == [points[0]], "as in MediaPipe")
  }

  @Test("another specification decodes another detector: seven keypoints, two grids")
  func otherSpecification() throws {
    let palms = DetectorSpecification(
      inputSide: 192,
      grids: [
        .init(cellsPerSide: 24, anchorsPerCell: 2), .init(cellsPerSide: 12, anchorsPerCell: 6),
      ],
      keypointCount: 7)
    #expect(palms.outputCounts == [2016 * 18, 2016])
    var regressors = [Float](repeating: 0, count: 2016 * 18)
    var logits = [Float](repeating: -100, count: 2016)
    logits[2015] = 3
    regressors.replaceSubrange(
      2015 * 18..<2016 * 18, with: [0, 0, 19.2, 38.4] + (0..<14).map { Float($0) })
    let decoder = DetectionDecoder(palms, minimumScore: 0.5)
    let found = regressors.withUnsafeBufferPointer { regressors in
      logits.withUnsafeBufferPointer { decoder.decode(regressors: regressors, logits: $0) }
    }
    let palm = try #require(found.first)
    #expect(found.count == 1 && palm.keypoints.count == 7)
    #expect(abs(palm.box.width - 0.1) < 1e-6 && abs(palm.box.height - 0.2) < 1e-6)
    #expect(abs(palm.keypoints[6].y - (11.5 / 12 + 13.0 / 192)) < 1e-6)
  }

  // MARK: Results

  @Test("boxes are truncated towards zero, clamped at the origin, and not shortened for it")
  func pixelBox() {
    let face = DetectionCandidate(
      box: Rect(minX: -0.05, minY: 0.109, maxX: 0.45, maxY: 1.3),
      keypoints: [Point](repeating: Point(x: -0.1, y: 0.2), count: 6), score: 0.75)
    let detection = Detection(face, imageWidth: 101, imageHeight: 50)
    #expect(
      detection.pixelBox == Detection.PixelBox(originX: 0, originY: 5, width: 50, height: 50))
    #expect(detection.boundingBox.width == 50)
    #expect(detection.categories == [ResultCategory(index: 0, score: 0.75)])
    #expect(detection.keypoints?.first == NormalizedKeypoint(x: -0.1, y: 0.2))
    let vanished = DetectionCandidate(
      box: Rect(minX: .nan, minY: 0, maxX: .infinity, maxY: 1), keypoints: [], score: 1)
    #expect(Detection(vanished, imageWidth: 10, imageHeight: 10).pixelBox.originX == 0)
  }

  @Test("projection takes the tensor's corners to the region's corners")
  func projection() {
    let region = PixelRegion(centerX: 60, centerY: 40, width: 20, height: 10, rotation: .pi / 2)
    let projection = Projection(region: region, imageWidth: 100, imageHeight: 50)
    // Turned clockwise by 90°: the tensor's left top corner is right top.
    let corner = projection(0, 0)
    #expect(abs(corner.x - 0.65) < 1e-6 && abs(corner.y - 0.6) < 1e-6)
    let centre = projection(0.5, 0.5)
    #expect(abs(centre.x - 0.6) < 1e-6 && abs(centre.y - 0.8) < 1e-6)
    let bounds = projection(Rect(minX: 0, minY: 0, maxX: 1, maxY: 1))
    #expect(abs(bounds.width - 0.1) < 1e-6 && abs(bounds.height - 0.4) < 1e-6)
    // The x axis of the tensor runs down the image: 20 pixels of 50.
    #expect(abs(projection.depthScale - 0.4) < 1e-6)
  }
}
