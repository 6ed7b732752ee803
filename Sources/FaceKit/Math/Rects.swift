import FaceKitKernels

/// A point, or a vector.
public struct Point: Sendable, Hashable {
  /// In pixels or in fractions of a picture's width, as the context says.
  public var x: Float
  /// The same, downwards.
  public var y: Float

  /// Creates a point.
  public init(x: Float, y: Float) {
    self.x = x
    self.y = y
  }
}

/// An axis-aligned box with its sides' coordinates, origin top left, y down.
public struct Rect: Sendable, Hashable {
  /// The left edge.
  public var minX: Float
  /// The top edge.
  public var minY: Float
  /// The right edge.
  public var maxX: Float
  /// The bottom edge.
  public var maxY: Float

  /// Creates a box from its edges.
  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Creates a box from its top left corner and its sides.
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  /// Right minus left edge.
  public var width: Float { maxX - minX }
  /// Bottom minus top edge.
  public var height: Float { maxY - minY }

  /// Intersection over union; 0 where they do not touch, or where the union has no area.
  public func overlap(_ other: Rect) -> Float {
    let left = max(minX, other.minX)
    let right = min(maxX, other.maxX)
    let top = max(minY, other.minY)
    let bottom = min(maxY, other.maxY)
    if right < left || bottom < top { return 0 }
    let intersection = (right - left) * (bottom - top)
    let union = width * height + other.width * other.height - intersection
    return union > 0 ? intersection / union : 0
  }
}

/// A turned rectangle in normalised coordinates: x and width are fractions of the picture's width,
/// y and height of its height. The angle is in radians, clockwise as seen on the screen.
struct NormalizedRect: Sendable, Hashable {
  var centerX: Float
  var centerY: Float
  var width: Float
  var height: Float
  var rotation: Float

  init(
    centerX: Float, centerY: Float, width: Float, height: Float, rotation: Float = 0
  ) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// The whole picture.
  static let full = NormalizedRect(centerX: 0.5, centerY: 0.5, width: 1, height: 1)

  /// The box around centre and size, ignoring the angle: what association compares.
  var unrotatedBounds: Rect {
    Rect(
      minX: centerX - width / 2, minY: centerY - height / 2, maxX: centerX + width / 2,
      maxY: centerY + height / 2)
  }

  /// The rectangle in pixels of a picture of this size.
  func inPixels(width imageWidth: Int, height imageHeight: Int) -> PixelRegion {
    PixelRegion(
      centerX: centerX * Float(imageWidth), centerY: centerY * Float(imageHeight),
      width: width * Float(imageWidth), height: height * Float(imageHeight), rotation: rotation)
  }
}

/// A turned rectangle in pixels. The angle is in radians, clockwise as seen on the screen.
struct PixelRegion: Sendable, Hashable {
  var centerX: Float
  var centerY: Float
  var width: Float
  var height: Float
  var rotation: Float

  /// Whether the region can be sampled: finite, and with an area.
  var isUsable: Bool {
    centerX.isFinite && centerY.isFinite && rotation.isFinite && width.isFinite && height.isFinite
      && width > 0 && height > 0
  }

  /// The smallest region of the tensor's aspect ratio around this one, with the same centre: what is
  /// added is the letterbox.
  func letterboxed(tensorWidth: Int, tensorHeight: Int) -> PixelRegion {
    var padded = self
    let tensorAspect = Float(tensorHeight) / Float(tensorWidth)
    if tensorAspect > height / width {
      padded.height = width * tensorAspect
    } else {
      padded.width = height / tensorAspect
    }
    return padded
  }
}

/// Angles as MediaPipe normalises them.
enum Angle {
  /// The same angle in `[−π, π)`.
  static func wrap(_ angle: Double) -> Float {
    Float(angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down))
  }

  /// The turn that gives the line from `start` to `end` (in pixels, y down) the angle `target` (radians,
  /// counter-clockwise, 0 to the right).
  static func ofLine(from start: Point, to end: Point, target: Double = 0) -> Float {
    wrap(target - Double(Elementary.atan2(-(end.y - start.y), end.x - start.x)))
  }

  /// The turn between two angles, whichever way is shorter: `0...π`.
  static func distance(_ a: Float, _ b: Float) -> Float { abs(wrap(Double(a) - Double(b))) }
}
