/// What is known of a face besides its landmarks.
public struct FaceTrack: Sendable, Hashable {
  /// How surely the region held a face, `0...1`.
  public var presence: Float
  /// The detector's score for this face, when it last saw it.
  public var detectionScore: Float
  /// Streams only: how well the face stayed where it was looked for, the overlap (intersection over union)
  /// of the region looked at and the one for the next frame.
  public var trackingScore: Float?
  /// Streams only: a number that stays with the face from frame to frame, counted from 1. A face that was
  /// lost and comes back gets a new one.
  public var trackID: Int?

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
  /// The expression of each face, 52 categories in the model's order; empty if not asked for.
  public var faceBlendshapes: [Classifications]
  /// The pose of each face; empty if not asked for. A face whose landmarks all lie in one place has none.
  public var facialTransformationMatrixes: [TransformMatrix]
  /// The frame's timestamp; 0 in image mode.
  public var timestampInMilliseconds: Int
  /// Scores and track of each face.
  public var faceTracks: [FaceTrack]
  /// Whether the detector ran, or all faces were followed without it.
  public var detectorRan: Bool

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
