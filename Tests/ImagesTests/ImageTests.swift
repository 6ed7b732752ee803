import FaceKitTensor
import Testing

@testable import FaceKitImages

@Suite("Images")
struct ImageTests {
  @Test("sides, strides and byte counts that don't fit are refused, with what would")
  func refused() {
    let bytes = [UInt8](repeating: 0, count: 100)
    let errors = [
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 0, height: 5, format: .rgb)
      },
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 5, height: -1, format: .rgb)
      },
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 1 << 40, height: 1 << 40, format: .rgb)
      },
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 5, height: 5, format: .rgba, rowStride: 19)
      },
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 5, height: 5, format: .rgb, rowStride: .max)
      },
      #expect(throws: FaceKitError.self) {
        try MPImage(copying: bytes, width: 5, height: 7, format: .rgb)
      },
    ]
    for error in errors { #expect(error?.code == .invalidArgument) }
    #expect(
      errors[5]?.description == "100 bytes of pixels — MPImage 5×7 — give 105 bytes")
  }

  @Test("the last row may end with its last pixel")
  func shortLastRow() throws {
    let image = try MPImage(
      copying: [UInt8](repeating: 0, count: 20 + 9), width: 3, height: 2, format: .rgb,
      rowStride: 20)
    #expect(image.rowStride == 20)
  }

  /// Eight ways to store a 3×2 picture with pixels 1…6, by EXIF tag.
  private static let stored: [(exif: Int, width: Int, pixels: [UInt8])] = [
    (1, 3, [1, 2, 3, 4, 5, 6]), (2, 3, [3, 2, 1, 6, 5, 4]), (3, 3, [6, 5, 4, 3, 2, 1]),
    (4, 3, [4, 5, 6, 1, 2, 3]), (5, 2, [1, 4, 2, 5, 3, 6]), (6, 2, [3, 6, 2, 5, 1, 4]),
    (7, 2, [6, 3, 5, 2, 4, 1]), (8, 2, [4, 1, 5, 2, 6, 3]),
  ]

  @Test("every orientation is brought upright", arguments: stored.indices)
  func upright(index: Int) throws {
    let (exif, width, pixels) = ImageTests.stored[index]
    let orientation = try #require(ImageOrientation(exif: exif))
    let image = try MPImage(
      copying: pixels, width: width, height: 6 / width, format: .gray, orientation: orientation)
    let upright = try image.upright()
    #expect(upright.width == 3 && upright.height == 2 && upright.orientation == .up)
    #expect(Array(upright.pixels.bytes) == [1, 2, 3, 4, 5, 6])
  }

  @Test("there is no orientation 0 or 9")
  func noOrientation() {
    #expect(ImageOrientation(exif: 0) == nil && ImageOrientation(exif: 9) == nil)
  }
}
