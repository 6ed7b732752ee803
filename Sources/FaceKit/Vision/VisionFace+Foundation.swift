#if canImport(Foundation) && !hasFeature(Embedded)
  public import Foundation

  extension VisionFace {
    /// ``frameRect`` as ML Kit gives it.
    public var frame: CGRect {
      CGRect(
        x: Double(frameRect.minX), y: Double(frameRect.minY), width: Double(frameRect.width),
        height: Double(frameRect.height))
    }
  }

  extension VisionPoint {
    /// The point for graphics interfaces.
    public var cgPoint: CGPoint { CGPoint(x: x, y: y) }
  }
#endif
