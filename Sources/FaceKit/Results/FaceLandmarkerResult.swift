/// Scores of a face, and in streams its number.
public struct FaceTrack: Sendable, Hashable {
  /// The landmark model's certainty that the region holds a face, `0...1`.
  public var presence: Float
  /// The detector's score for this face, when it last saw it.
  public var detectionScore: Float
  /// Streams only: the overlap (intersection over union, `0...1`) of the region searched in this frame and the one for
  /// the next: near 1 for a face at rest.
  public var trackingScore: Float?
  /// Streams only: a number that stays with the face from frame to frame, counted from 1. A face that was lost and
  /// reappears near the place where it would be keeps it if half a second has not passed, or no more than four
  /// frames went without it; later it gets a new one.
  public var trackID: Int?

  /// Creates a track from its parts.
  public init(
    presence: Float, detectionScore: Float, trackingScore: Float? = nil, trackID: Int? = nil
  ) {
    self.presence = presence
    self.detectionScore = detectionScore
    self.trackingScore = trackingScore
    self.trackID = trackID
  }
}

/// What the face landmarker found in one picture or frame. Lists run parallel, face by face; no face at
/// all is an empty result, not an error.
public struct FaceLandmarkerResult: Sendable, Hashable {
  /// The mesh of each face: 478 landmarks (468 with the legacy model without irises).
  public var faceLandmarks: [[NormalizedLandmark]]
  /// The expression of each face, 52 categories in the model's order; empty unless `outputFaceBlendshapes` is set.
  public var faceBlendshapes: [Classifications]
  /// The pose of each face; empty unless `outputFacialTransformationMatrixes` is set. A face whose landmarks all lie in one place has none.
  public var facialTransformationMatrixes: [TransformMatrix]
  /// The frame's timestamp; 0 in image mode.
  public var timestampInMilliseconds: Int
  /// Scores and track of each face.
  public var faceTracks: [FaceTrack]
  /// Whether the detector ran; false if all faces were tracked without it.
  public var detectorRan: Bool

  /// Creates a result from its parts, for tests and stand-ins.
  public init(
    faceLandmarks: [[NormalizedLandmark]] = [], faceBlendshapes: [Classifications] = [],
    facialTransformationMatrixes: [TransformMatrix] = [], timestampInMilliseconds: Int,
    faceTracks: [FaceTrack] = [], detectorRan: Bool = true
  ) {
    self.faceLandmarks = faceLandmarks
    self.faceBlendshapes = faceBlendshapes
    self.facialTransformationMatrixes = facialTransformationMatrixes
    self.timestampInMilliseconds = timestampInMilliseconds
    self.faceTracks = faceTracks
    self.detectorRan = detectorRan
  }
}
