import Testing

@testable import FaceKit

@Suite("Hidden regions")
struct HiddenRegionTests {
  private func evidence(rise: Float = -2, scatter: Float = -4, contrast: Float = 0)
    -> RegionEvidence
  {
    RegionEvidence(
      presenceRise: rise, mirroredRise: rise, scatter: scatter, contrast: contrast, detail: -1,
      brightness: 0, presence: 20)
  }

  @Test("what speaks for the face when seen is seen", arguments: FaceRegion.allCases)
  func direction(_ region: FaceRegion) {
    let seen = RegionVisibility.confidence(region, evidence())
    #expect(seen > 0.5 && seen < 1)
    #expect(
      RegionVisibility.confidence(region, evidence(rise: 2)) < seen, "covering it helps the face")
    #expect(
      RegionVisibility.confidence(region, evidence(scatter: -2)) < seen, "its points are guessed")
    #expect(RegionVisibility.confidence(region, evidence(contrast: -2)) < seen, "it is flat")
    #expect(
      RegionVisibility.confidence(region, evidence(rise: 3, scatter: -2, contrast: -1.5)) < 0.3)
  }

  @Test("sides mirror together: names, contours, landmarks, confidences")
  func sides() {
    for type in FaceContourType.separate { #expect(type.mirrored.region == type.region?.mirrored) }
    for type in FaceLandmarkType.allCases { #expect(type.mirrored.region == type.region?.mirrored) }
    let outlined = Set(FaceContourType.separate.compactMap(\.region))
    #expect(outlined == Set(FaceRegion.allCases))
    let sides = FaceRegionConfidence(
      leftEye: 0.1, rightEye: 0.2, leftBrow: 0.3, rightBrow: 0.4, nose: 0.5, mouth: 0.6)
    #expect(
      sides.mirrored.leftEye == 0.2 && sides.mirrored.rightBrow == 0.3 && sides.mirrored.nose == 0.5
    )
    #expect(sides.hiddenRegions == [.leftEye, .rightEye])
  }

  @Test("a hidden part takes its own probability along, and no other")
  func probabilities() {
    func left(_ hidden: [FaceRegion]) -> [Bool] {
      var face = FaceClassification(
        scores: [Float](repeating: 0, count: Blendshapes.names.count), yaw: 0,
        calibration: ClassificationCalibration())
      face.leaveOut(hidden)
      return [face.smiling != nil, face.leftEyeOpen != nil, face.rightEyeOpen != nil]
    }
    #expect(left([]) == [true, true, true])
    #expect(left([.mouth]) == [false, true, true])
    #expect(left([.leftEye]) == [true, false, true])
    #expect(left([.rightEye, .nose]) == [true, true, false])
    #expect(left([.nose, .leftBrow, .rightBrow]) == [true, true, true])
  }
}
