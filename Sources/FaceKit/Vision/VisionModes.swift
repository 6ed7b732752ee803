/// Whether speed or finding more faces matters more. See ``VisionFaceDetectorOptions/performanceMode``.
public enum VisionFaceDetectorPerformanceMode: Int, Sendable, Hashable, CaseIterable {
  /// One detector pass over the picture, one mesh pass per face.
  case fast = 1
  /// Two detectors, tiles and turned pictures where they help, two mesh passes per face.
  case accurate = 2
}

/// Whether landmarks (eyes, ears, cheeks, nose, mouth) are returned.
public enum VisionFaceDetectorLandmarkMode: Int, Sendable, Hashable, CaseIterable {
  case none = 1
  case all = 2
}

/// Whether contours are returned.
public enum VisionFaceDetectorContourMode: Int, Sendable, Hashable, CaseIterable {
  case none = 1
  case all = 2
}

/// Whether the probabilities of smiling and of open eyes are returned.
public enum VisionFaceDetectorClassificationMode: Int, Sendable, Hashable, CaseIterable {
  case none = 1
  case all = 2
}

/// Which faces get contours, where contours are on. Not in ML Kit, which does it for one face only.
public enum VisionContourScope: Sendable, Hashable, CaseIterable {
  /// The most prominent face, as in ML Kit.
  case mostProminent
  /// Every face that is returned.
  case allFaces
}

/// Whose left and right the names of contours, landmarks and eyes mean. Not in ML Kit.
public enum VisionSideConvention: Sendable, Hashable, CaseIterable {
  /// The subject's, as ML Kit documents it, and as MediaPipe and ARKit do.
  case subject
  /// The viewer's: names as the iOS releases of ML Kit were seen to give them, with `left…` on the
  /// image's left of a picture that is not mirrored. The order of points in a contour is the same.
  case viewer
}

/// In which picture's pixels results are given. Not in ML Kit.
public enum VisionCoordinateSpace: Sendable, Hashable, CaseIterable {
  /// The picture once it stands upright, as its orientation says.
  case upright
  /// The pixels as they are stored in the buffer, as ML Kit on iOS was seen to answer.
  case input
}

/// How the rows and columns of a buffer stand to the upright picture, with EXIF's numbers.
///
/// A name says where row 0 is shown, and where column 0: `rightTop` has the first row at the right edge
/// and the first column at the top.
public enum VisionDetectorImageOrientation: UInt, Sendable, Hashable, CaseIterable {
  case topLeft = 1
  case topRight = 2
  case bottomRight = 3
  case bottomLeft = 4
  case leftTop = 5
  case rightTop = 6
  case rightBottom = 7
  case leftBottom = 8

  /// The same with the names of `UIImage.Orientation`.
  public var imageOrientation: ImageOrientation {
    switch self {
    case .topLeft: .up
    case .topRight: .upMirrored
    case .bottomRight: .down
    case .bottomLeft: .downMirrored
    case .leftTop: .leftMirrored
    case .rightTop: .right
    case .rightBottom: .rightMirrored
    case .leftBottom: .left
    }
  }

  /// From the names of `UIImage.Orientation`.
  public init(_ orientation: ImageOrientation) {
    switch orientation {
    case .up: self = .topLeft
    case .upMirrored: self = .topRight
    case .down: self = .bottomRight
    case .downMirrored: self = .bottomLeft
    case .leftMirrored: self = .leftTop
    case .right: self = .rightTop
    case .rightMirrored: self = .rightBottom
    case .left: self = .leftBottom
    }
  }

  /// Whether the upright picture is the mirror image of the buffer. Where the buffer itself is *not* mirrored
  /// (front cameras with the published table), left and right of the upright picture are then exchanged.
  public var isMirrored: Bool { imageOrientation.isMirrored }
}

/// Which camera of a device a picture is from.
public enum VisionCameraPosition: Sendable, Hashable, CaseIterable {
  case back
  case front
}

/// How a device is held, with the names of `UIDeviceOrientation`.
public enum VisionDeviceOrientation: Sendable, Hashable, CaseIterable {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight
}

extension VisionDetectorImageOrientation {
  /// The orientation of a camera's buffers, by the table of ML Kit's guide.
  ///
  /// A device that lies flat has no orientation: keep the last known one. All entries for the front camera are
  /// mirrored, so that the detector sees what a mirror would show.
  public static func forCamera(
    position: VisionCameraPosition, device: VisionDeviceOrientation
  ) -> VisionDetectorImageOrientation {
    switch (device, position) {
    case (.portrait, .back): .rightTop
    case (.portrait, .front): .leftTop
    case (.landscapeLeft, .back): .topLeft
    case (.landscapeLeft, .front): .bottomLeft
    case (.portraitUpsideDown, .back): .leftBottom
    case (.portraitUpsideDown, .front): .rightBottom
    case (.landscapeRight, .back): .bottomRight
    case (.landscapeRight, .front): .topRight
    }
  }
}
