/// What is left out of a face whose parts are hidden.
extension FaceRegionConfidence {
  /// The parts that count as hidden.
  var hiddenRegions: [FaceRegion] {
    var hidden: [FaceRegion] = []
    for region in FaceRegion.allCases where isHidden(region) { hidden.append(region) }
    return hidden
  }
}

extension FaceContourType {
  /// The part that a contour outlines, with the subject's sides; `nil` for the oval and cheeks.
  var region: FaceRegion? {
    switch self {
    case .leftEyebrowTop, .leftEyebrowBottom: .leftBrow
    case .rightEyebrowTop, .rightEyebrowBottom: .rightBrow
    case .leftEye: .leftEye
    case .rightEye: .rightEye
    case .upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom: .mouth
    case .noseBridge, .noseBottom: .nose
    case .all, .face, .leftCheek, .rightCheek: nil
    }
  }
}

extension FaceLandmarkType {
  /// The part that a landmark belongs to, with the subject's sides; `nil` for ears and cheeks.
  var region: FaceRegion? {
    switch self {
    case .leftEye: .leftEye
    case .rightEye: .rightEye
    case .noseBase: .nose
    case .mouthBottom, .mouthLeft, .mouthRight: .mouth
    case .leftEar, .rightEar, .leftCheek, .rightCheek: nil
    }
  }
}

extension FaceClassification {
  /// Drops the probabilities that rest on hidden parts.
  mutating func leaveOut(_ hidden: [FaceRegion]) {
    if hidden.contains(.mouth) { smiling = nil }
    if hidden.contains(.leftEye) { leftEyeOpen = nil }
    if hidden.contains(.rightEye) { rightEyeOpen = nil }
  }
}
