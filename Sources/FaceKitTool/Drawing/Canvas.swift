import CCairo
import FaceKit
import FaceKitTensor
import ToolSupport

/// A point in canvas units.
struct CanvasPoint: Equatable, Sendable {
  var x: Double
  var y: Double
}

/// A colour with opacity, components in `0...1`.
struct Colour: Equatable, Sendable {
  var red, green, blue: Double
  var alpha = 1.0

  /// `0xRRGGBB`.
  init(_ hex: Int, alpha: Double = 1) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
    self.alpha = alpha
  }

  func opacity(_ alpha: Double) -> Colour {
    var colour = self
    colour.alpha = alpha
    return colour
  }
}

/// A picture to draw on, through Cairo: lines, discs, text.
///
/// Shapes are recorded, and rendered over the picture a band of rows at a time. Cairo's pixels take four bytes,
/// and a whole surface of them besides a large photo would double the memory of the process.
final class Canvas {
  let width: Int
  let height: Int
  private let background: Colour
  private let recording: OpaquePointer
  private let context: OpaquePointer
  /// The picture in the top left corner, and how many canvas pixels each of its pixels takes.
  private var picture: (image: MPImage, scale: Int)?

  init(width: Int, height: Int, background: Colour) throws(ToolError) {
    self.width = width
    self.height = height
    self.background = background
    var extents = cairo_rectangle_t(x: 0, y: 0, width: Double(width), height: Double(height))
    recording = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
    context = cairo_create(recording)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw Canvas.fault(status, width, height)
    }
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(recording)
  }

  private static func fault(_ status: cairo_status_t, _ width: Int, _ height: Int) -> ToolError {
    let reason = String(cString: cairo_status_to_string(status))
    return ToolError(
      "drawing", "a canvas of \(width)×\(height) pixels cannot be made (\(reason))", at: "drawing",
      advice: "use a smaller picture")
  }

  /// Puts an upright picture into the top left corner, under all shapes, each pixel as `scale` × `scale`,
  /// smoothed.
  func place(_ image: MPImage, scale: Int) { picture = (image, scale) }

  // MARK: Rendering

  private static let bandHeight = 128

  /// The picture with everything drawn so far.
  func rendered() throws -> MPImage {
    let storage = Storage(count: 3 * width * height)
    let bytes = storage.base.assumingMemoryBound(to: UInt8.self)
    let band = try Band(width: width, height: min(Canvas.bandHeight, height))
    let enlarged = try picture.flatMap { try $0.scale > 1 ? Band(copying: $0.image) : nil }
    for top in stride(from: 0, to: height, by: band.height) {
      band.fill(background)
      if let enlarged {
        band.paint(enlarged, scale: Double(picture!.scale), shiftedUpBy: top)
      } else if let image = picture?.image {
        band.copyRows(of: image, from: top)
      }
      band.paint(recording, shiftedUpBy: top)
      band.copyRGB(to: bytes + 3 * width * top, rows: min(band.height, height - top))
    }
    return try MPImage(pixels: StorageView(storage), width: width, height: height, format: .rgb)
  }

  // MARK: Shapes

  /// Whether Cairo can take the numbers: its coordinates have 24 bits before the point, and what is not finite
  /// may keep it busy for ever. Shapes with others are left out.
  private func areDrawable(_ numbers: Double...) -> Bool {
    numbers.allSatisfy { abs($0) < Canvas.farthest }
  }

  private static let farthest = 1e6

  func fill(x: Double, y: Double, width: Double, height: Double, _ colour: Colour) {
    guard areDrawable(x, y, width, height) else { return }
    use(colour)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
  }

  func disc(_ centre: CanvasPoint, radius: Double, _ colour: Colour) {
    guard areDrawable(centre.x, centre.y, radius) else { return }
    use(colour)
    cairo_new_path(context)
    cairo_arc(context, centre.x, centre.y, radius, 0, 2 * Double.pi)
    cairo_fill(context)
  }

  func ring(_ centre: CanvasPoint, radius: Double, lineWidth: Double, _ colour: Colour) {
    guard areDrawable(centre.x, centre.y, radius, lineWidth) else { return }
    use(colour)
    cairo_new_path(context)
    cairo_arc(context, centre.x, centre.y, radius, 0, 2 * Double.pi)
    cairo_set_line_width(context, lineWidth)
    cairo_stroke(context)
  }

  func rounded(
    x: Double, y: Double, width: Double, height: Double, radius: Double, _ colour: Colour
  ) {
    guard areDrawable(x, y, width, height, radius) else { return }
    let radius = min(radius, width / 2, height / 2)
    use(colour)
    cairo_new_path(context)
    cairo_arc(context, x + width - radius, y + radius, radius, -0.5 * Double.pi, 0)
    cairo_arc(context, x + width - radius, y + height - radius, radius, 0, 0.5 * Double.pi)
    cairo_arc(context, x + radius, y + height - radius, radius, 0.5 * Double.pi, Double.pi)
    cairo_arc(context, x + radius, y + radius, radius, Double.pi, 1.5 * Double.pi)
    cairo_close_path(context)
    cairo_fill(context)
  }

  /// Strokes all lines as one shape, so that translucent ones do not darken where they cross.
  func stroke(_ lines: [[CanvasPoint]], lineWidth: Double, _ colour: Colour) {
    guard areDrawable(lineWidth) else { return }
    use(colour)
    cairo_set_line_width(context, lineWidth)
    cairo_new_path(context)
    for line in lines where line.allSatisfy({ areDrawable($0.x, $0.y) }) {
      for (index, point) in line.enumerated() {
        if index == 0 {
          cairo_move_to(context, point.x, point.y)
        } else {
          cairo_line_to(context, point.x, point.y)
        }
      }
      // A line that ends where it starts gets a join instead of two caps.
      if line.count > 2, line.first == line.last { cairo_close_path(context) }
    }
    cairo_stroke(context)
  }

  // MARK: Text

  /// Draws text with its baseline's start at `origin`.
  func text(
    _ text: String, at origin: CanvasPoint, size: Double, bold: Bool = false, _ colour: Colour
  ) {
    guard areDrawable(origin.x, origin.y, size) else { return }
    select(size: size, bold: bold)
    use(colour)
    cairo_move_to(context, origin.x, origin.y)
    cairo_show_text(context, text)
  }

  func textWidth(_ text: String, size: Double, bold: Bool = false) -> Double {
    guard areDrawable(size) else { return 0 }
    select(size: size, bold: bold)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  private func select(size: Double, bold: Bool) {
    cairo_select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, size)
  }

  private func use(_ colour: Colour) {
    cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha)
  }
}
