#if canImport(Dispatch) && !hasFeature(Embedded)
  /// MediaPipe's names for ``FaceLandmarkConnections``.
  extension FaceLandmarker {
    public static func lipsConnections() -> [Connection] { FaceLandmarkConnections.lips }

    public static func leftEyeConnections() -> [Connection] { FaceLandmarkConnections.leftEye }

    public static func leftEyebrowConnections() -> [Connection] {
      FaceLandmarkConnections.leftEyebrow
    }

    public static func leftIrisConnections() -> [Connection] { FaceLandmarkConnections.leftIris }

    public static func rightEyeConnections() -> [Connection] { FaceLandmarkConnections.rightEye }

    public static func rightEyebrowConnections() -> [Connection] {
      FaceLandmarkConnections.rightEyebrow
    }

    /// The right iris. (MediaPipe's function of this name returns the left one.)
    public static func rightIrisConnections() -> [Connection] { FaceLandmarkConnections.rightIris }

    public static func faceOvalConnections() -> [Connection] { FaceLandmarkConnections.faceOval }

    public static func contoursConnections() -> [Connection] { FaceLandmarkConnections.contours }

    public static func tesselationConnections() -> [Connection] {
      FaceLandmarkConnections.tesselation
    }

    /// Contours and tesselation.
    public static func faceConnections() -> [Connection] {
      FaceLandmarkConnections.contours + FaceLandmarkConnections.tesselation
    }
  }
#endif
