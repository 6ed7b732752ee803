/// The 52 scores as bars: all of them where the picture is high enough, else the largest.
struct BlendshapePanel {
  let x: Double
  let height: Double

  static let background = Colour(0x0F172A)
  private static let rail = Colour(0x1E293B)
  private static let word = Colour(0xCBD5E1)
  private static let faint = Colour(0x64748B)

  /// Panels keep the proportions of their text.
  static func width(height: Double) -> Double { max(150, min(520, height * 0.36)) }

  private static let smallestRow = 9.0

  func draw(_ scores: [(name: String, score: Float)], title: String, on canvas: Canvas) {
    let width = BlendshapePanel.width(height: height)
    canvas.fill(x: x, y: 0, width: width, height: height, BlendshapePanel.background)
    let margin = width * 0.05
    let heading = min(26, width * 0.055)
    canvas.text(
      title, at: CanvasPoint(x: x + margin, y: margin + heading), size: heading, bold: true,
      Colour(0xF8FAFC))

    // The first is `_neutral`, which is always near zero and says nothing.
    var shown = scores.filter { $0.name != "_neutral" }
    let top = margin + heading * 2
    let fitting = Int((height - top - margin) / BlendshapePanel.smallestRow)
    if fitting < shown.count {
      shown = Array(shown.sorted { $0.score > $1.score }.prefix(max(0, fitting)))
    }
    guard !shown.isEmpty else { return }
    let row = min(30, (height - top - margin) / Double(shown.count))
    let size = row * 0.66
    let nameWidth = shown.map { canvas.textWidth($0.name, size: size) }.max() ?? 0
    let numberWidth = canvas.textWidth("0.00", size: size)
    let barStart = x + margin + nameWidth + size * 0.7
    let barWidth = max(10, x + width - margin - numberWidth - size * 0.6 - barStart)

    for (index, (name, score)) in shown.enumerated() {
      let y = top + Double(index) * row
      let baseline = y + row * 0.72
      let share = Double(max(0, min(1, score.isFinite ? score : 0)))
      let isQuiet = share < 0.05
      canvas.text(
        name, at: CanvasPoint(x: x + margin, y: baseline), size: size,
        isQuiet ? BlendshapePanel.faint : BlendshapePanel.word)
      let thickness = row * 0.5
      canvas.rounded(
        x: barStart, y: y + (row - thickness) / 2, width: barWidth, height: thickness,
        radius: thickness / 2, BlendshapePanel.rail)
      if share * barWidth >= 1 {
        canvas.rounded(
          x: barStart, y: y + (row - thickness) / 2, width: share * barWidth,
          height: thickness, radius: thickness / 2, BlendshapePanel.colour(name))
      }
      canvas.text(
        BlendshapePanel.decimals(share),
        at: CanvasPoint(x: x + width - margin - numberWidth, y: baseline), size: size,
        isQuiet ? BlendshapePanel.faint : BlendshapePanel.word)
    }
  }

  /// The hues of the drawing: brows and eyes, cheeks and nose, jaw and mouth.
  private static func colour(_ name: String) -> Colour {
    if name.hasPrefix("brow") { return Colour(0xFBBF24) }
    if name.hasPrefix("eye") { return Colour(0x38BDF8) }
    if name.hasPrefix("cheek") || name.hasPrefix("nose") { return Colour(0xA78BFA) }
    return Colour(0xFB7185)
  }

  private static func decimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
  }
}
