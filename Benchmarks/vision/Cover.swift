import FaceKit

/// What a part of a face is painted over with.
enum Paint: String, CaseIterable {
  case none, black, cloth, skin, hand, noise, blur

  static let covering = allCases.filter { $0 != .none }
}

func eyeDistance(_ mesh: [Point]) -> Float { distance(mesh[33], mesh[263]) }

private func distance(_ a: Point, _ b: Point) -> Float {
  ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
}

/// A way to hide some parts of a face: boxes in the face's own axes, x along the line between the eyes.
struct Cover {
  var name: String
  var hidden: Set<FaceRegion>
  var boxes: [Rect]

  /// Each part by itself, both eyes, nose and mouth together, and two places that hide no part.
  static func all(of mesh: [Point], outline: (FaceRegion) -> [Int]) -> [Cover] {
    let axes = Axes(mesh)
    func box(_ region: FaceRegion, _ margin: Float) -> Rect {
      axes.bounds(outline(region), of: mesh, margin: margin)
    }
    var covers = [Cover(name: "nothing", hidden: [], boxes: [])]
    for region in FaceRegion.allCases {
      let margin: Float = region == .nose ? 0.03 : 0.08
      covers.append(
        Cover(name: region.rawValue, hidden: [region], boxes: [box(region, margin)]))
    }
    covers.append(
      Cover(
        name: "bar", hidden: [.leftEye, .rightEye],
        boxes: [box(.leftEye, 0.1).union(box(.rightEye, 0.1))]))
    covers.append(
      Cover(
        name: "mask", hidden: [.nose, .mouth],
        boxes: [
          box(.nose, 0.12).union(box(.mouth, 0.12)).union(
            axes.bounds([152, 234, 454], of: mesh, margin: 0))
        ]))
    covers.append(
      Cover(
        name: "forehead", hidden: [],
        boxes: [axes.bounds([10, 109, 338, 108, 337, 151], of: mesh, margin: 0.02)]))
    covers.append(
      Cover(
        name: "cheek", hidden: [],
        boxes: [axes.bounds([50, 187, 147, 123], of: mesh, margin: 0.02)]))
    return covers
  }

  /// A copy of the picture with the boxes painted over.
  func painted(on image: MPImage, mesh: [Point], with paint: Paint) throws -> MPImage {
    let axes = Axes(mesh)
    var canvas = Canvas(image)
    let original = canvas
    let skin = original.mean(
      at: [205, 425, 50, 280, 117, 346, 151, 9, 10, 108, 337].map { mesh[$0] })
    var random = SplitMix(seed: 1)
    for box in boxes {
      for (x, y) in canvas.pixels(of: axes.corners(box)) {
        let local = axes.local(Point(x: Float(x) + 0.5, y: Float(y) + 0.5))
        guard box.minX <= local.x, local.x <= box.maxX, box.minY <= local.y, local.y <= box.maxY
        else { continue }
        canvas[x, y] =
          switch paint {
          case .none: original[x, y]
          case .black: SIMD3(repeating: 15) + random.grain(6)
          case .cloth: SIMD3(90, 120, 160) + random.grain(6)
          case .skin: skin + random.grain(6)
          case .hand: Self.finger(skin, (local.x - box.minX) / (axes.span * 0.22)) + random.grain(8)
          case .noise: SIMD3(random.unit(), random.unit(), random.unit()) * 255
          case .blur: original.blurred(x, y, radius: Int(axes.span / 5))
          }
      }
    }
    return try canvas.image()
  }

  /// Skin in rounded stripes with dark gaps.
  private static func finger(_ skin: SIMD3<Float>, _ place: Float) -> SIMD3<Float> {
    let across = place - place.rounded(.down)
    // A parabola is round enough.
    let shade = 0.75 + 1.4 * across * (1 - across) - (across < 0.08 ? 0.3 : 0)
    return skin * shade
  }
}

extension Rect {
  func union(_ other: Rect) -> Rect {
    Rect(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }
}

/// Coordinates along and across the line between the eyes, in pixels.
private struct Axes {
  let span: Float
  private let c: Float
  private let s: Float

  init(_ mesh: [Point]) {
    span = eyeDistance(mesh)
    c = (mesh[263].x - mesh[33].x) / span
    s = (mesh[263].y - mesh[33].y) / span
  }

  func local(_ p: Point) -> Point { Point(x: c * p.x + s * p.y, y: c * p.y - s * p.x) }

  func bounds(_ indices: [Int], of mesh: [Point], margin: Float) -> Rect {
    let points = indices.map { local(mesh[$0]) }
    let grow = margin * span
    return Rect(
      minX: (points.map(\.x).min() ?? 0) - grow, minY: (points.map(\.y).min() ?? 0) - grow,
      maxX: (points.map(\.x).max() ?? 0) + grow, maxY: (points.map(\.y).max() ?? 0) + grow)
  }

  /// The corners of a box in the picture.
  func corners(_ box: Rect) -> [Point] {
    [(box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY)].map {
      Point(x: c * $0.0 - s * $0.1, y: s * $0.0 + c * $0.1)
    }
  }
}

/// RGB pixels that can be changed.
private struct Canvas {
  let width: Int
  let height: Int
  private var bytes: [UInt8]

  init(_ image: MPImage) {
    (width, height) = (image.width, image.height)
    bytes = []
    bytes.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let start = y * image.rowStride + x * image.format.bytesPerPixel
        bytes += image.pixels.bytes[start..<start + 3]
      }
    }
  }

  func image() throws -> MPImage {
    try MPImage(copying: bytes, width: width, height: height, format: .rgb)
  }

  subscript(x: Int, y: Int) -> SIMD3<Float> {
    get {
      let start = (y * width + x) * 3
      return SIMD3(Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2]))
    }
    set {
      let start = (y * width + x) * 3
      for channel in 0..<3 { bytes[start + channel] = UInt8(min(max(newValue[channel], 0), 255)) }
    }
  }

  /// The pixels of the upright rectangle around some points.
  func pixels(of points: [Point]) -> [(Int, Int)] {
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let columns = max(0, Int(xs.min() ?? 0))..<max(0, min(width, Int(xs.max() ?? 0) + 1))
    let rows = max(0, Int(ys.min() ?? 0))..<max(0, min(height, Int(ys.max() ?? 0) + 1))
    return rows.flatMap { y in columns.map { ($0, y) } }
  }

  func mean(at points: [Point]) -> SIMD3<Float> {
    var (sum, count) = (SIMD3<Float>(), Float(0))
    for point in points {
      let (x, y) = (Int(point.x), Int(point.y))
      guard x >= 0, y >= 0, x < width, y < height else { continue }
      sum += self[x, y]
      count += 1
    }
    return count > 0 ? sum / count : SIMD3(repeating: 128)
  }

  /// The mean of seventeen pixels in a square of twice the radius.
  func blurred(_ x: Int, _ y: Int, radius: Int) -> SIMD3<Float> {
    var sum = self[x, y]
    for r in [radius, radius / 2] {
      for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        sum += self[min(width - 1, max(0, x + dx * r)), min(height - 1, max(0, y + dy * r))]
      }
    }
    return sum / 17
  }
}

/// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func unit() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((z ^ (z >> 31)) >> 40) / Float(1 << 24)
  }

  mutating func grain(_ size: Float) -> SIMD3<Float> {
    SIMD3(repeating: (unit() - 0.5) * size)
  }
}
