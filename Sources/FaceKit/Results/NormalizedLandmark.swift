/// A point of the face mesh.
public struct NormalizedLandmark: Sendable, Hashable {
  /// Fraction of the picture's width, origin at the left. Not clamped: a face at the border has landmarks outside
  /// `0...1`.
  public var x: Float
  /// Fraction of the picture's height, origin at the top. Not clamped.
  public var y: Float
  /// Depth in about the scale of `x` (multiply by the picture's width for pixels). The origin is in the
  /// middle of the head; smaller is nearer to the camera.
  public var z: Float
  /// Whether the point is visible, `0...1`. The face models don't say: always `nil`.
  public var visibility: Float?
  /// Whether the point is in the picture, `0...1`. The face models don't say: always `nil`.
  public var presence: Float?
  /// The point's name. The face models have none: always `nil`.
  public var name: String?

  /// Creates a point from its parts.
  public init(
    x: Float, y: Float, z: Float, visibility: Float? = nil, presence: Float? = nil,
    name: String? = nil
  ) {
    self.x = x
    self.y = y
    self.z = z
    self.visibility = visibility
    self.presence = presence
    self.name = name
  }
}
