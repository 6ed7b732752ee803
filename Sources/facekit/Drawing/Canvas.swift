import CCairo
import FaceKit
import ImageCodecs

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

/// A picture to draw on, through Cairo: lines, discs, text. Owns its surface and frees it.
final class Canvas {
  let width: Int
  let height: Int
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// An empty canvas.
  init(width: Int, height: Int, background: Colour) throws(ToolError) {
    self.width = width
    self.height = height
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
    context = cairo_create(surface)
    guard cairo_status(context) == CAIRO_STATUS_SUCCESS else {
      let reason = String(cString: cairo_status_to_string(cairo_status(context)))
      cairo_destroy(context)
      cairo_surface_destroy(surface)
      throw ToolError(
        "drawing", "a canvas of \(width)×\(height) pixels cannot be made (\(reason))",
        at: "drawing",
        advice: "use a smaller picture")
    }
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    fill(x: 0, y: 0, width: Double(width), height: Double(height), background)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  // MARK: Pictures

  /// Copies an upright picture to the top left corner, each pixel as `scale` × `scale`, smoothed.
  func place(_ image: MPImage, scale: Int) throws(ToolError) {
    if scale == 1 {
      copyPixels(of: image)
      return
    }
    let original = try Canvas(
      width: image.width, height: image.height, background: Colour(0x000000))
    original.copyPixels(of: image)
    cairo_surface_flush(original.surface)
    cairo_save(context)
    cairo_scale(context, Double(scale), Double(scale))
    cairo_set_source_surface(context, original.surface, 0, 0)
    let pattern = cairo_get_source(context)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
    // Without it the filter blends the last pixels with the outside.
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_rectangle(context, 0, 0, Double(image.width), Double(image.height))
    cairo_fill(context)
    cairo_restore(context)
  }

  private func copyPixels(of image: MPImage) {
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let step = image.format.bytesPerPixel
    let (red, blue) = image.format == .bgra ? (2, 0) : image.format == .gray ? (0, 0) : (0, 2)
    let green = image.format == .gray ? 0 : 1
    cairo_surface_flush(surface)
    for y in 0..<min(height, image.height) {
      let from = image.pixels.base + y * image.rowStride
      let to = UnsafeMutableRawPointer(pixels + y * stride)
      for x in 0..<min(width, image.width) {
        let pixel = from + x * step
        let value =
          UInt32(pixel.load(fromByteOffset: red, as: UInt8.self)) << 16
          | UInt32(pixel.load(fromByteOffset: green, as: UInt8.self)) << 8
          | UInt32(pixel.load(fromByteOffset: blue, as: UInt8.self))
        to.storeBytes(of: value, toByteOffset: 4 * x, as: UInt32.self)
      }
    }
    cairo_surface_mark_dirty(surface)
  }

  /// Writes the canvas as PNG, or as JPEG where the name says so.
  func write(to path: String) throws {
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    try ImageEncoder.write(
      PixelRows(
        base: pixels, width: width, height: height,
        stride: Int(cairo_image_surface_get_stride(surface)), order: .bgrx),
      to: path)
  }

  /// Blue, green, red and an unused byte of one pixel, for tests.
  func pixel(x: Int, y: Int) -> [UInt8] {
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else { return [] }
    let start = y * Int(cairo_image_surface_get_stride(surface)) + 4 * x
    return (0..<4).map { pixels[start + $0] }
  }

  // MARK: Shapes

  func fill(x: Double, y: Double, width: Double, height: Double, _ colour: Colour) {
    use(colour)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
  }

  func disc(_ centre: CanvasPoint, radius: Double, _ colour: Colour) {
    use(colour)
    cairo_new_path(context)
    cairo_arc(context, centre.x, centre.y, radius, 0, 2 * Double.pi)
    cairo_fill(context)
  }

  func ring(_ centre: CanvasPoint, radius: Double, lineWidth: Double, _ colour: Colour) {
    use(colour)
    cairo_new_path(context)
    cairo_arc(context, centre.x, centre.y, radius, 0, 2 * Double.pi)
    cairo_set_line_width(context, lineWidth)
    cairo_stroke(context)
  }

  func rounded(
    x: Double, y: Double, width: Double, height: Double, radius: Double, _ colour: Colour
  ) {
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
    use(colour)
    cairo_set_line_width(context, lineWidth)
    cairo_new_path(context)
    for line in lines {
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
    select(size: size, bold: bold)
    use(colour)
    cairo_move_to(context, origin.x, origin.y)
    cairo_show_text(context, text)
  }

  func textWidth(_ text: String, size: Double, bold: Bool = false) -> Double {
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
