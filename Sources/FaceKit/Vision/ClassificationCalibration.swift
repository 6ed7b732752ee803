import FaceKitKernels

/// How blendshape scores become probabilities: logistic curves.
///
/// ```
/// σ(t) = 1 / (1 + e⁻ᵗ)
/// open(blink)  = 1 − σ(eyeSlope · (blink − eyeMiddle))
/// smiling(a,b) =     σ(smileSlope · ((a + b) / 2 − smileMiddle))
/// ```
///
/// The constants are an engineering calibration, not a measured accuracy. Moving the lids of real meshes, a fully closed
/// eye scores 0.63…0.76 for `eyeBlink…` and a naturally narrowed open one up to 0.43; moving the lips, a smile
/// fades from 0.9 to nothing over a quarter to three quarters of the way. Refit them where you have labelled pictures.
public struct ClassificationCalibration: Sendable, Hashable {
  /// The `eyeBlink…` score of an eye that is as likely open as closed.
  public var eyeMiddle = 0.5
  /// How sharply it tips; positive.
  public var eyeSlope = 14.0
  /// The mean `mouthSmile…` score of a face that is as likely smiling as not.
  public var smileMiddle = 0.45
  /// How sharply it tips; positive.
  public var smileSlope = 12.0

  /// The published calibration.
  public init() {}

  /// The probability that an eye is open, `0...1`, from its `eyeBlink…` score. Strictly falling.
  public func eyeOpenProbability(blink: Double) -> Double {
    1 - Elementary.sigmoid(eyeSlope * (blink - eyeMiddle))
  }

  /// The probability of a smile, `0...1`, from the scores of both corners of the mouth. Strictly rising in each.
  public func smilingProbability(left: Double, right: Double) -> Double {
    Elementary.sigmoid(smileSlope * ((left + right) / 2 - smileMiddle))
  }

  /// - Throws: ``FaceKitError`` `invalidArgument` for a slope that is not positive, or a number that is none.
  func validate() throws(FaceKitError) {
    for slope in [eyeSlope, smileSlope] where !(slope > 0 && slope.isFinite) {
      throw .invalid(
        "slope \(slope)", at: "calibration", advice: "give a positive number: curves must rise")
    }
    for middle in [eyeMiddle, smileMiddle] where !middle.isFinite {
      throw .invalid("middle \(middle)", at: "calibration", advice: "give a score, 0...1")
    }
  }
}

/// Probabilities from a face's expression; `nil` where the head is turned too far.
struct FaceClassification: Sendable, Hashable {
  var smiling: Double?
  var leftEyeOpen: Double?
  var rightEyeOpen: Double?

  /// Beyond it nothing is said of a face, in degrees to either side.
  static let yawLimit = 60.0
  /// Beyond it nothing is said of the eye that is turned away.
  static let farEyeLimit = 36.0

  /// The near eye of a head turned that far: what looks closed there is most often the rim of glasses, so that only an
  /// open eye is told.
  private static func believed(_ open: Double, yaw: Double) -> Double? {
    abs(yaw) > farEyeLimit && open < 0.5 ? nil : open
  }

  /// From 52 blendshape scores in the model's order, and `headEulerAngleY` in degrees, which is positive where the
  /// subject's right side shows.
  init(scores: [Float], yaw: Double, calibration: ClassificationCalibration) {
    guard scores.count == Blendshapes.names.count, abs(yaw) <= FaceClassification.yawLimit else {
      return
    }
    smiling = calibration.smilingProbability(
      left: Double(scores[Index.mouthSmileLeft]), right: Double(scores[Index.mouthSmileRight]))
    if yaw <= FaceClassification.farEyeLimit {
      leftEyeOpen = FaceClassification.believed(
        calibration.eyeOpenProbability(blink: Double(scores[Index.eyeBlinkLeft])), yaw: yaw)
    }
    if yaw >= -FaceClassification.farEyeLimit {
      rightEyeOpen = FaceClassification.believed(
        calibration.eyeOpenProbability(blink: Double(scores[Index.eyeBlinkRight])), yaw: yaw)
    }
  }

  /// Places in ``Blendshapes/names``.
  enum Index {
    static let eyeBlinkLeft = 9
    static let eyeBlinkRight = 10
    static let mouthSmileLeft = 44
    static let mouthSmileRight = 45
  }
}
