import FaceKit
import ToolSupport

/// RGB pixels that can be scaled and put side by side.
package struct MosaicPicture {
  package let width: Int
  package let height: Int
  package var bytes: [UInt8]

  package init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// - Throws: ``ToolError`` if the picture is gray.
  package init(_ image: MPImage) throws(ToolError) {
    guard image.format == .rgb || image.format == .rgba else {
      throw ToolError(
        "picture", "the picture is not in colour", at: "picture", advice: "give a colour picture")
    }
    let (step, pixels) = (image.format.bytesPerPixel, image.pixels.bytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(image.width * image.height * 3)
    for y in 0..<image.height {
      for x in 0..<image.width {
        let at = y * image.rowStride + x * step
        bytes += [pixels[at], pixels[at + 1], pixels[at + 2]]
      }
    }
    self.init(width: image.width, height: image.height, bytes: bytes)
  }

  package var image: MPImage {
    get throws { try MPImage(copying: bytes, width: width, height: height, format: .rgb) }
  }

  /// A square of this picture at another size, bilinear; black outside.
  package func scaled(
    x left: Double, y top: Double, side: Double, to size: (width: Int, height: Int)
  )
    -> MosaicPicture
  {
    var result = MosaicPicture(
      width: size.width, height: size.height,
      bytes: [UInt8](repeating: 0, count: size.width * size.height * 3))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let px = left + (Double(x) + 0.5) * side / Double(size.width) - 0.5
        let py = top + (Double(y) + 0.5) * side / Double(size.height) - 0.5
        for channel in 0..<3 {
          result.bytes[(y * size.width + x) * 3 + channel] = sample(px, py, channel)
        }
      }
    }
    return result
  }

  private func sample(_ x: Double, _ y: Double, _ channel: Int) -> UInt8 {
    let (x0, y0) = (x.rounded(.down), y.rounded(.down))
    func at(_ dx: Int, _ dy: Int) -> Double {
      let (column, row) = (Int(x0) + dx, Int(y0) + dy)
      guard (0..<width).contains(column), (0..<height).contains(row) else { return 0 }
      return Double(bytes[(row * width + column) * 3 + channel])
    }
    let (fx, fy) = (x - x0, y - y0)
    let upper = at(0, 0) * (1 - fx) + at(1, 0) * fx
    let lower = at(0, 1) * (1 - fx) + at(1, 1) * fx
    return UInt8((upper * (1 - fy) + lower * fy).rounded())
  }

  /// A grid of `columns` × `rows` cells, the first `count` of which show `cell`, the others gray.
  package static func mosaic(of cell: MosaicPicture, count: Int, columns: Int, rows: Int)
    -> MosaicPicture
  {
    let width = columns * cell.width
    var result = MosaicPicture(
      width: width, height: rows * cell.height,
      bytes: [UInt8](repeating: 128, count: width * rows * cell.height * 3))
    for index in 0..<count {
      for y in 0..<cell.height {
        let row = index / columns * cell.height + y
        let start = (row * width + index % columns * cell.width) * 3
        result.bytes.replaceSubrange(
          start..<(start + cell.width * 3),
          with: cell.bytes[(y * cell.width * 3)..<((y + 1) * cell.width * 3)])
      }
    }
    return result
  }
}
