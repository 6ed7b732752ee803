/// A face of the Vision surface on its way to the result: its mesh and its rectangle.
struct FramedFace: Sendable {
  var mesh: MeshedFace
  /// In pixels of the upright picture.
  private(set) var frame: Rect

  /// - Parameters:
  ///   - mesh: Its landmarks.
  ///   - image: The upright picture.
  init(_ mesh: MeshedFace, in image: MPImage) {
    self.mesh = mesh
    frame = FaceFrame.around(mesh.points(width: image.width, height: image.height))
  }
}

extension MeshedFace {
  /// The landmarks in pixels of a picture of this size.
  func points(width imageWidth: Int, height imageHeight: Int) -> [Point] {
    let (width, height) = (Float(imageWidth), Float(imageHeight))
    var points: [Point] = []
    points.reserveCapacity(landmarks.count)
    for landmark in landmarks {
      points.append(Point(x: landmark.x * width, y: landmark.y * height))
    }
    return points
  }
}

extension [FramedFace] {
  /// The most prominent face first, the others by size.
  func sortedByProminence(in image: MPImage) -> [FramedFace] {
    var frames: [Rect] = []
    for face in self { frames.append(face.frame) }
    guard
      let first = FaceFrame.mostProminent(
        frames, imageWidth: image.width, imageHeight: image.height)
    else { return [] }
    func area(_ index: Int) -> Float { frames[index].width * frames[index].height }
    let order = indices.sorted { a, b in
      if a == first || b == first { return a == first && b != first }
      return area(a) != area(b) ? area(a) > area(b) : a < b
    }
    var sorted: [FramedFace] = []
    for index in order { sorted.append(self[index]) }
    return sorted
  }

  /// Faces at least so wide, each once: two regions can lead to one face, of which the reading with the better
  /// presence remains.
  ///
  /// - Parameters:
  ///   - minimumWidth: In pixels.
  ///   - threshold: Overlap (intersection over union) of frames above which two meshes are of one face.
  /// - Returns: The faces that remain, in order.
  func distinct(minimumWidth: Float, threshold: Float) -> [FramedFace] {
    var kept: [FramedFace] = []
    for face in self where face.frame.width >= minimumWidth {
      var isKnown = false
      for index in kept.indices where kept[index].frame.overlap(face.frame) > threshold {
        isKnown = true
        if face.mesh.presence > kept[index].mesh.presence { kept[index] = face }
        break
      }
      if !isKnown { kept.append(face) }
    }
    return kept
  }
}
