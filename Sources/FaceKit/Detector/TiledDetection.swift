/// Detection in overlapping squares, for faces too small to be seen in the whole picture at once.
extension DetectorPipeline {
  /// How many tiles the finest level has along the longer side of a picture.
  func finestTiles(_ image: MPImage) -> Int {
    guard let minFaceSize = settings.minFaceSize else { return settings.tiles }
    let area = searchedArea
    return specification.tilePlan.count(
      forFaceSide: minFaceSize * Float(image.uprightWidth),
      longerSide: max(area.width * Float(image.width), area.height * Float(image.height)))
  }

  /// Searches the whole picture and every tile of every level, and keeps the best candidate of each face.
  func detectTiled(_ image: MPImage, finest: Int) throws(FaceKitError) -> [DetectionCandidate] {
    var candidates = try detect(image, in: image.detectionRect(settings.regionOfInterest))
    for count in specification.tilePlan.levels(finest: finest) {
      for tile in tileRects(image, count: count) {
        for face in try detect(image, in: image.detectionRect(tile)) {
          let box = face.mirrored(image.orientation.isMirrored).box
          if TilePlan.isWhole(box, in: tile, of: searchedArea) { candidates.append(face) }
        }
      }
    }
    return suppressed(candidates, by: .acrossPasses)
  }

  private var searchedArea: Rect {
    settings.regionOfInterest ?? Rect(minX: 0, minY: 0, maxX: 1, maxY: 1)
  }

  /// One level's tiles over the region of interest. In fractions of the stored picture, row by row.
  func tileRects(_ image: MPImage, count: Int) -> [Rect] {
    let area = searchedArea
    let (w, h) = (Float(image.width), Float(image.height))
    var tiles: [Rect] = []
    for square in TilePlan.squares(area.width * w, area.height * h, count: count) {
      tiles.append(
        Rect(
          x: area.minX + square.minX / w, y: area.minY + square.minY / h, width: square.width / w,
          height: square.height / h))
    }
    return tiles
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
