import Testing

@testable import FaceKit

@Suite("Vision: probabilities")
struct VisionClassificationTests {
  private let calibration = ClassificationCalibration()

  @Test("an eye is the less open the more it blinks, from sure to sure")
  func eyes() {
    let values = (0...100).map { calibration.eyeOpenProbability(blink: Double($0) / 100) }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 > $1 })
    #expect(values[0] > 0.99 && values[50] == 0.5 && values[70] < 0.06)
    for (blink, open) in [(0.1, 0.996), (0.3, 0.943), (0.43, 0.727), (0.6, 0.198), (0.76, 0.026)] {
      #expect(abs(calibration.eyeOpenProbability(blink: blink) - open) < 1e-3)
    }
  }

  @Test("a face smiles the more the more either corner of the mouth does")
  func smile() {
    let values = (0...100).map {
      calibration.smilingProbability(left: Double($0) / 100, right: 0.4)
    }
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    for (score, p) in [(0.0, 0.004), (0.3, 0.142), (0.45, 0.5), (0.6, 0.858), (0.9, 0.996)] {
      #expect(abs(calibration.smilingProbability(left: score, right: score) - p) < 1e-3)
    }
    #expect(
      calibration.smilingProbability(left: 0.2, right: 0.8)
        == calibration.smilingProbability(left: 0.8, right: 0.2))
  }

  private func scores(blinkLeft: Float, blinkRight: Float, smile: Float) -> [Float] {
    Blendshapes.names.map { name in
      switch name {
      case "eyeBlinkLeft": blinkLeft
      case "eyeBlinkRight": blinkRight
      case "mouthSmileLeft", "mouthSmileRight": smile
      default: 0.33
      }
    }
  }

  @Test("each probability comes from the blendshapes of its name")
  func sources() {
    let winks = FaceClassification(
      scores: scores(blinkLeft: 0.7, blinkRight: 0.1, smile: 0.9), yaw: 0,
      calibration: calibration)
    #expect(winks.leftEyeOpen! < 0.1 && winks.rightEyeOpen! > 0.9 && winks.smiling! > 0.9)
  }

  @Test("of a head turned away the far eye is not judged, and in profile nothing is")
  func turned() {
    func classify(_ yaw: Double) -> FaceClassification {
      FaceClassification(
        scores: scores(blinkLeft: 0, blinkRight: 0, smile: 0), yaw: yaw, calibration: calibration)
    }
    #expect(classify(36).leftEyeOpen != nil && classify(-36).rightEyeOpen != nil)
    #expect(classify(37).leftEyeOpen == nil && classify(37).rightEyeOpen != nil)
    #expect(classify(-37).rightEyeOpen == nil && classify(-37).leftEyeOpen != nil)
    #expect(classify(-59).smiling != nil)
    let profile = classify(61)
    #expect(
      profile.smiling == nil && profile.leftEyeOpen == nil && profile.rightEyeOpen == nil)
  }

  @Test("of a head turned away the near eye is told only if it is open")
  func nearEye() {
    func classify(_ yaw: Double) -> FaceClassification {
      FaceClassification(
        scores: scores(blinkLeft: 0.66, blinkRight: 0.66, smile: 0), yaw: yaw,
        calibration: calibration)
    }
    #expect(classify(36).rightEyeOpen! < 0.5 && classify(-36).leftEyeOpen! < 0.5)
    #expect(classify(37).rightEyeOpen == nil && classify(-37).leftEyeOpen == nil)
  }

  @Test("a calibration that would not rise is refused")
  func wrongCalibration() {
    for (slope, middle) in [(0.0, 0.5), (-3, 0.5), (.nan, 0.5), (.infinity, 0.5), (5, .nan)] {
      var settings = VisionSettings()
      settings.calibration.eyeSlope = slope
      settings.calibration.smileMiddle = middle
      #expect(throws: FaceKitError.self) { try settings.validate() }
    }
  }
}
