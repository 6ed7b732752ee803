import FaceKitModels
import FaceKitTensor

/// The detector passes of the Vision surface's performance modes.
///
/// | mode | passes |
/// | --- | --- |
/// | fast | short range on the whole picture |
/// | accurate | the same, full range on the whole picture and on tiles if faces may be small, and both on the whole picture turned the three other ways |
extension FaceFinder {
  convenience init(
    models: VisionModels, settings: Validated<VisionSettings>, engine: EngineOptions
  ) throws(FaceKitError) {
    let isAccurate = settings.value.performanceMode == .accurate
    let fullRange = isAccurate ? models.fullRangeDetector : nil
    var detection = DetectorSettings()
    detection.minDetectionConfidence = settings.value.minConfidence
    detection.minSuppressionThreshold = LandmarkerSettings.suppressionThreshold
    // The detector that reaches farthest searches the tiles.
    let minFaceSize = isAccurate ? settings.value.smallestWidth : nil
    if fullRange == nil { detection.minFaceSize = minFaceSize }
    var detectors = [
      try DetectorPipeline(
        model: models.face.detector, settings: Validated(detection, from: settings),
        engine: engine)
    ]
    if let fullRange {
      detection.minFaceSize = minFaceSize
      detectors.append(
        try DetectorPipeline(
          model: fullRange, settings: Validated(detection, from: settings), engine: engine))
    }
    self.init(detectors, searchesAllTurns: isAccurate)
  }
}
