import FaceKitModels
import FaceKitTensor

/// The detector passes of the Vision surface's performance modes.
///
/// | mode | passes |
/// | --- | --- |
/// | fast | short range on the whole picture |
/// | accurate | the same, full range on the whole picture, tiles if faces may be small, and both on the picture turned the three other ways |
extension FaceFinder {
  convenience init(
    models: VisionModels, settings: Validated<VisionSettings>, engine: EngineOptions
  ) throws(FaceKitError) {
    let isAccurate = settings.value.performanceMode == .accurate
    let fullRange = isAccurate ? models.fullRangeDetector : nil
    var detection = DetectorSettings()
    detection.minDetectionConfidence = settings.value.minConfidence
    detection.minSuppressionThreshold = LandmarkerSettings.suppressionThreshold
    if isAccurate {
      detection.tiles = FaceFinder.tiles(
        minFaceSize: Float(settings.value.minFaceSize), hasFullRange: fullRange != nil)
    }
    var detectors = [
      try DetectorPipeline(
        model: models.face.detector, settings: Validated(detection, from: settings),
        engine: engine)
    ]
    if let fullRange {
      detection.tiles = 1
      detectors.append(
        try DetectorPipeline(
          model: fullRange, settings: Validated(detection, from: settings), engine: engine))
    }
    self.init(detectors, searchesAllTurns: isAccurate)
  }

  /// The smallest face that a detector finds reliably, as a share of the longer side of what it is shown.
  private enum Reach {
    static let shortRange: Float = 0.11
    static let fullRange: Float = 0.05
  }

  private static let maximumTiles = 8

  /// How many tiles make the smallest face asked for large enough for the short-range detector: none where
  /// the passes over the whole picture reach that far. `n` tiles have `3 / (2n + 1)` of the longer side.
  static func tiles(minFaceSize: Float, hasFullRange: Bool) -> Int {
    let reach = hasFullRange ? Reach.fullRange : Reach.shortRange
    if minFaceSize >= reach { return 1 }
    let needed = (3 * Reach.shortRange / max(minFaceSize, 0.001) - 1) / 2
    return max(2, min(maximumTiles, Int(needed.rounded(.up))))
  }
}
