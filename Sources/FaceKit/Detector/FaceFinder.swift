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
      // Always all four ways: a face on its head is taken for an upright one now and then, with a high score, but in
      // the 168 turned photographs of the tests never with a higher one than the other way round.
      for turn in [ImageOrientation.right, .down, .left] {
        let whole = image.oriented(turn).detectionRect(nil)
        for detector in detectors { candidates += try detector.detect(image, in: whole) }
      }
    }
    return suppressed(candidates, by: .acrossPasses)
  }
}
