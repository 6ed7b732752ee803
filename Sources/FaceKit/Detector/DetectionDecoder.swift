import FaceKitKernels

/// What a detector found at one place: box and keypoints in one coordinate system, and a score.
struct DetectionCandidate: Sendable, Equatable {
  var box: Rect
  /// As many as ``DetectorSpecification/keypointCount``; for faces see ``FaceKeypoint``.
  var keypoints: [Point]
  /// `0...1`.
  var score: Float
}

/// Turns a detector's tensors into candidates.
struct DetectionDecoder: Sendable {
  let specification: DetectorSpecification
  let minimumScore: Float
  private let anchors: [Point]
  /// A logit below which no score can pass: saves the exponential for all but a few anchors.
  private let minimumLogit: Float

  init(_ specification: DetectorSpecification, minimumScore: Float) {
    self.specification = specification
    self.minimumScore = minimumScore
    anchors = specification.anchorCenters()
    let p = Double(minimumScore)
    // The margin is far above the rounding of either function.
    minimumLogit =
      p > 0 && p < 1 ? -Float(Elementary.log(1 / p - 1)) - 0.01 : (p <= 0 ? -.infinity : 0)
  }

  /// Candidates in anchor order, in fractions of the (letterboxed) tensor.
  ///
  /// - Parameters:
  ///   - regressors: ``DetectorSpecification/valuesPerAnchor`` values for each anchor, in pixels of the input:
  ///     x and y relative to the anchor, width, height, then x and y of each keypoint relative to the anchor.
  ///   - logits: One for each anchor; clamped to `-100...100` before the sigmoid.
  /// - Returns: Those whose score is at least ``minimumScore`` and whose sides are not negative.
  func decode(
    regressors: UnsafeBufferPointer<Float>, logits: UnsafeBufferPointer<Float>
  ) -> [DetectionCandidate] {
    var candidates: [DetectionCandidate] = []
    for (index, anchor) in anchors.enumerated() where logits[index] >= minimumLogit {
      let score = Elementary.sigmoid(min(max(logits[index], -100), 100))
      if !(score >= minimumScore) { continue }
      let candidate = candidate(
        regressors, at: index * specification.valuesPerAnchor, anchor: anchor, score: score)
      // Also false for NaN.
      if candidate.box.width >= 0 && candidate.box.height >= 0 { candidates.append(candidate) }
    }
    return candidates
  }

  private func candidate(
    _ r: UnsafeBufferPointer<Float>, at start: Int, anchor: Point, score: Float
  ) -> DetectionCandidate {
    let side = Float(specification.inputSide)
    let x = r[start] / side + anchor.x
    let y = r[start + 1] / side + anchor.y
    let width = r[start + 2] / side
    let height = r[start + 3] / side
    var keypoints: [Point] = []
    keypoints.reserveCapacity(specification.keypointCount)
    for k in 0..<specification.keypointCount {
      keypoints.append(
        Point(
          x: r[start + 4 + 2 * k] / side + anchor.x, y: r[start + 5 + 2 * k] / side + anchor.y))
    }
    let box = Rect(
      minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2)
    return DetectionCandidate(box: box, keypoints: keypoints, score: score)
  }
}
