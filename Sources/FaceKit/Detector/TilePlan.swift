/// Where a detector looks to find faces that are small in a large picture: levels of overlapping squares, each
/// level finer than the one before.
struct TilePlan: Sendable, Hashable {
  /// The smallest face that the detector finds reliably, as a share of the longer side of what it is shown.
  var reach: Float
  /// The same for faces that are hard to see: dark, blurred, turned away.
  var certainReach: Float { 1.6 * reach }

  /// Faces of fewer pixels are not searched for: the detector sees a smear, and a mesh of it means nothing.
  static let smallestFace: Float = 16

  /// How many tiles along the longer side bring a face within reach.
  ///
  /// `n` tiles have `3 / (2n + 1)` of the longer side each, see ``squares(_:_:count:)``.
  ///
  /// - Parameters:
  ///   - faceSide: Width of the smallest face wanted, in pixels; smaller than ``smallestFace`` counts as that.
  ///   - longerSide: Of what is searched, in pixels.
  /// - Returns: 1 if the whole is enough.
  func count(forFaceSide faceSide: Float, longerSide: Float) -> Int {
    let side = max(faceSide, TilePlan.smallestFace) / reach
    if longerSide <= side { return 1 }
    return max(2, Int(((3 * longerSide / side - 1) / 2 - 1e-3).rounded(.up)))
  }

  /// The levels that lead from the whole to the finest tiles, coarsest first; empty for a single tile.
  ///
  /// Neighbours at a level of `n` overlap by `1 / (2n + 1)` of the longer side at least. A larger face can be cut by
  /// every tile, so the next coarser level has to have it within reach: its tiles' side times ``certainReach`` is at
  /// most that overlap.
  func levels(finest: Int) -> [Int] {
    var levels: [Int] = []
    var count = finest
    while count > 1 {
      levels.insert(count, at: 0)
      let coarser = ((3 * certainReach * Float(2 * count + 1) - 1) / 2 - 1e-3).rounded(.up)
      count = min(count - 1, Int(coarser))
    }
    return levels
  }

  /// Evenly spaced squares that cover an area, neighbours overlapping by a third or more, row by row. `count` of them
  /// with steps of two thirds of a side reach `(2 · count + 1) / 3` sides along the longer edge. Where the area is
  /// narrower than a square, it is cut to the area.
  static func squares(_ width: Float, _ height: Float, count: Int) -> [Rect] {
    let side = max(width, height) * 3 / Float(2 * count + 1)
    var squares: [Rect] = []
    for y in starts(height, side) {
      for x in starts(width, side) {
        squares.append(Rect(x: x, y: y, width: min(side, width), height: min(side, height)))
      }
    }
    return squares
  }

  private static func starts(_ length: Float, _ side: Float) -> [Float] {
    if length <= side { return [0] }
    let steps = Int(((length - side) / (side * 2 / 3) - 1e-3).rounded(.up))
    var starts: [Float] = []
    for step in 0...steps { starts.append((length - side) * Float(step) / Float(steps)) }
    return starts
  }

  /// Whether a box is whole in a tile: it may leave it only where the tile ends with the area.
  ///
  /// - Parameters: All in one coordinate system.
  static func isWhole(_ box: Rect, in tile: Rect, of area: Rect) -> Bool {
    let slackX = 1e-3 * area.width
    let slackY = 1e-3 * area.height
    return (box.minX >= tile.minX || tile.minX <= area.minX + slackX)
      && (box.minY >= tile.minY || tile.minY <= area.minY + slackY)
      && (box.maxX <= tile.maxX || tile.maxX >= area.maxX - slackX)
      && (box.maxY <= tile.maxY || tile.maxY >= area.maxY - slackY)
  }
}

extension DetectorSpecification {
  /// Tiles for this detector.
  ///
  /// The reaches were measured on group pictures: the full-range model sees a face of 1/20 of what it is shown, the
  /// short-range model one of 1/9.
  var tilePlan: TilePlan {
    TilePlan(reach: self == .faceFullRange ? 0.05 : 0.11)
  }
}
