import FaceKitKernels

/// How the evidence becomes a confidence: logistic curves.
///
/// Fitted by Benchmarks/occlusion/fit.py on portraits whose parts were painted over in six ways, hidden and seen parts
/// weighing the same.
enum RegionVisibility {
  /// Weights of ``RegionEvidence/values`` and what is added: together the logit of being hidden.
  private struct Curve {
    var weights: [Float]
    var bias: Float
  }

  private static func curve(_ region: FaceRegion) -> Curve {
    switch region {
    case .leftEye, .rightEye:
      Curve(weights: [1.424, 0.549, 1.059, -2.643, 1.082, 0.076, 0.093], bias: 3.897)
    case .leftBrow, .rightBrow:
      Curve(weights: [1.046, 0.779, 1.027, -3.828, 1.219, -0.767, 0.188], bias: 1.809)
    case .nose:
      Curve(weights: [1.34, 0, 1.368, -3.393, 1.499, -1.512, 0.017], bias: 6.065)
    case .mouth:
      Curve(weights: [1.068, 0, 3.345, -2.19, 0.259, -1.454, 0.019], bias: 11.84)
    }
  }

  /// The confidence that a part is seen, `0...1`.
  static func confidence(_ region: FaceRegion, _ evidence: RegionEvidence) -> Float {
    let curve = curve(region)
    var logit = curve.bias
    for (weight, value) in zip(curve.weights, evidence.values) { logit += weight * value }
    return Elementary.sigmoid(-logit)
  }
}

extension FaceMesher {
  /// How sure it is that each part of a face is seen; `nil` for a landmark model other than the bundle's, or a face
  /// that can't be looked at. Costs some seventeen runs of the landmark model.
  func regionConfidence(
    of face: MeshedFace, in image: MPImage
  ) throws(FaceKitError) -> FaceRegionConfidence? {
    guard landmarkModel.specification == .mesh478,
      let probe = try OcclusionProbe(
        landmarkModel, image, in: nextRegion(of: face.landmarks, in: image))
    else { return nil }
    var confidence = FaceRegionConfidence(
      leftEye: 1, rightEye: 1, leftBrow: 1, rightBrow: 1, nose: 1, mouth: 1)
    for region in FaceRegion.allCases {
      confidence[region] = RegionVisibility.confidence(region, try probe.evidence(region))
    }
    return confidence
  }
}
