import CCairo
import FaceKit
import ToolSupport

/// Some rows of a canvas as pixels: 32 bits each, blue in the lowest byte.
final class Band {
  let width: Int
  let height: Int
  private let surface: OpaquePointer
  private let context: OpaquePointer

  init(width: Int, height: Int) throws(ToolError) {
    self.width = width
    self.height = height
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
    context = cairo_create(surface)
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw ToolError(
        "drawing",
        "\(width)×\(height) pixels cannot be drawn (\(String(cString: cairo_status_to_string(status))))",
        at: "drawing", advice: "use a smaller picture")
    }
  }

  /// A whole picture.
  convenience init(copying image: MPImage) throws(ToolError) {
    try self.init(width: image.width, height: image.height)
    copyRows(of: image, from: 0)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  func fill(_ colour: Colour) {
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue)
    cairo_paint(context)
  }

  /// Paints recorded shapes; row `top` of theirs comes first.
  func paint(_ recording: OpaquePointer, shiftedUpBy top: Int) {
    cairo_set_source_surface(context, recording, 0, Double(-top))
    cairo_paint(context)
  }

  /// Paints an enlarged picture; row `top` of the enlarged one comes first.
  func paint(_ picture: Band, scale: Double, shiftedUpBy top: Int) {
    cairo_surface_flush(picture.surface)
    cairo_save(context)
    cairo_translate(context, 0, Double(-top))
    cairo_scale(context, scale, scale)
    cairo_set_source_surface(context, picture.surface, 0, 0)
    let pattern = cairo_get_source(context)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
    // Without it the filter blends the last pixels with the outside.
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_rectangle(context, 0, 0, Double(picture.width), Double(picture.height))
    cairo_fill(context)
    cairo_restore(context)
  }

  /// Copies rows of a picture, from row `top` on, as far as both reach.
  func copyRows(of image: MPImage, from top: Int) {
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let step = image.format.bytesPerPixel
    let (red, blue) = image.format == .bgra ? (2, 0) : image.format == .gray ? (0, 0) : (0, 2)
    let green = image.format == .gray ? 0 : 1
    for y in 0..<max(0, min(height, image.height - top)) {
      let from = image.pixels.base + (top + y) * image.rowStride
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

  /// Copies the first `rows` rows out as RGB.
  func copyRGB(to target: UnsafeMutablePointer<UInt8>, rows: Int) {
    cairo_surface_flush(surface)
    guard let pixels = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    for y in 0..<rows {
      let from = UnsafeRawPointer(pixels + y * stride)
      let to = target + 3 * width * y
      for x in 0..<width {
        let value = from.load(fromByteOffset: 4 * x, as: UInt32.self)
        to[3 * x] = UInt8(truncatingIfNeeded: value >> 16)
        to[3 * x + 1] = UInt8(truncatingIfNeeded: value >> 8)
        to[3 * x + 2] = UInt8(truncatingIfNeeded: value)
      }
    }
  }
}
