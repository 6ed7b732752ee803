/// A face, with what the options ask for. What is off, or not known, reads as absent: a `has…` property is false, an
/// optional `nil`, a list empty.
///
/// Coordinates are in pixels of the upright picture, unless the options say ``VisionCoordinateSpace/input``. `frame` is the
/// same as ``frameRect``, as a `CGRect`.
public struct VisionFace: Sendable, Hashable {
  /// The rectangle of the face: the bounds of the mesh, grown by a tenth on each side. It is the same in every mode, and
  /// is not clipped to the picture.
  public let frameRect: Rect
  /// The mesh model's certainty that there is a face, `0...1`. Not in ML Kit.
  public let confidence: VisionScalar
  /// How the head is turned; `nil` if the options leave it out.
  public let headEulerAngles: HeadEulerAngles?
  /// All ten, or none if landmarks are off; fewer with ``VisionFaceDetectorOptions/hidesOccludedLandmarks``.
  public let landmarks: [VisionFaceLandmark]
  /// The fifteen outlines, or none if contours are off or another face has them.
  public let contours: [VisionFaceContour]
  /// The probability of a smile, `0...1`.
  public let smile: VisionScalar?
  /// The probability that the left eye is open, `0...1`.
  public let leftEyeOpen: VisionScalar?
  /// The probability that the right eye is open, `0...1`.
  public let rightEyeOpen: VisionScalar?
  /// A number that stays with the face from picture to picture, counted from 0, never given twice by one detector.
  public let trackID: Int?
  /// How sure it is that each part is seen and not covered; `nil` if it was not asked for. Not in ML Kit.
  public let regionConfidence: FaceRegionConfidence?
  /// In which convention contours and landmarks are named.
  private let sideConvention: VisionSideConvention

  init(
    frameRect: Rect, confidence: Double, headEulerAngles: HeadEulerAngles?,
    landmarks: [VisionFaceLandmark], contours: [VisionFaceContour],
    classification: FaceClassification?, trackID: Int?,
    regionConfidence: FaceRegionConfidence? = nil, sideConvention: VisionSideConvention
  ) {
    self.frameRect = frameRect
    self.confidence = VisionScalar(confidence)
    self.headEulerAngles = headEulerAngles
    self.landmarks = landmarks
    self.contours = contours
    smile = classification?.smiling.map { VisionScalar($0) }
    let left = classification?.leftEyeOpen.map { VisionScalar($0) }
    let right = classification?.rightEyeOpen.map { VisionScalar($0) }
    (leftEyeOpen, rightEyeOpen) = sideConvention == .viewer ? (right, left) : (left, right)
    self.trackID = trackID
    self.regionConfidence =
      sideConvention == .viewer ? regionConfidence?.mirrored : regionConfidence
    self.sideConvention = sideConvention
  }

  /// The landmark of a type; `nil` if landmarks are off, or this one is hidden and hidden ones are left out.
  public func landmark(ofType type: FaceLandmarkType) -> VisionFaceLandmark? {
    for landmark in landmarks where landmark.type == type { return landmark }
    return nil
  }

  /// The contour of a type; `nil` if contours are off, or went to another face.
  ///
  /// For ``FaceContourType/all`` the points of the others in one list of 133: oval, the image's left eyebrow (top,
  /// bottom), its right one, the image's left eye, its right one, upper lip's bottom, lower lip's top, upper lip's top, lower
  /// lip's bottom, bridge of the nose, bottom of the nose (middle, left, right), left cheek, right cheek.
  public func contour(ofType type: FaceContourType) -> VisionFaceContour? {
    if type == .all { return allContours }
    for contour in contours where contour.type == type { return contour }
    return nil
  }

  private var allContours: VisionFaceContour? {
    if contours.isEmpty { return nil }
    var points: [VisionPoint] = []
    let order: [FaceContourType] = [
      .face, .rightEyebrowTop, .rightEyebrowBottom, .leftEyebrowTop, .leftEyebrowBottom, .rightEye,
      .leftEye, .upperLipBottom, .lowerLipTop, .upperLipTop, .lowerLipBottom, .noseBridge,
      .noseBottom, .rightCheek, .leftCheek,
    ]
    for type in order {
      // The list goes by place in the image, so names of the viewer's convention are turned back.
      let name = sideConvention == .viewer ? type.mirrored : type
      guard var part = contour(ofType: name)?.points else { return nil }
      if type == .noseBottom { part = [part[1], part[0], part[2]] }
      points += part
    }
    return VisionFaceContour(type: .all, points: points)
  }
}

// MARK: ML Kit's pairs of flag and value

extension VisionFace {
  /// Whether ``headEulerAngleX`` is there.
  public var hasHeadEulerAngleX: Bool { headEulerAngles != nil }
  /// Degrees, positive if the face looks up; 0 if absent.
  public var headEulerAngleX: VisionScalar { VisionScalar(headEulerAngles?.x ?? 0) }

  /// Whether ``headEulerAngleY`` is there.
  public var hasHeadEulerAngleY: Bool { headEulerAngles != nil }
  /// Degrees, positive if the face looks to the right of the image; 0 if absent.
  public var headEulerAngleY: VisionScalar { VisionScalar(headEulerAngles?.y ?? 0) }

  /// Whether ``headEulerAngleZ`` is there.
  public var hasHeadEulerAngleZ: Bool { headEulerAngles != nil }
  /// Degrees, positive if the head is turned counter-clockwise as the viewer sees it; 0 if absent.
  public var headEulerAngleZ: VisionScalar { VisionScalar(headEulerAngles?.z ?? 0) }

  /// Whether ``smilingProbability`` is there.
  public var hasSmilingProbability: Bool { smile != nil }
  /// `0...1`; −1 if absent.
  public var smilingProbability: VisionScalar { smile ?? -1 }

  /// Whether ``leftEyeOpenProbability`` is there.
  public var hasLeftEyeOpenProbability: Bool { leftEyeOpen != nil }
  /// `0...1`; −1 if absent.
  public var leftEyeOpenProbability: VisionScalar { leftEyeOpen ?? -1 }

  /// Whether ``rightEyeOpenProbability`` is there.
  public var hasRightEyeOpenProbability: Bool { rightEyeOpen != nil }
  /// `0...1`; −1 if absent.
  public var rightEyeOpenProbability: VisionScalar { rightEyeOpen ?? -1 }

  /// Whether ``trackingID`` is there.
  public var hasTrackingID: Bool { trackID != nil }
  /// See ``trackID``; 0 if absent.
  public var trackingID: Int { trackID ?? 0 }
}
