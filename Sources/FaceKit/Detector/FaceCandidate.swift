import FaceKitKernels

/// A face as the detector sees it: box and six keypoints in one coordinate system, and a score.
struct FaceCandidate: Sendable, Equatable {
  /// Right eye, left eye, nose tip, mouth centre, right and left ear tragion (the subject's).
  static let keypointCount = 6

  var box: Rect
  var keypoints: [Point]
  var score: Float
}

/// Turns the detector's tensors into candidates.
struct DetectionDecoder: Sendable {
  let kind: DetectorKind
  let minimumScore: Float
  private let anchors: [Point]
  /// A logit below which no score can pass: saves the exponential for all but a few anchors.
  private let minimumLogit: Float

  init(kind: DetectorKind, minimumScore: Float) {
    self.kind = kind
    self.minimumScore = minimumScore
    anchors = kind.anchorCenters()
    let p = Double(minimumScore)
    // The margin is far above the rounding of either function.
    minimumLogit =
      p > 0 && p < 1 ? -Float(Elementary.log(1 / p - 1)) - 0.01 : (p <= 0 ? -.infinity : 0)
  }

  /// Candidates in anchor order, in fractions of the (letterboxed) tensor.
  /// `regressors` has 16 values for each anchor (x, y, width, height, then six x, y pairs), `logits` one.
  func decode(
    regressors: UnsafeBufferPointer<Float>, logits: UnsafeBufferPointer<Float>
  ) -> [FaceCandidate] {
    var candidates: [FaceCandidate] = []
    for (index, anchor) in anchors.enumerated() where logits[index] >= minimumLogit {
      let score = Elementary.sigmoid(min(max(logits[index], -100), 100))
      if !(score >= minimumScore) { continue }
      let candidate = candidate(regressors, at: index * 16, anchor: anchor, score: score)
      // Also false for NaN.
      if candidate.box.width >= 0 && candidate.box.height >= 0 { candidates.append(candidate) }
    }
    return candidates
  }

  private func candidate(
    _ r: UnsafeBufferPointer<Float>, at start: Int, anchor: Point, score: Float
  ) -> FaceCandidate {
    let side = Float(kind.inputSide)
    let x = r[start] / side + anchor.x
    let y = r[start + 1] / side + anchor.y
    let width = r[start + 2] / side
    let height = r[start + 3] / side
    var keypoints: [Point] = []
    keypoints.reserveCapacity(FaceCandidate.keypointCount)
    for k in 0..<FaceCandidate.keypointCount {
      keypoints.append(
        Point(
          x: r[start + 4 + 2 * k] / side + anchor.x, y: r[start + 5 + 2 * k] / side + anchor.y))
    }
    let box = Rect(
      minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2)
    return FaceCandidate(box: box, keypoints: keypoints, score: score)
  }
}
