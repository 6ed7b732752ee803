/// Which candidates count as the same object, and what remains of a group of them.
struct SuppressionPolicy: Sendable, Hashable {
  /// How the overlap of two boxes is measured, `0...1`.
  enum Overlap: Sendable, Hashable {
    /// Intersection over union.
    case intersectionOverUnion
    /// The intersection as a share of the smaller box: also large where one box lies inside the other.
    case coverageOfSmaller
  }

  /// What stands for a group.
  enum Survivor: Sendable, Hashable {
    /// The candidate with the best score, as it is.
    case best
    /// The score-weighted mean of all boxes and keypoints, with the best score.
    case weightedMean
  }

  var overlap: Overlap
  /// Candidates that overlap the best one by strictly more than this belong to its group.
  var threshold: Float
  var survivor: Survivor

  /// The blended suppression of BlazeFace. At a threshold of 1 or above only the best candidate of all
  /// remains, as in MediaPipe.
  static func weighted(_ threshold: Float) -> SuppressionPolicy {
    SuppressionPolicy(
      overlap: .intersectionOverUnion, threshold: threshold, survivor: .weightedMean)
  }

  /// Greedy non-maximum suppression.
  static func plain(_ threshold: Float) -> SuppressionPolicy {
    SuppressionPolicy(overlap: .intersectionOverUnion, threshold: threshold, survivor: .best)
  }

  /// For results of several passes over one picture (tiles, turned pictures, two detectors), whose boxes of
  /// one face differ in size: of boxes that mostly cover each other, the best remains.
  static let acrossPasses = SuppressionPolicy(
    overlap: .coverageOfSmaller, threshold: 0.5, survivor: .best)
}

/// Reduces overlapping candidates to one for each object.
///
/// The best candidate left gathers all that overlap it by strictly more than the policy's threshold; the
/// policy says what remains of the group.
///
/// - Parameters:
///   - candidates: In any order; of equal scores the earlier one goes first.
///   - policy: What counts as the same object.
/// - Returns: One candidate for each group, best score first.
/// - Complexity: O(*n* log *n* + *n*·*k*) for *k* groups.
///
/// Source: Neubeck and Van Gool, "Efficient Non-Maximum Suppression", ICPR 2006; the weighted form:
/// Bazarevsky et al., "BlazeFace", 2019.
func suppressed(
  _ candidates: [DetectionCandidate], by policy: SuppressionPolicy
) -> [DetectionCandidate] {
  var remaining = candidates.indices.sorted { a, b in
    // Indices break ties, so that the order does not depend on the sorting algorithm.
    candidates[a].score != candidates[b].score
      ? candidates[a].score > candidates[b].score : a < b
  }
  var kept: [DetectionCandidate] = []
  while let best = remaining.first {
    var group: [Int] = []
    var rest: [Int] = []
    for index in remaining {
      let overlap =
        switch policy.overlap {
        case .intersectionOverUnion: candidates[index].box.overlap(candidates[best].box)
        case .coverageOfSmaller: candidates[index].box.coverage(candidates[best].box)
        }
      if overlap > policy.threshold { group.append(index) } else { rest.append(index) }
    }
    switch policy.survivor {
    case .best:
      kept.append(candidates[best])
      // A box without area does not even overlap itself.
      if rest.first == best { rest.removeFirst() }
    case .weightedMean:
      kept.append(weightedMean(candidates, group, best: best))
      // The same here ends the loop, as in MediaPipe: the box would come round for ever.
      if rest.count == remaining.count { return kept }
    }
    remaining = rest
  }
  return kept
}

/// The score-weighted mean of a group; the best candidate as it is for an empty one.
private func weightedMean(
  _ candidates: [DetectionCandidate], _ group: [Int], best: Int
) -> DetectionCandidate {
  var mean = candidates[best]
  if group.isEmpty { return mean }
  var total: Float = 0
  var box = Rect(minX: 0, minY: 0, maxX: 0, maxY: 0)
  var keypoints = [Point](repeating: Point(x: 0, y: 0), count: mean.keypoints.count)
  for index in group {
    let candidate = candidates[index]
    let weight = candidate.score
    total += weight
    box.minX += candidate.box.minX * weight
    box.minY += candidate.box.minY * weight
    box.maxX += candidate.box.maxX * weight
    box.maxY += candidate.box.maxY * weight
    for k in keypoints.indices {
      keypoints[k].x += candidate.keypoints[k].x * weight
      keypoints[k].y += candidate.keypoints[k].y * weight
    }
  }
  mean.box = Rect(
    minX: box.minX / total, minY: box.minY / total, maxX: box.maxX / total,
    maxY: box.maxY / total)
  for k in keypoints.indices {
    mean.keypoints[k] = Point(x: keypoints[k].x / total, y: keypoints[k].y / total)
  }
  return mean
}
