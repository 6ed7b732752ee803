/// Tells how a head is turned: the weak-perspective fit of the canonical face to the mesh.
///
/// With canonical points `P`, weights `w`, and `Q = (x·W, −y·H, −z·W)` the landmarks in pixels of a picture of
/// `W` × `H`, it finds `s`, `R`, `t` of the least `Σ w·|s·R·P + t − Q|²`.
///
/// The facial transformation matrix isn't used: it assumes a camera of 63°, so that the same face reads up to 8°
/// differently at the border of the picture. This fit has no camera, and moves by 0.2°.
struct HeadPoseSolver: Sendable {
  private let solver: ProcrustesSolver
  /// The landmarks that carry weight.
  private let indices: [Int]

  init(_ metadata: GeometryMetadata) {
    var positions: [Float] = []
    var weights: [Float] = []
    var indices: [Int] = []
    for (index, weight) in metadata.weights.enumerated() where weight > 0 {
      indices.append(index)
      weights.append(weight)
      positions += metadata.positions[3 * index..<3 * index + 3]
    }
    self.indices = indices
    solver = ProcrustesSolver(points: positions, weights: weights)
  }

  /// The pose in pixels with y up; `nil` for landmarks that have no extent.
  func pose(
    of landmarks: [NormalizedLandmark], imageWidth: Int, imageHeight: Int
  ) -> Similarity? {
    let (width, height) = (Double(imageWidth), Double(imageHeight))
    var target: [Double] = []
    target.reserveCapacity(3 * indices.count)
    for index in indices {
      guard index < landmarks.count else { return nil }
      let landmark = landmarks[index]
      target.append(Double(landmark.x) * width)
      target.append(-Double(landmark.y) * height)
      target.append(-Double(landmark.z) * width)
    }
    do throws(FaceKitError) {
      return try solver.solve(target: target)
    } catch {
      return nil
    }
  }
}

extension Similarity {
  /// Where a point of the canonical face (centimetres) is seen, in pixels with y down.
  func projected(_ x: Double, _ y: Double, _ z: Double) -> Point {
    func row(_ r: Int) -> Double {
      scale * (rotation[r, 0] * x + rotation[r, 1] * y + rotation[r, 2] * z) + translation[r]
    }
    return Point(x: Float(row(0)), y: Float(-row(1)))
  }
}
