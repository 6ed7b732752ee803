/// How stored pixels relate to the upright picture, with the names of `UIImage.Orientation`.
///
/// `.right` means: turn the stored pixels 90° clockwise to see the picture upright.
public enum ImageOrientation: Sendable, Hashable, CaseIterable {
  case up, down, left, right
  case upMirrored, downMirrored, leftMirrored, rightMirrored

  /// The orientation an EXIF tag names (1…8); `nil` for other values.
  public init?(exif: Int) {
    switch exif {
    case 1: self = .up
    case 2: self = .upMirrored
    case 3: self = .down
    case 4: self = .downMirrored
    case 5: self = .leftMirrored
    case 6: self = .right
    case 7: self = .rightMirrored
    case 8: self = .left
    default: return nil
    }
  }

  /// Whether width and height change places between the stored and the upright picture.
  public var swapsSides: Bool {
    switch self {
    case .left, .right, .leftMirrored, .rightMirrored: true
    default: false
    }
  }

  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    default: false
    }
  }

  /// Clockwise quarter turns that bring the picture upright *after* the stored pixels were mirrored
  /// left to right, if ``isMirrored``.
  ///
  /// EXIF 5 (`leftMirrored`) is a transposition: mirror left to right, then turn 90° anticlockwise.
  /// EXIF 7 (`rightMirrored`) is the other diagonal: mirror, then turn 90° clockwise.
  var quarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }
}
