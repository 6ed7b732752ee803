#if canImport(Foundation) && !hasFeature(Embedded)
  public import Foundation

  extension Detection {
    /// The box in whole pixels of the picture; see ``pixelBox``.
    public var boundingBox: CGRect {
      CGRect(
        x: Double(pixelBox.originX), y: Double(pixelBox.originY), width: Double(pixelBox.width),
        height: Double(pixelBox.height))
    }
  }

  extension NormalizedKeypoint {
    /// The point, in fractions of the picture's width and height.
    public var location: CGPoint { CGPoint(x: Double(x), y: Double(y)) }
  }
#endif
