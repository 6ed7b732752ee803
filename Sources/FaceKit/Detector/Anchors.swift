/// The two published face detectors, told apart by the size of their input tensor.
public enum DetectorKind: Sendable, Hashable, CaseIterable {
  /// BlazeFace short range: 128×128, faces within about two metres of a phone's camera.
  case shortRange
  /// BlazeFace full range (dense or sparse): 192×192, faces within about five metres.
  case fullRange

  /// Width and height of the input tensor.
  public var inputSide: Int {
    switch self {
    case .shortRange: 128
    case .fullRange: 192
    }
  }

  /// Cells a side, and anchors a cell, of each grid.
  var grids: [(side: Int, anchorsPerCell: Int)] {
    switch self {
    case .shortRange: [(16, 2), (8, 6)]
    case .fullRange: [(48, 1)]
    }
  }

  /// Anchors over all grids: the length of both output tensors.
  public var anchorCount: Int {
    var count = 0
    for grid in grids { count += grid.side * grid.side * grid.anchorsPerCell }
    return count
  }

  /// The centres of the anchors, normalised; row by row, equal anchors of a cell side by side.
  /// Their width and height are 1, so only centres matter.
  func anchorCenters() -> [Point] {
    var centers: [Point] = []
    centers.reserveCapacity(anchorCount)
    for grid in grids {
      let side = Float(grid.side)
      for y in 0..<grid.side {
        for x in 0..<grid.side {
          let center = Point(x: (Float(x) + 0.5) / side, y: (Float(y) + 0.5) / side)
          for _ in 0..<grid.anchorsPerCell { centers.append(center) }
        }
      }
    }
    return centers
  }
}
