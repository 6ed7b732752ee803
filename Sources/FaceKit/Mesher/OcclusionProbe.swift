import FaceKitKernels
import FaceKitModels
import FaceKitTensor

/// What can be measured of a part of a face to tell whether it is seen.
package struct RegionEvidence: Sendable, Hashable {
  /// How much the presence logit rises when the part is painted over with the mean of its surroundings. A part that is
  /// seen speaks for the face, so that painting it over lowers the logit; painting over what hides it does not.
  package var presenceRise: Float
  /// The same with the picture mirrored; 0 for parts in the middle, whose ``presenceRise`` is the mean of both.
  package var mirroredRise: Float
  /// How far its points scatter when the model is shown shifted, turned and scaled crops, as a share of the distance
  /// between the eyes' outer corners: what is guessed depends more on the crop than what is seen. Its logarithm.
  package var scatter: Float
  /// Standard deviation of the brightness inside, compared to the whole face's. Its logarithm.
  package var contrast: Float
  /// The same of the mean difference between neighbours.
  package var detail: Float
  /// Mean brightness compared to the whole face's, in its standard deviations.
  package var brightness: Float
  /// The presence logit of the face, up to 25.
  package var presence: Float

  package var values: [Float] {
    [presenceRise, mirroredRise, scatter, contrast, detail, brightness, presence]
  }
}

/// A crop of a face that can be shown to the landmark model with parts painted over.
struct OcclusionProbe {
  private let model: LandmarkModel
  private let side: Int
  /// The model's input, RGB.
  private let crop: [Float]
  private let basePresence: Float
  private let flippedPresence: Float
  /// The mesh in pixels of the crop.
  private let mesh: [Point]
  /// Between the eyes' outer corners, in pixels of the crop.
  private let span: Float
  /// Brightness over the mesh's points.
  private let faceBrightness: (mean: Float, deviation: Float)
  /// Meshes of displaced crops, in pixels of this one.
  private let displaced: [[Point]]

  /// Shift along the crop's axes as a share of its side, scale, and turn in radians, of the displaced crops.
  private static let displacements: [(dx: Float, dy: Float, scale: Float, turn: Float)] = [
    (0.06, 0, 1, 0.1), (-0.06, 0.03, 1.1, -0.1), (0, -0.06, 0.88, 0.15), (0.03, 0.06, 1.2, -0.15),
  ]

  /// With the 478-point model, and a square region around the face that is turned so that the eyes lie level. `nil`
  /// for a region that can't be sampled, or landmarks without an extent.
  init?(_ model: LandmarkModel, _ image: MPImage, in rect: NormalizedRect) throws(FaceKitError) {
    let pixels = rect.inPixels(width: image.width, height: image.height)
    guard pixels.isUsable else { return nil }
    self.model = model
    side = model.specification.inputSide
    _ = try model.model.run(on: image, rect: rect, using: model.sampler)
    // A run may overwrite its input.
    var fault: FaceKitError?
    var crop = [Float](repeating: 0, count: side * side * 3)
    let region = try model.sampler.paddedRegion(rect, in: image)
    crop.withUnsafeMutableBufferPointer { buffer in
      do throws(FaceKitError) {
        try model.sampler.fill(buffer, from: image, region: region)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    self.crop = crop
    basePresence = model.model.scalar(model.specification.presenceOutput)
    let mesh = OcclusionProbe.points(model)
    self.mesh = mesh
    span = mesh[33].distance(to: mesh[263])
    guard span > 0 else { return nil }
    var displaced: [[Point]] = []
    for (dx, dy, scale, turn) in OcclusionProbe.displacements {
      var other = rect
      other.centerX += dx * rect.width
      other.centerY += dy * rect.height
      other.width *= scale
      other.height *= scale
      other.rotation += turn
      _ = try model.model.run(on: image, rect: other, using: model.sampler)
      displaced.append(
        OcclusionProbe.points(model).map { point in
          OcclusionProbe.moved(
            point, from: other.inPixels(width: image.width, height: image.height), to: pixels,
            side: Float(model.specification.inputSide))
        })
    }
    self.displaced = displaced
    faceBrightness = OcclusionProbe.brightness(crop, side, at: mesh)
    flippedPresence = try OcclusionProbe.presence(model, crop, flipped: true)
  }

  private static func points(_ model: LandmarkModel) -> [Point] {
    let values = model.model.output(0)
    var points: [Point] = []
    for index in 0..<LandmarkModelSpecification.mesh478.pointCount {
      points.append(Point(x: values[3 * index], y: values[3 * index + 1]))
    }
    return points
  }

  /// From pixels of one crop to pixels of another.
  private static func moved(
    _ point: Point, from: PixelRegion, to: PixelRegion, side: Float
  ) -> Point {
    let (c, s) = (Elementary.cos(from.rotation), Elementary.sin(from.rotation))
    let (u, v) = ((point.x / side - 0.5) * from.width, (point.y / side - 0.5) * from.height)
    let x = from.centerX + c * u - s * v - to.centerX
    let y = from.centerY + s * u + c * v - to.centerY
    let (tc, ts) = (Elementary.cos(to.rotation), Elementary.sin(to.rotation))
    return Point(
      x: ((tc * x + ts * y) / to.width + 0.5) * side,
      y: ((tc * y - ts * x) / to.height + 0.5) * side)
  }

  // MARK: Measuring

  /// What speaks for a part being seen.
  func evidence(_ region: FaceRegion) throws(FaceKitError) -> RegionEvidence {
    let box = box(region)
    let plain = try presenceRise(box, flipped: false)
    let flipped = try presenceRise(box, flipped: true)
    // The model relies most on what is at its right, so the subject's right side tells more in the mirror.
    let (rise, mirrored) =
      switch region {
      case .leftEye, .leftBrow: (plain, flipped)
      case .rightEye, .rightBrow: (flipped, plain)
      case .nose, .mouth: ((plain + flipped) / 2, Float(0))
      }
    let inside = OcclusionProbe.samples(crop, side, in: box)
    return RegionEvidence(
      presenceRise: rise, mirroredRise: mirrored,
      scatter: OcclusionProbe.log(scatter(region) + 1e-3),
      contrast: OcclusionProbe.log((inside.deviation + 2) / (faceBrightness.deviation + 2)),
      detail: OcclusionProbe.log((inside.detail + 2) / (faceBrightness.deviation + 2)),
      brightness: (inside.mean - faceBrightness.mean) / (faceBrightness.deviation + 5),
      presence: min(basePresence, 25))
  }

  private static func log(_ x: Float) -> Float { Elementary.log(x) }

  /// The part and a little around it, in pixels of the crop.
  private func box(_ region: FaceRegion) -> Rect {
    var box = Rect(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for index in region.meshIndices {
      box.minX = min(box.minX, mesh[index].x)
      box.minY = min(box.minY, mesh[index].y)
      box.maxX = max(box.maxX, mesh[index].x)
      box.maxY = max(box.maxY, mesh[index].y)
    }
    let margin = (region == .nose ? 0.03 : 0.08) * span
    return Rect(
      minX: box.minX - margin, minY: box.minY - margin, maxX: box.maxX + margin,
      maxY: box.maxY + margin)
  }

  private func presenceRise(_ box: Rect, flipped: Bool) throws(FaceKitError) -> Float {
    let rise =
      try OcclusionProbe.presence(model, crop, covering: box, flipped: flipped)
      - (flipped ? flippedPresence : basePresence)
    // Far outside of what was measured nothing more is said.
    return min(max(rise, -10), 10)
  }

  /// The presence logit of a crop.
  private static func presence(
    _ model: LandmarkModel, _ crop: [Float], covering box: Rect? = nil, flipped: Bool
  ) throws(FaceKitError) -> Float {
    let side = model.specification.inputSide
    model.model.session.withInput(0) { (input: UnsafeMutableBufferPointer<Float>) in
      for index in crop.indices { input[index] = crop[index] }
      if let box { cover(input, side, box) }
      if flipped { model.sampler.flip(input) }
    }
    try model.model.run()
    return model.model.scalar(model.specification.presenceOutput)
  }

  /// Width of the frame whose mean paints a box over, in pixels of the crop.
  private static let frameWidth = 6

  private static func cover(
    _ tensor: UnsafeMutableBufferPointer<Float>, _ side: Int, _ box: Rect
  ) {
    guard let (columns, rows) = cells(box, side) else { return }
    let outerRows =
      max(0, rows.lowerBound - frameWidth)...min(side - 1, rows.upperBound + frameWidth)
    let outerColumns =
      max(0, columns.lowerBound - frameWidth)...min(side - 1, columns.upperBound + frameWidth)
    var sum = SIMD3<Float>()
    var count: Float = 0
    for y in outerRows {
      for x in outerColumns where !(rows.contains(y) && columns.contains(x)) {
        let start = (y * side + x) * 3
        sum += SIMD3(tensor[start], tensor[start + 1], tensor[start + 2])
        count += 1
      }
    }
    let mean = count > 0 ? sum / count : SIMD3(repeating: 0.5)
    for y in rows {
      for x in columns {
        let start = (y * side + x) * 3
        for channel in 0..<3 { tensor[start + channel] = mean[channel] }
      }
    }
  }

  /// The pixels of a box; `nil` if none is in the crop, or its place is no number.
  private static func cells(_ box: Rect, _ side: Int) -> (ClosedRange<Int>, ClosedRange<Int>)? {
    let limit = Float(side - 1)
    guard box.minX <= limit, box.minY <= limit, box.maxX >= 0, box.maxY >= 0,
      box.minX <= box.maxX, box.minY <= box.maxY
    else { return nil }
    return (
      Int(max(0, box.minX))...Int(min(limit, box.maxX)),
      Int(max(0, box.minY))...Int(min(limit, box.maxY))
    )
  }

  private func scatter(_ region: FaceRegion) -> Float {
    var sum: Float = 0
    for other in displaced {
      for index in region.meshIndices { sum += other[index].distance(to: mesh[index]) }
    }
    let scatter = sum / Float(displaced.count * region.meshIndices.count) / span
    return scatter.isFinite ? min(scatter, 10) : 10
  }

  // MARK: Brightness, 0...255

  private static func brightness(_ crop: [Float], _ side: Int, _ x: Float, _ y: Float) -> Float? {
    guard x >= 0, y >= 0, x < Float(side), y < Float(side) else { return nil }
    let start = (Int(y) * side + Int(x)) * 3
    return 255 * (0.3 * crop[start] + 0.59 * crop[start + 1] + 0.11 * crop[start + 2])
  }

  private static func brightness(
    _ crop: [Float], _ side: Int, at points: [Point]
  ) -> (mean: Float, deviation: Float) {
    var (sum, squares, count) = (Float(0), Float(0), Float(0))
    for point in points.prefix(LandmarkModelSpecification.mesh468.pointCount) {
      guard let value = brightness(crop, side, point.x, point.y) else { continue }
      sum += value
      squares += value * value
      count += 1
    }
    guard count > 0 else { return (0, 0) }
    let mean = sum / count
    return (mean, max(0, squares / count - mean * mean).squareRoot())
  }

  /// On a grid of 24 × 16 points over a box. What lies outside the crop is dark.
  private static func samples(
    _ crop: [Float], _ side: Int, in box: Rect
  ) -> (mean: Float, deviation: Float, detail: Float) {
    var (sum, squares, differences) = (Float(0), Float(0), Float(0))
    let (columns, rows) = (24, 16)
    for row in 0..<rows {
      let y = box.minY + box.height * (Float(row) + 0.5) / Float(rows)
      var left: Float?
      for column in 0...columns {
        let x = box.minX + box.width * (Float(column) + 0.5) / Float(columns)
        let value = brightness(crop, side, x, y) ?? 0
        if let left { differences += abs(value - left) }
        left = value
        if column < columns {
          sum += value
          squares += value * value
        }
      }
    }
    let count = Float(columns * rows)
    let mean = sum / count
    return (mean, max(0, squares / count - mean * mean).squareRoot(), differences / count)
  }
}

extension FaceRegion {
  /// Points of the mesh that outline it; eyes with their irises.
  var meshIndices: [Int] {
    switch self {
    // The attention mesh's lists are named for the image's sides.
    case .leftEye: AttentionMesh.rightEye.prefix(16) + [473, 474, 475, 476, 477]
    case .rightEye: AttentionMesh.leftEye.prefix(16) + [468, 469, 470, 471, 472]
    case .leftBrow: [276, 283, 282, 295, 285, 300, 293, 334, 296, 336]
    case .rightBrow: [46, 53, 52, 65, 55, 70, 63, 105, 66, 107]
    case .nose: [1, 2, 4, 5, 19, 94, 98, 97, 326, 327, 129, 358, 48, 278, 195, 197]
    case .mouth: Array(AttentionMesh.lips.prefix(40))
    }
  }
}
