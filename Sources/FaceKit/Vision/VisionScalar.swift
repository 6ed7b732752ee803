// The numbers of results have the type ML Kit gives them, where there is one of that name.
#if canImport(Foundation) && !hasFeature(Embedded)
  public import Foundation

  /// Coordinates, angles and probabilities of the Vision surface.
  public typealias VisionScalar = CGFloat
#else
  /// Coordinates, angles and probabilities of the Vision surface.
  public typealias VisionScalar = Double
#endif
