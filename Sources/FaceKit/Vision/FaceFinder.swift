import FaceKitModels
import FaceKitTensor

/// Where the faces are: the detector passes of the performance modes.
///
/// | mode | passes |
/// | --- | --- |
/// | fast | short range on the whole picture |
/// | accurate | the same, full range on the whole picture, tiles if faces may be small, and both on the picture turned the three other ways |
final class FaceFinder {
  private let shortRange: DetectorPipeline
  private let fullRange: DetectorPipeline?
  private let isAccurate: Bool

  init(
    models: VisionModels, settings: VisionSettings, engine: EngineOptions
  ) throws(FaceKitError) {
    isAccurate = settings.performanceMode == .accurate
    let hasFullRange = isAccurate && models.fullRangeDetector != nil
    var wanted = DetectorSettings()
    wanted.minDetectionConfidence = settings.minConfidence
    wanted.minSuppressionThreshold = LandmarkerSettings.suppressionThreshold
    if isAccurate {
      wanted.tiles = FaceFinder.tiles(
        minFaceSize: Float(settings.minFaceSize), hasFullRange: hasFullRange)
    }
    shortRange = try DetectorPipeline(
      model: models.face.detector, settings: wanted, engine: engine)
    if hasFullRange, let bytes = models.fullRangeDetector {
      wanted.tiles = 1
      fullRange = try DetectorPipeline(model: bytes, settings: wanted, engine: engine)
    } else {
      fullRange = nil
    }
  }

  /// The faces a detector finds for sure, as a share of the longer side of what it looks at.
  private enum Reach {
    static let shortRange: Float = 0.11
    static let fullRange: Float = 0.05
  }

  private static let maximumTiles = 8

  /// How many tiles make the smallest wanted face large enough for the short-range detector: none where the passes over
  /// the whole picture reach that far. `n` tiles have `3 / (2n + 1)` of the longer side.
  static func tiles(minFaceSize: Float, hasFullRange: Bool) -> Int {
    let reach = hasFullRange ? Reach.fullRange : Reach.shortRange
    if minFaceSize >= reach { return 1 }
    let needed = (3 * Reach.shortRange / max(minFaceSize, 0.001) - 1) / 2
    return max(2, min(maximumTiles, Int(needed.rounded(.up))))
  }

  /// The faces of an upright picture, best score first.
  func find(in image: MPImage) throws(FaceKitError) -> [FaceCandidate] {
    var sights = try shortRange.detect(image)
    if !isAccurate { return sights }
    if let fullRange { sights += try fullRange.detect(image) }
    // Always all four ways: a face on its head is taken for an upright one now and then, with a high score, but in
    // the 168 turned photographs of the tests never with a higher one than the other way round.
    for turn in [ImageOrientation.right, .down, .left] {
      let whole = image.oriented(turn).detectionRect(nil)
      sights += try shortRange.detect(image, in: whole)
      if let fullRange { sights += try fullRange.detect(image, in: whole) }
    }
    return FaceFinder.merged(sights)
  }

  /// The best sight of each face: of boxes that mostly cover each other, the one with the best score.
  static func merged(_ sights: [FaceCandidate]) -> [FaceCandidate] {
    let order = sights.indices.sorted { a, b in
      sights[a].score != sights[b].score ? sights[a].score > sights[b].score : a < b
    }
    var kept: [FaceCandidate] = []
    for index in order {
      var isNew = true
      for other in kept where sights[index].box.coverage(other.box) > 0.5 {
        isNew = false
        break
      }
      if isNew { kept.append(sights[index]) }
    }
    return kept
  }
}
