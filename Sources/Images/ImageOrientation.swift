/// How stored pixels relate to the upright picture, with the names of `UIImage.Orientation`.
public enum ImageOrientation: Sendable, Hashable, CaseIterable {
  /// Stored upright (EXIF 1).
  case up
  /// Turn the stored pixels by 180° to see the picture upright (EXIF 3).
  case down
  /// Turn the stored pixels 90° anticlockwise (EXIF 8).
  case left
  /// Turn the stored pixels 90° clockwise (EXIF 6).
  case right
  /// Mirror the stored pixels left to right (EXIF 2).
  case upMirrored
  /// Mirror left to right, then turn by 180°: upside down (EXIF 4).
  case downMirrored
  /// Mirror left to right, then turn 90° anticlockwise: transposed (EXIF 5).
  case leftMirrored
  /// Mirror left to right, then turn 90° clockwise: transposed along the other diagonal (EXIF 7).
  case rightMirrored

  /// The orientation that an EXIF tag names.
  ///
  /// - Parameter exif: The tag's value, 1…8. Other values give `nil`.
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

  /// Whether the stored pixels are mirrored, before any turn.
  public var isMirrored: Bool {
    switch self {
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    default: false
    }
  }

  /// Clockwise quarter turns that bring the picture upright *after* the stored pixels were mirrored
  /// left to right, if ``isMirrored``. In 0…3.
  package var quarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }
}
