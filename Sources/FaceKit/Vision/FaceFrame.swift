/// The rectangle of a face, and which face comes first.
enum FaceFrame {
  /// How much is added on each side, as a share of the mesh's extent.
  static let margin: Float = 0.1

  /// The bounds of the mesh without irises, grown by a tenth of its size on each side, in pixels. Not clipped: a face
  /// at the border reaches past the picture.
  ///
  /// Source: on the figure of ML Kit's guide the printed rectangle is 1.200 × 1.199 times the bounds of the face's
  /// outline, evenly on all sides.
  static func around(_ mesh: [Point]) -> Rect {
    var bounds = Rect(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for point in mesh.prefix(LandmarkModelSpecification.mesh468.pointCount) {
      bounds.minX = min(bounds.minX, point.x)
      bounds.maxX = max(bounds.maxX, point.x)
      bounds.minY = min(bounds.minY, point.y)
      bounds.maxY = max(bounds.maxY, point.y)
    }
    let (dx, dy) = (bounds.width * margin, bounds.height * margin)
    return Rect(
      minX: bounds.minX - dx, minY: bounds.minY - dy, maxX: bounds.maxX + dx,
      maxY: bounds.maxY + dy)
  }

  /// About how wide that rectangle will be, as a share of the picture, from the detector's box. Measured on six crops.
  static func expectedWidth(_ candidate: DetectionCandidate) -> Float { 1.07 * candidate.box.width }

  /// Faces whose areas differ by less than this share are equally large.
  private static let tie: Float = 0.01

  /// The most prominent of some faces: the largest, of equally large ones that nearest the middle of the picture,
  /// then the leftmost. ML Kit does not say what it means by the word.
  static func mostProminent(_ frames: [Rect], imageWidth: Int, imageHeight: Int) -> Int? {
    guard !frames.isEmpty else { return nil }
    var largest: Float = 0
    for frame in frames { largest = max(largest, frame.width * frame.height) }
    var best: Int?
    var bestKey: (distance: Float, x: Float) = (.infinity, .infinity)
    for (index, frame) in frames.enumerated()
    where frame.width * frame.height >= largest * (1 - tie) {
      let dx = (frame.minX + frame.maxX - Float(imageWidth)) / 2
      let dy = (frame.minY + frame.maxY - Float(imageHeight)) / 2
      let key = (distance: dx * dx + dy * dy, x: frame.minX)
      if best == nil || key < bestKey { (best, bestKey) = (index, key) }
    }
    return best ?? 0
  }
}
