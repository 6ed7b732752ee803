// The declarations of Apple's UIKit that FaceKit uses; see ../typecheck.py.

@_exported import CoreGraphics
@_exported import Foundation

open class UIImage: @unchecked Sendable {
  // Cases may be added to a C enumeration, hence a `default` in a `switch`.
  public struct Orientation: RawRepresentable, Equatable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var up: Orientation { Orientation(rawValue: 0) }
    public static var down: Orientation { Orientation(rawValue: 1) }
    public static var left: Orientation { Orientation(rawValue: 2) }
    public static var right: Orientation { Orientation(rawValue: 3) }
    public static var upMirrored: Orientation { Orientation(rawValue: 4) }
    public static var downMirrored: Orientation { Orientation(rawValue: 5) }
    public static var leftMirrored: Orientation { Orientation(rawValue: 6) }
    public static var rightMirrored: Orientation { Orientation(rawValue: 7) }
  }
  public var cgImage: CGImage? { nil }
  public var imageOrientation: Orientation { .up }
}
