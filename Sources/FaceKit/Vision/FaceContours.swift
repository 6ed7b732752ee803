/// The outlines of a face, as ML Kit names them. Left and right are the subject's, unless
/// ``VisionSideConvention/viewer`` is set.
public enum FaceContourType: Sendable, Hashable, CaseIterable {
  /// All others in one list of 133 points, in the order of ML Kit's documentation. See ``VisionFace/contour(ofType:)``.
  case all
  case face
  case leftEyebrowTop
  case leftEyebrowBottom
  case rightEyebrowTop
  case rightEyebrowBottom
  case leftEye
  case rightEye
  case upperLipTop
  case upperLipBottom
  case lowerLipTop
  case lowerLipBottom
  case noseBridge
  case noseBottom
  case leftCheek
  case rightCheek

  /// The constant's text.
  public var rawValue: String {
    switch self {
    case .all: "all"
    case .face: "face"
    case .leftEyebrowTop: "leftEyebrowTop"
    case .leftEyebrowBottom: "leftEyebrowBottom"
    case .rightEyebrowTop: "rightEyebrowTop"
    case .rightEyebrowBottom: "rightEyebrowBottom"
    case .leftEye: "leftEye"
    case .rightEye: "rightEye"
    case .upperLipTop: "upperLipTop"
    case .upperLipBottom: "upperLipBottom"
    case .lowerLipTop: "lowerLipTop"
    case .lowerLipBottom: "lowerLipBottom"
    case .noseBridge: "noseBridge"
    case .noseBottom: "noseBottom"
    case .leftCheek: "leftCheek"
    case .rightCheek: "rightCheek"
    }
  }

  /// The types with points of their own: all but ``all``.
  public static let separate: [FaceContourType] = [
    .face, .leftEyebrowTop, .leftEyebrowBottom, .rightEyebrowTop, .rightEyebrowBottom, .leftEye,
    .rightEye, .upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom, .noseBridge,
    .noseBottom, .leftCheek, .rightCheek,
  ]

  /// The same on the other side of the face.
  var mirrored: FaceContourType {
    switch self {
    case .leftEyebrowTop: .rightEyebrowTop
    case .leftEyebrowBottom: .rightEyebrowBottom
    case .rightEyebrowTop: .leftEyebrowTop
    case .rightEyebrowBottom: .leftEyebrowBottom
    case .leftEye: .rightEye
    case .rightEye: .leftEye
    case .leftCheek: .rightCheek
    case .rightCheek: .leftCheek
    default: self
    }
  }

  /// Whether the last point joins the first.
  public var isClosed: Bool { self == .face || self == .leftEye || self == .rightEye }

  /// The landmarks of the mesh that make up the contour, in ML Kit's count and order: closed ones clockwise as seen
  /// in the upright picture, upper lips from the image's left to its right, lower lips back, eyebrows from the temple to
  /// the nose. Left and right are the subject's.
  ///
  /// Source: fitted to the 131 points of the figure in ML Kit's guide, on that figure's own photograph.
  public var meshIndices: [Int] {
    switch self {
    case .all: ContourTable.all
    case .face: ContourTable.face
    case .leftEyebrowTop: [300, 293, 334, 296, 336]
    case .leftEyebrowBottom: [276, 283, 282, 295, 285]
    case .rightEyebrowTop: [70, 63, 105, 66, 107]
    case .rightEyebrowBottom: [46, 53, 52, 65, 55]
    // From the inner corner over the upper lid; the outer corner is the ninth.
    case .leftEye:
      [362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382]
    // From the outer corner over the upper lid; the inner corner is the ninth.
    case .rightEye: [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7]
    case .upperLipTop: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291]
    // With the inner corners of the mouth, which the lower lip leaves to it.
    case .upperLipBottom: [78, 80, 81, 82, 13, 312, 311, 310, 308]
    case .lowerLipTop: [324, 318, 402, 317, 14, 87, 178, 88, 95]
    case .lowerLipBottom: [375, 321, 405, 314, 17, 84, 181, 91, 146]
    case .noseBridge: [168, 1]
    case .noseBottom: [98, 2, 327]
    case .leftCheek: [425]
    case .rightCheek: [205]
    }
  }
}

private enum ContourTable {
  /// From the middle of the forehead; the chin is the nineteenth.
  static let face: [Int] = [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152,
    148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ]

  /// The flat list, by position in the image and not by side: what lies on the image's left comes first. The bottom of
  /// the nose has its middle first here.
  static let all: [Int] = {
    let order: [FaceContourType] = [
      .face, .rightEyebrowTop, .rightEyebrowBottom, .leftEyebrowTop, .leftEyebrowBottom, .rightEye,
      .leftEye, .upperLipBottom, .lowerLipTop, .upperLipTop, .lowerLipBottom, .noseBridge,
    ]
    var indices: [Int] = []
    for type in order { indices += type.meshIndices }
    return indices + [2, 98, 327] + FaceContourType.rightCheek.meshIndices
      + FaceContourType.leftCheek.meshIndices
  }()
}

/// One outline of a face.
public struct VisionFaceContour: Sendable, Hashable {
  /// Which outline it is.
  public let type: FaceContourType
  /// In the order that ``FaceContourType/meshIndices`` describes.
  public let points: [VisionPoint]

  init(type: FaceContourType, points: [VisionPoint]) {
    self.type = type
    self.points = points
  }
}
