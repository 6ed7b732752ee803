/// What tells one single-shot detector of the BlazeFace family from another: the size of its input, where its
/// anchors lie, and how many keypoints it gives with each box.
///
/// A detector of something else (palms, say) is another value of this type.
struct DetectorSpecification: Sendable, Equatable {
  /// Square cells over the input, each with anchors at its centre.
  struct Grid: Sendable, Equatable {
    var cellsPerSide: Int
    var anchorsPerCell: Int
  }

  /// Width and height of the input tensor in pixels; also the unit of the regressors.
  var inputSide: Int
  var grids: [Grid]
  /// Points that come with each box.
  var keypointCount: Int

  /// Values of one anchor in the first output: x, y, width, height, then x, y of each keypoint.
  var valuesPerAnchor: Int { 4 + 2 * keypointCount }

  /// Anchors over all grids: the length of the second output, which holds their scores.
  var anchorCount: Int {
    var count = 0
    for grid in grids { count += grid.cellsPerSide * grid.cellsPerSide * grid.anchorsPerCell }
    return count
  }

  /// Elements of the two outputs.
  var outputCounts: [Int] { [anchorCount * valuesPerAnchor, anchorCount] }

  /// The tensors as an error lists them: `1×128×128×3 → 1×896×16, 1×896×1`.
  var signature: String {
    "1×\(inputSide)×\(inputSide)×3 → 1×\(anchorCount)×\(valuesPerAnchor), 1×\(anchorCount)×1"
  }

  /// The centres of the anchors in fractions of the input: row by row, equal anchors of a cell side by side.
  /// Their width and height are 1, so only centres matter.
  func anchorCenters() -> [Point] {
    var centers: [Point] = []
    centers.reserveCapacity(anchorCount)
    for grid in grids {
      let side = Float(grid.cellsPerSide)
      for y in 0..<grid.cellsPerSide {
        for x in 0..<grid.cellsPerSide {
          let center = Point(x: (Float(x) + 0.5) / side, y: (Float(y) + 0.5) / side)
          for _ in 0..<grid.anchorsPerCell { centers.append(center) }
        }
      }
    }
    return centers
  }
}

extension DetectorSpecification {
  /// BlazeFace short range: faces within about two metres of a phone's camera.
  static let faceShortRange = DetectorSpecification(
    inputSide: 128,
    grids: [Grid(cellsPerSide: 16, anchorsPerCell: 2), Grid(cellsPerSide: 8, anchorsPerCell: 6)],
    keypointCount: FaceKeypoint.count)

  /// BlazeFace full range (dense or sparse): faces within about five metres.
  static let faceFullRange = DetectorSpecification(
    inputSide: 192, grids: [Grid(cellsPerSide: 48, anchorsPerCell: 1)],
    keypointCount: FaceKeypoint.count)

  /// Both, with their names.
  static let faces: [(name: String, specification: DetectorSpecification)] = [
    ("short range", faceShortRange), ("full range", faceFullRange),
  ]
}

/// The keypoints of the face detectors, by index. Right and left are the subject's.
enum FaceKeypoint {
  static let rightEye = 0
  static let leftEye = 1
  static let noseTip = 2
  static let mouthCenter = 3
  static let rightEarTragion = 4
  static let leftEarTragion = 5
  static let count = 6
}
