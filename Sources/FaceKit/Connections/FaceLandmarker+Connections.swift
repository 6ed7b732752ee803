#if canImport(Dispatch) && !hasFeature(Embedded)
  /// MediaPipe's names for ``FaceLandmarkConnections``.
  extension FaceLandmarker {
    /// See ``FaceLandmarkConnections/lips``.
    public static func lipsConnections() -> [Connection] { FaceLandmarkConnections.lips }

    /// See ``FaceLandmarkConnections/leftEye``.
    public static func leftEyeConnections() -> [Connection] { FaceLandmarkConnections.leftEye }

    /// See ``FaceLandmarkConnections/leftEyebrow``.
    public static func leftEyebrowConnections() -> [Connection] {
      FaceLandmarkConnections.leftEyebrow
    }

    /// See ``FaceLandmarkConnections/leftIris``.
    public static func leftIrisConnections() -> [Connection] { FaceLandmarkConnections.leftIris }

    /// See ``FaceLandmarkConnections/rightEye``.
    public static func rightEyeConnections() -> [Connection] { FaceLandmarkConnections.rightEye }

    /// See ``FaceLandmarkConnections/rightEyebrow``.
    public static func rightEyebrowConnections() -> [Connection] {
      FaceLandmarkConnections.rightEyebrow
    }

    /// The right iris. (MediaPipe's function of this name returns the left one.)
    public static func rightIrisConnections() -> [Connection] { FaceLandmarkConnections.rightIris }

    /// See ``FaceLandmarkConnections/faceOval``.
    public static func faceOvalConnections() -> [Connection] { FaceLandmarkConnections.faceOval }

    /// See ``FaceLandmarkConnections/contours``.
    public static func contoursConnections() -> [Connection] { FaceLandmarkConnections.contours }

    /// See ``FaceLandmarkConnections/tesselation``.
    public static func tesselationConnections() -> [Connection] {
      FaceLandmarkConnections.tesselation
    }

    /// Contours and tesselation.
    public static func faceConnections() -> [Connection] {
      FaceLandmarkConnections.contours + FaceLandmarkConnections.tesselation
    }
  }
#endif
