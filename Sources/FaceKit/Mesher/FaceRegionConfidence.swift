/// A part of a face that can be hidden. Left and right are the subject's.
public enum FaceRegion: String, Sendable, Hashable, CaseIterable {
  /// The left eye with its lids.
  case leftEye
  /// The right eye with its lids.
  case rightEye
  /// The left eyebrow.
  case leftBrow
  /// The right eyebrow.
  case rightBrow
  /// The nose from half its bridge to the nostrils.
  case nose
  /// The lips and what is between them.
  case mouth

  /// The same part on the other side.
  public var mirrored: FaceRegion {
    switch self {
    case .leftEye: .rightEye
    case .rightEye: .leftEye
    case .leftBrow: .rightBrow
    case .rightBrow: .leftBrow
    case .nose, .mouth: self
    }
  }
}

/// How sure it is that each part of a face is seen: `0...1`, about the probability that nothing covers it.
///
/// The mesh itself does not tell: behind a mask or a hand it puts a likely mouth, with a likely expression. See
/// docs/vision-limits.md for how often each part is taken wrongly.
public struct FaceRegionConfidence: Sendable, Hashable {
  /// The left eye with its lids.
  public var leftEye: Float
  /// The right eye with its lids.
  public var rightEye: Float
  /// The left eyebrow.
  public var leftBrow: Float
  /// The right eyebrow.
  public var rightBrow: Float
  /// The nose from half its bridge to the nostrils.
  public var nose: Float
  /// The lips and what is between them.
  public var mouth: Float

  /// The confidence of one part.
  public subscript(region: FaceRegion) -> Float {
    get {
      switch region {
      case .leftEye: leftEye
      case .rightEye: rightEye
      case .leftBrow: leftBrow
      case .rightBrow: rightBrow
      case .nose: nose
      case .mouth: mouth
      }
    }
    set {
      switch region {
      case .leftEye: leftEye = newValue
      case .rightEye: rightEye = newValue
      case .leftBrow: leftBrow = newValue
      case .rightBrow: rightBrow = newValue
      case .nose: nose = newValue
      case .mouth: mouth = newValue
      }
    }
  }

  /// Below it a part counts as hidden.
  public static let hiddenBelow: Float = 0.3

  /// Whether a part is more likely hidden than not, by a margin: ``hiddenBelow``.
  public func isHidden(_ region: FaceRegion) -> Bool {
    self[region] < FaceRegionConfidence.hiddenBelow
  }

  /// With left and right exchanged.
  var mirrored: FaceRegionConfidence {
    var other = self
    for region in FaceRegion.allCases { other[region] = self[region.mirrored] }
    return other
  }
}
