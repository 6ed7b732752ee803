/// Detection in overlapping squares, for faces too small to be seen in the whole picture at once.
extension DetectorPipeline {
  /// Searches the whole picture and every tile, and keeps the best candidate of each face.
  func detectTiled(_ image: MPImage) throws(FaceKitError) -> [DetectionCandidate] {
    var candidates = try detect(image, in: image.detectionRect(settings.regionOfInterest))
    for tile in tileRects(image) {
      for face in try detect(image, in: image.detectionRect(tile))
      where isWhole(face, in: tile, image) {
        candidates.append(face)
      }
    }
    return suppressed(candidates, by: .acrossPasses)
  }

  /// Squares over the region of interest, neighbours overlapping by at least a third, so that a face of
  /// up to that size is whole in one of them. In stored coordinates, row by row.
  func tileRects(_ image: MPImage) -> [Rect] {
    let area = settings.regionOfInterest ?? Rect(minX: 0, minY: 0, maxX: 1, maxY: 1)
    let (w, h) = (Float(image.width), Float(image.height))
    let (areaWidth, areaHeight) = (area.width * w, area.height * h)
    // n tiles with steps of two thirds of a tile reach (2n + 1)/3 tiles.
    let side = max(areaWidth, areaHeight) * 3 / Float(2 * settings.tiles + 1)
    var tiles: [Rect] = []
    for y in starts(areaHeight, side) {
      for x in starts(areaWidth, side) {
        tiles.append(
          Rect(
            x: area.minX + x / w, y: area.minY + y / h, width: min(side, areaWidth) / w,
            height: min(side, areaHeight) / h))
      }
    }
    return tiles
  }

  /// Evenly spaced starts that cover `length` with tiles of `side`.
  private func starts(_ length: Float, _ side: Float) -> [Float] {
    if length <= side { return [0] }
    let steps = Int(((length - side) / (side * 2 / 3) - 1e-3).rounded(.up))
    var starts: [Float] = []
    for step in 0...steps { starts.append((length - side) * Float(step) / Float(steps)) }
    return starts
  }

  /// Whether a face lies well inside its tile, except where the tile ends with the picture.
  private func isWhole(_ face: DetectionCandidate, in tile: Rect, _ image: MPImage) -> Bool {
    let box = face.mirrored(image.orientation.isMirrored).box
    let edge: Float = 1e-3
    return (box.minX >= tile.minX || tile.minX <= edge)
      && (box.minY >= tile.minY || tile.minY <= edge)
      && (box.maxX <= tile.maxX || tile.maxX >= 1 - edge)
      && (box.maxY <= tile.maxY || tile.maxY >= 1 - edge)
  }
}

extension Rect {
  /// The intersection as a share of the smaller box.
  func coverage(_ other: Rect) -> Float {
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    let smaller = min(self.width * self.height, other.width * other.height)
    return width > 0 && height > 0 && smaller > 0 ? width * height / smaller : 0
  }
}
