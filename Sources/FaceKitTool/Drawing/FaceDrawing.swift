import FaceKit

/// What is drawn of a face: plain numbers, normalised to the upright picture.
struct DrawnFace: Sendable {
  struct Point: Sendable {
    var x: Float
    var y: Float
  }

  /// Top left corner and extents.
  struct Box: Sendable {
    var x, y, width, height: Float
  }

  var points: [Point] = []
  var box: Box?
  /// Shown beside the box.
  var label: String?
  /// Name and score, in the model's order; empty if not asked for.
  var blendshapes: [(name: String, score: Float)] = []
}

/// The picture with what was found in it.
struct FaceDrawing {
  let canvas: Canvas
  let image: MPImage
  /// Canvas pixels for each picture pixel.
  let scale: Int

  /// Small pictures are drawn enlarged: lines between landmarks a few pixels apart would hide the face.
  private static let smallest = 1000

  /// Places the picture, with room for `panels` blendshape panels to its right. Without a `scale`, one is
  /// chosen.
  init(_ image: MPImage, panels: Int = 0, scale fixedScale: Int? = nil) throws {
    self.image = image
    let longest = max(image.width, image.height)
    scale = fixedScale ?? max(1, min(4, (FaceDrawing.smallest + longest / 2) / longest))
    let height = image.height * scale
    let panelWidth = Int(BlendshapePanel.width(height: Double(height)))
    canvas = try Canvas(
      width: image.width * scale + panels * panelWidth, height: height,
      background: BlendshapePanel.background)
    canvas.place(image, scale: scale)
  }

  func rendered() throws -> MPImage { try canvas.rendered() }

  private func position(_ point: DrawnFace.Point) -> CanvasPoint {
    CanvasPoint(
      x: Double(point.x) * Double(image.width * scale),
      y: Double(point.y) * Double(image.height * scale))
  }

  /// Whether a point is a number, and not far beyond the picture: line widths follow the face, and one of
  /// absurd size would keep Cairo busy for minutes.
  private func isNear(_ point: DrawnFace.Point) -> Bool {
    // False for NaN.
    abs(point.x) <= 8 && abs(point.y) <= 8
  }

  // MARK: Detections

  private static let boxColour = Colour(0x4ADE80)

  /// Corner brackets, a score, and the six key points.
  func draw(detection face: DrawnFace) {
    guard let box = face.box, isNear(DrawnFace.Point(x: box.x, y: box.y)),
      isNear(DrawnFace.Point(x: box.width, y: box.height))
    else { return }
    let start = position(.init(x: box.x, y: box.y))
    let end = position(.init(x: box.x + box.width, y: box.y + box.height))
    let side = min(end.x - start.x, end.y - start.y)
    let line = max(1.5, side / 120)
    let arm = side * 0.18
    var brackets: [[CanvasPoint]] = []
    for (corner, dx, dy) in [
      (start, arm, arm), (CanvasPoint(x: end.x, y: start.y), -arm, arm), (end, -arm, -arm),
      (CanvasPoint(x: start.x, y: end.y), arm, -arm),
    ] {
      brackets.append([
        CanvasPoint(x: corner.x + dx, y: corner.y), corner,
        CanvasPoint(x: corner.x, y: corner.y + dy),
      ])
    }
    let outline = [
      [
        start, CanvasPoint(x: end.x, y: start.y), end, CanvasPoint(x: start.x, y: end.y), start,
      ]
    ]
    canvas.stroke(outline, lineWidth: line * 0.5, FaceDrawing.boxColour.opacity(0.55))
    canvas.stroke(brackets, lineWidth: line * 2.6, Colour(0x0B1220, alpha: 0.35))
    canvas.stroke(brackets, lineWidth: line * 1.7, FaceDrawing.boxColour)
    for point in face.points where isNear(point) { dot(position(point), radius: max(2, side / 70)) }
    if let label = face.label { tag(label, above: start, side: side) }
  }

  private func dot(_ centre: CanvasPoint, radius: Double) {
    canvas.disc(centre, radius: radius * 1.45, Colour(0x0B1220, alpha: 0.45))
    canvas.disc(centre, radius: radius * 1.15, Colour(0xFFFFFF))
    canvas.disc(centre, radius: radius * 0.8, Colour(0xF97316))
  }

  /// A label on the box's upper edge, moved inside the picture where it would leave it.
  private func tag(_ text: String, above corner: CanvasPoint, side: Double) {
    let size = max(9, min(28, side / 14))
    let width = canvas.textWidth(text, size: size, bold: true) + size
    let height = size * 1.5
    let x = max(0, min(corner.x, Double(image.width * scale) - width))
    let y = corner.y - height * 1.2 >= 0 ? corner.y - height * 1.2 : max(0, corner.y) + height * 0.2
    canvas.rounded(
      x: x, y: y, width: width, height: height, radius: height / 4, FaceDrawing.boxColour)
    canvas.text(
      text, at: CanvasPoint(x: x + size / 2, y: y + size * 1.1), size: size, bold: true,
      Colour(0x0B1220))
  }

  // MARK: Landmarks

  /// Lines of one colour. Eyes and brows of one side share a hue.
  private static let features: [(connections: [Connection], colour: Colour, weight: Double)] = [
    (FaceLandmarkConnections.faceOval, Colour(0xF8FAFC), 1.0),
    (FaceLandmarkConnections.leftEyebrow, Colour(0xFBBF24), 1.2),
    (FaceLandmarkConnections.rightEyebrow, Colour(0x38BDF8), 1.2),
    (FaceLandmarkConnections.leftEye, Colour(0xFBBF24), 1.0),
    (FaceLandmarkConnections.rightEye, Colour(0x38BDF8), 1.0),
    (FaceLandmarkConnections.lips, Colour(0xFB7185), 1.2),
  ]

  /// The mesh, thin; contours over it; irises on top.
  func draw(landmarks face: DrawnFace) {
    guard face.points.count >= 468, face.points.allSatisfy(isNear) else { return }
    let points = face.points.map(position)
    // Everything scales with the face: its width between the ears' landmarks.
    let width = FaceDrawing.distance(points[234], points[454])
    let height = FaceDrawing.distance(points[10], points[152])
    let unit = max(width, height * 0.75) / 220

    let mesh = FaceLandmarkConnections.tesselation.map { [points[$0.start], points[$0.end]] }
    // A dark line under each light one, so that the mesh shows on light and on dark skin.
    let thin = max(0.5, unit * 0.4)
    canvas.stroke(mesh, lineWidth: thin * 2, Colour(0x0B1220, alpha: 0.16))
    canvas.stroke(mesh, lineWidth: thin, Colour(0xE0F2FE, alpha: 0.5))
    for feature in FaceDrawing.features {
      let lines = FaceDrawing.polylines(feature.connections).map { $0.map { points[$0] } }
      let line = max(0.8, unit * feature.weight * 1.25)
      canvas.stroke(lines, lineWidth: line * 2.1, Colour(0x0B1220, alpha: 0.22))
      canvas.stroke(lines, lineWidth: line, feature.colour.opacity(0.95))
    }
    guard points.count == 478 else { return }
    iris(points, centre: 468, FaceLandmarkConnections.rightIris, Colour(0x38BDF8), unit)
    iris(points, centre: 473, FaceLandmarkConnections.leftIris, Colour(0xFBBF24), unit)
  }

  private func iris(
    _ points: [CanvasPoint], centre: Int, _ ring: [Connection], _ colour: Colour, _ unit: Double
  ) {
    let radius =
      ring.map { FaceDrawing.distance(points[$0.start], points[centre]) }.reduce(0, +)
      / Double(ring.count)
    canvas.disc(points[centre], radius: radius, colour.opacity(0.28))
    canvas.ring(points[centre], radius: radius, lineWidth: max(0.8, unit * 0.9), Colour(0xFFFFFF))
    canvas.disc(points[centre], radius: max(0.9, unit * 0.9), Colour(0xFFFFFF))
  }

  /// Connections as lines that are as long as possible, so that joints are drawn once.
  static func polylines(_ connections: [Connection]) -> [[Int]] {
    var lines: [[Int]] = []
    for connection in connections {
      if let last = lines.last?.last, last == connection.start {
        lines[lines.count - 1].append(connection.end)
      } else {
        lines.append([connection.start, connection.end])
      }
    }
    return lines
  }

  private static func distance(_ a: CanvasPoint, _ b: CanvasPoint) -> Double {
    let (dx, dy) = (a.x - b.x, a.y - b.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  // MARK: Blendshapes

  /// A panel of bars to the right of the picture; `index` counts panels from the left.
  func draw(blendshapes face: DrawnFace, index: Int, title: String) {
    let height = Double(image.height * scale)
    BlendshapePanel(
      x: Double(image.width * scale) + Double(index)
        * BlendshapePanel.width(height: height).rounded(.down),
      height: height
    ).draw(face.blendshapes, title: title, on: canvas)
  }
}
