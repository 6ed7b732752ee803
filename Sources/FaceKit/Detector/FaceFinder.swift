/// Where the faces of a picture are: one detector pass, or several whose results are merged.
final class FaceFinder {
  let detectors: [DetectorPipeline]
  private let searchesAllTurns: Bool

  /// - Parameters:
  ///   - detectors: At least one; each searches as its settings say.
  ///   - searchesAllTurns: Whether the picture is also searched turned the three other ways, for faces that
  ///     lie on their side or stand on their head. Takes pictures of orientation `.up` only.
  init(_ detectors: [DetectorPipeline], searchesAllTurns: Bool = false) {
    self.detectors = detectors
    self.searchesAllTurns = searchesAllTurns
  }

  /// The faces of a picture, best score first, in fractions of the picture as it is read.
  func find(in image: MPImage) throws(FaceKitError) -> [DetectionCandidate] {
    var candidates: [DetectionCandidate] = []
    for detector in detectors { candidates += try detector.detect(image) }
    if detectors.count == 1 && !searchesAllTurns { return candidates }
    if searchesAllTurns {
      // Always all four ways: a face on its head is taken for an upright one now and then, with a high score.
      for turn in [ImageOrientation.right, .down, .left] {
        let whole = image.oriented(turn).detectionRect(nil)
        for detector in detectors { candidates += try detector.detect(image, in: whole) }
      }
    }
    return searchesAllTurns
      ? FaceFinder.distinctReadings(candidates, imageWidth: image.width, imageHeight: image.height)
      : suppressed(candidates, by: .acrossPasses)
  }

  /// Difference of angles from which two candidates at one place are different readings of it.
  private static let sameAngle = Float.pi / 3

  /// The best of the candidates that read one place the same way up.
  ///
  /// Candidates that take the place for faces at other angles are kept beside it, since the detector's score does not
  /// tell which is right. Their meshes do, see ``FaceConfirmation``.
  static func distinctReadings(
    _ candidates: [DetectionCandidate], imageWidth: Int, imageHeight: Int
  ) -> [DetectionCandidate] {
    let order = candidates.indices.sorted { a, b in
      candidates[a].score != candidates[b].score
        ? candidates[a].score > candidates[b].score : a < b
    }
    var kept: [(candidate: DetectionCandidate, angle: Float)] = []
    for index in order {
      let candidate = candidates[index]
      let angle = candidate.eyeAngle(imageWidth: imageWidth, imageHeight: imageHeight)
      var isNew = true
      for other in kept
      where candidate.box.coverage(other.candidate.box) > SuppressionPolicy.acrossPasses.threshold
        && Angle.distance(angle, other.angle) < sameAngle
      {
        isNew = false
        break
      }
      if isNew { kept.append((candidate, angle)) }
    }
    return kept.map { $0.candidate }
  }
}

extension DetectionCandidate {
  /// The turn that makes the line between the eyes level, in `[−π, π)`.
  func eyeAngle(imageWidth: Int, imageHeight: Int) -> Float {
    let (w, h) = (Float(imageWidth), Float(imageHeight))
    let (right, left) = (keypoints[FaceKeypoint.rightEye], keypoints[FaceKeypoint.leftEye])
    return Angle.ofLine(
      from: Point(x: right.x * w, y: right.y * h), to: Point(x: left.x * w, y: left.y * h))
  }
}
