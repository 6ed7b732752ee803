/// The landmarks of a face, as ML Kit names them. Left and right are the subject's, unless
/// ``VisionSideConvention/viewer`` is set.
public enum FaceLandmarkType: Sendable, Hashable, CaseIterable {
  /// The middle of the bottom lip.
  case mouthBottom
  /// The corner of the mouth.
  case mouthRight
  case mouthLeft
  /// The middle between the tip of the ear and its lobe. Estimated: ears are no part of the mesh.
  case leftEar
  case rightEar
  /// The middle of the eye's cavity, which does not follow the gaze.
  case leftEye
  case rightEye
  /// Half way from the corner of the mouth to the outer corner of the eye.
  case leftCheek
  case rightCheek
  /// Where the nose meets the face, between the nostrils.
  case noseBase

  /// The constant's text.
  public var rawValue: String {
    switch self {
    case .mouthBottom: "mouthBottom"
    case .mouthRight: "mouthRight"
    case .mouthLeft: "mouthLeft"
    case .leftEar: "leftEar"
    case .rightEar: "rightEar"
    case .leftEye: "leftEye"
    case .rightEye: "rightEye"
    case .leftCheek: "leftCheek"
    case .rightCheek: "rightCheek"
    case .noseBase: "noseBase"
    }
  }

  /// The same on the other side of the face.
  var mirrored: FaceLandmarkType {
    switch self {
    case .mouthRight: .mouthLeft
    case .mouthLeft: .mouthRight
    case .leftEar: .rightEar
    case .rightEar: .leftEar
    case .leftEye: .rightEye
    case .rightEye: .leftEye
    case .leftCheek: .rightCheek
    case .rightCheek: .leftCheek
    case .mouthBottom, .noseBase: self
    }
  }

  /// Whether the landmark can be seen on a head turned by `headEulerAngleY` degrees, by the table of ML Kit's
  /// documentation: one turned to the image's right shows the subject's right side.
  public func isVisible(atHeadEulerAngleY y: Double) -> Bool {
    // The table for a head turned to the left is the other one's mirror image.
    if y < 0 { return mirrored.isVisible(atHeadEulerAngleY: -y) }
    if y > 36 {
      return [.rightEye, .mouthRight, .rightEar, .noseBase, .rightCheek].contains(self)
    }
    if y > 12 {
      return [
        .mouthRight, .noseBase, .mouthBottom, .rightEye, .leftEye, .rightCheek, .rightEar,
      ].contains(self)
    }
    return self != .leftEar && self != .rightEar
  }
}

/// One landmark of a face.
public struct VisionFaceLandmark: Sendable, Hashable {
  /// Which landmark it is.
  public let type: FaceLandmarkType
  /// In pixels, in the picture that ``VisionFaceDetectorOptions/coordinateSpace`` says.
  public let position: VisionPoint
  /// Whether the head's turn leaves it visible; see ``FaceLandmarkType/isVisible(atHeadEulerAngleY:)``. Whether a hand
  /// or hair covers it is not known.
  public let isVisible: Bool

  init(type: FaceLandmarkType, position: VisionPoint, isVisible: Bool) {
    self.type = type
    self.position = position
    self.isVisible = isVisible
  }
}

extension FaceLandmarkType {
  /// Where the ear is on the canonical face, in centimetres from its origin: right, up, forward, for the subject's left
  /// ear. Fitted to one portrait; take it for within 1 cm.
  private static let ear = (x: 8.0, y: -0.8, z: -3.5)

  /// The landmark's place, from the mesh in pixels and the pose fitted to it.
  ///
  /// Source: the definitions of ML Kit's documentation, put in terms of the mesh.
  func position(mesh: [Point], pose: Similarity) -> Point {
    func middle(_ a: Int, _ b: Int) -> Point {
      Point(x: (mesh[a].x + mesh[b].x) / 2, y: (mesh[a].y + mesh[b].y) / 2)
    }
    func centroid(_ contour: FaceContourType) -> Point {
      var sum = Point(x: 0, y: 0)
      let indices = contour.meshIndices
      for index in indices {
        sum.x += mesh[index].x
        sum.y += mesh[index].y
      }
      return Point(x: sum.x / Float(indices.count), y: sum.y / Float(indices.count))
    }
    let ear = FaceLandmarkType.ear
    return switch self {
    case .mouthBottom: middle(14, 17)
    case .mouthLeft: mesh[291]
    case .mouthRight: mesh[61]
    case .leftEye: centroid(.leftEye)
    case .rightEye: centroid(.rightEye)
    case .noseBase: mesh[2]
    case .leftCheek: middle(291, 263)
    case .rightCheek: middle(61, 33)
    case .leftEar: pose.projected(ear.x, ear.y, ear.z)
    case .rightEar: pose.projected(-ear.x, ear.y, ear.z)
    }
  }
}
