// The declarations of Apple's CoreGraphics that FaceKit uses; see ../typecheck.py.

// A type of its own on Apple's systems. So it is in Foundation for Linux, where the tests use it.
public typealias CGFloat = Double

public struct CGPoint: Equatable, Sendable {
  public var x, y: CGFloat
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
}

public struct CGSize: Equatable, Sendable {
  public var width, height: CGFloat
  public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
}

public struct CGRect: Equatable, Sendable {
  public var origin: CGPoint
  public var size: CGSize
  public var minX: CGFloat { origin.x }
  public var minY: CGFloat { origin.y }
  public var width: CGFloat { size.width }
  public var height: CGFloat { size.height }
  public init(origin: CGPoint, size: CGSize) { (self.origin, self.size) = (origin, size) }
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    self.init(origin: CGPoint(x: x, y: y), size: CGSize(width: width, height: height))
  }
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.init(x: CGFloat(x), y: CGFloat(y), width: CGFloat(width), height: CGFloat(height))
  }
}

public final class CGColorSpace {}
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public enum CGImageAlphaInfo: UInt32 {
  case none, premultipliedLast, premultipliedFirst, last, first
}

public final class CGImage {
  public var width: Int { 0 }
  public var height: Int { 0 }
}

public final class CGContext {
  public init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) { return nil }
  public func draw(_ image: CGImage, in rect: CGRect) {}
}
