import FaceKit
import ToolSupport

/// What is drawn of a face of the Vision surface: plain numbers, in pixels of the drawn picture.
struct DrawnVisionFace: Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
  var curves: [VisionCurve] = []
  var contourPoints: [CanvasPoint] = []
  var landmarks: [CanvasPoint] = []
  /// The head's axes as they are seen, unit vectors with y down: right, up, forward. Empty if unknown.
  var axes: [CanvasPoint] = []
  var nose: CanvasPoint?
  /// Probabilities with their names.
  var shares: [(name: String, value: Double)] = []
  /// Lines of text beside the frame.
  var lines: [String] = []

  init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether all coordinates are numbers no further than `limit` from the picture's corner.
  func isDrawable(within limit: Double) -> Bool {
    // False for NaN.
    let isNear = { (point: CanvasPoint) in abs(point.x) <= limit && abs(point.y) <= limit }
    return isNear(CanvasPoint(x: x, y: y)) && isNear(CanvasPoint(x: width, y: height))
      && (contourPoints + landmarks + axes + (nose.map { [$0] } ?? [])).allSatisfy(isNear)
      && curves.allSatisfy { $0.points.allSatisfy(isNear) }
  }
}

extension FaceDrawing {
  private static let dark = Colour(0x0B1220)
  private static let frameColour = Colour(0x4ADE80)

  /// Frame, contours as curves, the head's axes, and labels: beside the frame of a single face, else under it, as
  /// narrow as the frame, so that faces in a row keep theirs.
  func draw(vision face: DrawnVisionFace, isAlone: Bool = true) {
    // Line widths follow the face. One beyond the picture's measure would keep Cairo busy for minutes.
    guard face.isDrawable(within: 8 * Double(max(image.width, image.height))) else { return }
    let unit = Double(scale) * min(face.width, Double(max(image.width, image.height))) / 220
    drawFrame(face, unit)
    // Under the contours, which are not to be hidden by them.
    drawAxes(face, unit)
    let thin = max(0.9, unit * 1.3)
    for curve in face.curves {
      let line = [curve.points.map(enlarged)]
      canvas.stroke(line, lineWidth: thin * 2.2, FaceDrawing.dark.opacity(0.25))
      canvas.stroke(line, lineWidth: thin, curve.colour.opacity(0.95))
    }
    for point in face.contourPoints {
      canvas.disc(enlarged(point), radius: max(0.9, unit * 1.05), Colour(0xFFFFFF, alpha: 0.9))
    }
    for point in face.landmarks {
      let place = enlarged(point)
      canvas.disc(place, radius: max(1.8, unit * 2.6), FaceDrawing.dark.opacity(0.5))
      canvas.disc(place, radius: max(1.4, unit * 1.9), Colour(0xF97316))
    }
    drawLabels(face, isBeside: isAlone)
  }

  private func enlarged(_ point: CanvasPoint) -> CanvasPoint {
    CanvasPoint(x: point.x * Double(scale), y: point.y * Double(scale))
  }

  private func drawFrame(_ face: DrawnVisionFace, _ unit: Double) {
    let (a, b) = (
      enlarged(CanvasPoint(x: face.x, y: face.y)),
      enlarged(CanvasPoint(x: face.x + face.width, y: face.y + face.height))
    )
    let outline = [a, CanvasPoint(x: b.x, y: a.y), b, CanvasPoint(x: a.x, y: b.y), a]
    canvas.stroke([outline], lineWidth: max(2, unit * 2.2), FaceDrawing.dark.opacity(0.3))
    canvas.stroke([outline], lineWidth: max(1, unit * 1.1), FaceDrawing.frameColour.opacity(0.9))
  }

  /// Right in red, up in green, towards the viewer in blue, from the nose.
  private func drawAxes(_ face: DrawnVisionFace, _ unit: Double) {
    guard face.axes.count == 3 else { return }
    let origin = enlarged(
      face.nose
        ?? CanvasPoint(x: face.x + face.width / 2, y: face.y + face.height * 0.55))
    let length = 70 * unit
    let colours = [Colour(0xEF4444), Colour(0x22C55E), Colour(0x3B82F6)]
    // The axis that comes towards the viewer is drawn last, over the others.
    for (axis, colour) in zip(face.axes, colours) {
      let tip = CanvasPoint(x: origin.x + axis.x * length, y: origin.y + axis.y * length)
      let line = [[origin, tip]]
      canvas.stroke(line, lineWidth: max(3, unit * 4.2), FaceDrawing.dark.opacity(0.35))
      canvas.stroke(line, lineWidth: max(2, unit * 2.6), colour.opacity(0.9))
      canvas.disc(tip, radius: max(2.2, unit * 3.4), colour)
    }
    canvas.disc(origin, radius: max(2, unit * 2.4), Colour(0xFFFFFF))
  }

  /// A column of labels: probabilities as bars, then lines of text.
  private func drawLabels(_ face: DrawnVisionFace, isBeside: Bool) {
    let rows = face.shares.count + face.lines.count
    guard rows > 0 else { return }
    let (width, height) = (Double(image.width * scale), Double(image.height * scale))
    var size = max(9, min(min(width, height) / 48, face.height * Double(scale) / 14))
    let labels = face.shares.map { "\($0.name) \(Formatting.fixed($0.value, 2))" } + face.lines
    var textWidth = labels.map { canvas.textWidth($0, size: size) }.max() ?? 0
    let frame = enlarged(CanvasPoint(x: face.x, y: face.y))
    let (frameWidth, frameHeight) = (face.width * Double(scale), face.height * Double(scale))
    if !isBeside, textWidth + size * 1.2 > frameWidth {
      let smaller = max(7, size * frameWidth / (textWidth + size * 1.2))
      textWidth *= smaller / size
      size = smaller
    }
    let (column, row) = (textWidth + size * 1.2, size * 1.7)
    let gap = size * 0.5
    let right = frame.x + frameWidth + gap
    let left = frame.x - gap - column
    // To the right where there is room, else to the left, else over the frame's edge.
    let beside = right + column <= width ? right : left >= 0 ? left : max(0, width - column - gap)
    let x = isBeside ? beside : max(0, min(frame.x, width - column))
    let top = isBeside ? frame.y : frame.y + frameHeight + gap
    let total = Double(rows) * row
    let y = max(gap, min(top, height - total - gap))
    for (index, label) in labels.enumerated() {
      let edge = y + Double(index) * row
      let pill = row - size * 0.25
      canvas.rounded(
        x: x, y: edge, width: column, height: pill, radius: pill / 4, FaceDrawing.dark.opacity(0.72)
      )
      if index < face.shares.count {
        let share = max(0, min(1, face.shares[index].value))
        canvas.rounded(
          x: x, y: edge, width: max(pill / 2, column * share), height: pill, radius: pill / 4,
          FaceDrawing.frameColour.opacity(0.42))
      }
      canvas.text(
        label, at: CanvasPoint(x: x + size * 0.6, y: edge + size * 1.08), size: size,
        Colour(0xF8FAFC))
    }
  }
}
