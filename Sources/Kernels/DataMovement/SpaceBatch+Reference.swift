/// The extents of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, both seen from the spatial side: an image
/// with a border, cut into blocks whose like-placed pixels form images of their own.
public struct SpaceBatchShape: Sendable, Hashable {
  public var batch: Int
  /// The image on the spatial side, and its pixel's bytes.
  public var height, width, pixelBytes: Int
  public var blockHeight, blockWidth: Int
  /// Border before the image.
  public var top, left: Int
  /// Each small image on the batch side.
  public var rows, columns: Int

  public init(
    batch: Int, image: (height: Int, width: Int), pixelBytes: Int,
    block: (height: Int, width: Int), border: (top: Int, left: Int),
    small: (rows: Int, columns: Int)
  ) {
    self.batch = batch
    (height, width) = image
    self.pixelBytes = pixelBytes
    (blockHeight, blockWidth) = block
    (top, left) = border
    (rows, columns) = small
  }

  /// Calls `body` with the byte offsets of each pixel on the batch side and, if it is not border, on
  /// the spatial side. Small image `(by · blockWidth + bx) · batch + n` has the pixels of image n at
  /// (by, bx) of their blocks.
  @inline(__always)
  func forEachPixel(_ body: (_ batchSide: Int, _ spaceSide: Int?) -> Void) {
    var offset = 0
    for by in 0..<blockHeight {
      for bx in 0..<blockWidth {
        for n in 0..<batch {
          for row in 0..<rows {
            for column in 0..<columns {
              let y = row * blockHeight + by - top
              let x = column * blockWidth + bx - left
              let isInside = y >= 0 && y < height && x >= 0 && x < width
              body(offset, isInside ? ((n * height + y) * width + x) * pixelBytes : nil)
              offset += pixelBytes
            }
          }
        }
      }
    }
  }
}

extension Reference {
  /// SPACE_TO_BATCH_ND. Border pixels are filled with the element at `value`.
  public static func spaceToBatch(
    _ shape: SpaceBatchShape, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    value: UnsafeRawPointer, width: Int
  ) {
    shape.forEachPixel { batchSide, spaceSide in
      if let spaceSide {
        (output + batchSide).copyMemory(from: input + spaceSide, byteCount: shape.pixelBytes)
      } else {
        fill(output + batchSide, with: value, width: width, count: shape.pixelBytes / width)
      }
    }
  }

  /// BATCH_TO_SPACE_ND. Border pixels are cropped.
  public static func batchToSpace(
    _ shape: SpaceBatchShape, input: UnsafeRawPointer, output: UnsafeMutableRawPointer
  ) {
    shape.forEachPixel { batchSide, spaceSide in
      if let spaceSide {
        (output + spaceSide).copyMemory(from: input + batchSide, byteCount: shape.pixelBytes)
      }
    }
  }
}
