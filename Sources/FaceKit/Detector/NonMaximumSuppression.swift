/// Merges overlapping candidates: the blended suppression of BlazeFace.
///
/// The best candidate left gathers all that overlap it by strictly more than `threshold`; their
/// score-weighted mean becomes the face's box and keypoints, with the best candidate's own score.
///
/// - Parameters:
///   - candidates: In any order; of equal scores the earlier one goes first.
///   - threshold: Intersection over union. At 1 or above, the best candidate alone is returned.
/// - Returns: Faces, best score first.
func weightedNonMaximumSuppression(
  _ candidates: [FaceCandidate], threshold: Float
) -> [FaceCandidate] {
  var remaining = candidates.indices.sorted { a, b in
    // Indices break ties, so that the order does not depend on the sorting algorithm.
    candidates[a].score != candidates[b].score
      ? candidates[a].score > candidates[b].score : a < b
  }
  var faces: [FaceCandidate] = []
  while let best = remaining.first {
    var cluster: [Int] = []
    var rest: [Int] = []
    for index in remaining {
      if candidates[index].box.overlap(candidates[best].box) > threshold {
        cluster.append(index)
      } else {
        rest.append(index)
      }
    }
    faces.append(blend(candidates, cluster, best: best))
    // A box that does not even overlap itself (no area) would come round for ever.
    if rest.count == remaining.count { break }
    remaining = rest
  }
  return faces
}

/// The score-weighted mean of a cluster; the best candidate as it is for an empty one.
private func blend(_ candidates: [FaceCandidate], _ cluster: [Int], best: Int) -> FaceCandidate {
  var face = candidates[best]
  if cluster.isEmpty { return face }
  var total: Float = 0
  var box = Rect(minX: 0, minY: 0, maxX: 0, maxY: 0)
  var keypoints = [Point](repeating: Point(x: 0, y: 0), count: face.keypoints.count)
  for index in cluster {
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
  face.box = Rect(
    minX: box.minX / total, minY: box.minY / total, maxX: box.maxX / total,
    maxY: box.maxY / total)
  for k in keypoints.indices {
    face.keypoints[k] = Point(x: keypoints[k].x / total, y: keypoints[k].y / total)
  }
  return face
}
