import FaceKitKernels

/// The head's pose: a similarity that takes the canonical face to where the landmarks are seen.
///
/// The camera has a vertical field of view of 63°, looks along −z and sits at the origin; x is to the
/// right, y up, units are centimetres.
struct FaceGeometry: Sendable {
  /// `2 · near · tan(63°/2)` with the near plane at 1.
  private static let nearHeight = 2 * Elementary.tan(0.5 * 63 * Double.pi / 180)
  private static let near = 1.0
  /// Landmarks that all lie within this distance of their mean (in fractions of the picture) have no pose.
  private static let minimumExtent: Float = 1e-3

  private let solver: ProcrustesSolver
  private let pointCount: Int

  init(_ metadata: GeometryMetadata) {
    solver = ProcrustesSolver(points: metadata.positions, weights: metadata.weights)
    pointCount = metadata.vertexCount
  }

  /// The pose of one face; `nil` for landmarks that all lie in one place.
  ///
  /// Only the canonical face's 468 points count; irises are ignored.
  func transform(
    of landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) throws(FaceKitError) -> TransformMatrix? {
    guard landmarks.count >= pointCount else { throw .pose("\(landmarks.count) landmarks") }
    if !isExtended(landmarks) { return nil }
    let screen = screenPoints(landmarks, imageWidth: imageWidth, imageHeight: imageHeight)
    // Two estimates of the scale: as seen, then with the perspective undone at the first estimate.
    let first = try solver.solve(target: screen.facingViewer()).firstColumnNorm
    let second = try solver.solve(target: screen.unprojected(scale: first)).firstColumnNorm
    let pose = try solver.solve(target: screen.unprojected(scale: first * second))
    return TransformMatrix(pose)
  }

  private func isExtended(_ landmarks: [NormalizedLandmark]) -> Bool {
    var mean = Point(x: 0, y: 0)
    for landmark in landmarks.prefix(pointCount) {
      mean.x += landmark.x
      mean.y += landmark.y
    }
    mean.x /= Float(pointCount)
    mean.y /= Float(pointCount)
    var farthest: Float = 0
    for landmark in landmarks.prefix(pointCount) {
      let (dx, dy) = (landmark.x - mean.x, landmark.y - mean.y)
      farthest = max(farthest, (dx * dx + dy * dy).squareRoot())
    }
    return farthest > FaceGeometry.minimumExtent
  }

  /// Points on the near plane, depth in the same units.
  private struct ScreenPoints {
    var points: [Double]
    var meanDepth: Double

    /// With z turned towards the viewer.
    func facingViewer() -> [Double] {
      var result = points
      for i in stride(from: 2, to: result.count, by: 3) { result[i] = -result[i] }
      return result
    }

    /// Points in space, if the face is `scale` times as large as it is in centimetres.
    func unprojected(scale: Double) -> [Double] {
      var result = points
      for i in stride(from: 0, to: points.count, by: 3) {
        let z = (points[i + 2] - meanDepth + near) / scale
        result[i] = points[i] * z / near
        result[i + 1] = points[i + 1] * z / near
        result[i + 2] = -z
      }
      return result
    }
  }

  private func screenPoints(
    _ landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) -> ScreenPoints {
    let height = FaceGeometry.nearHeight
    let width = Double(imageWidth) * height / Double(imageHeight)
    var points: [Double] = []
    points.reserveCapacity(3 * pointCount)
    var depth = 0.0
    for landmark in landmarks.prefix(pointCount) {
      points.append(Double(landmark.x) * width - width / 2)
      points.append((1 - Double(landmark.y)) * height - height / 2)
      let z = Double(landmark.z) * width
      points.append(z)
      depth += z
    }
    return ScreenPoints(points: points, meanDepth: depth / Double(pointCount))
  }
}
