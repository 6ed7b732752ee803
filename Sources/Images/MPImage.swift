import FaceKitTensor

/// A picture as the face tasks read it: 8-bit pixels in rows, and how they stand to the upright
/// picture.
///
/// Results are given in the coordinates of the *stored* pixels, as MediaPipe gives them; use
/// ``upright()`` first to have them in upright coordinates. ``orientation`` tells the detector which
/// way is up; expression and pose are computed from the stored coordinates, as MediaPipe does, so for
/// them too a picture that lies on its side is better turned upright first. Mirrored orientations,
/// which MediaPipe refuses, are supported: the picture is read mirrored, so that left and right stay
/// the subject's, and coordinates are mapped back.
///
/// Pictures from files and encoded bytes come from the `ImageCodecs` module.
public struct MPImage: Sendable {
  /// MediaPipe's name for ``ImageOrientation``.
  public typealias Orientation = ImageOrientation

  /// Pixels of a stored row.
  public let width: Int
  /// Stored rows.
  public let height: Int
  /// How the bytes of one pixel are laid out.
  public let format: PixelFormat
  /// Bytes from one row to the next, at least `width · bytesPerPixel`.
  public let rowStride: Int
  /// How the stored pixels relate to the upright picture.
  public let orientation: ImageOrientation
  /// The rows, top first, without a copy of what was given.
  public let pixels: StorageView

  /// The largest width and height accepted, far beyond any camera: keeps every size computation
  /// clear of overflow.
  public static let maximumSide = 1 << 20

  /// Adopts pixels without a copy.
  ///
  /// - Parameters:
  ///   - pixels: Rows of 8-bit pixels, top row first, which must not change while the image is used.
  ///     The last row may end with its last pixel.
  ///   - width: Pixels of a row, `1...maximumSide`.
  ///   - height: Rows, `1...maximumSide`.
  ///   - format: How the bytes of a pixel are laid out.
  ///   - rowStride: Bytes from one row to the next; `nil` stands for rows without padding.
  ///   - orientation: How the stored pixels relate to the upright picture.
  /// - Throws: ``FaceKitError`` `invalidArgument` if a side is not in `1...maximumSide`, the stride is
  ///   shorter than a row, or there are fewer bytes than the rows need.
  public init(
    pixels: StorageView, width: Int, height: Int, format: PixelFormat, rowStride: Int? = nil,
    orientation: ImageOrientation = .up
  ) throws(FaceKitError) {
    let place = "MPImage \(width)×\(height)"
    guard width >= 1, height >= 1, width <= MPImage.maximumSide, height <= MPImage.maximumSide
    else {
      throw .invalid(
        "an image of \(width)×\(height) pixels", at: "MPImage",
        advice: "give sides of 1 to \(MPImage.maximumSide) pixels")
    }
    let row = width * format.bytesPerPixel
    let stride = rowStride ?? row
    guard stride >= row, stride <= Int.max / 2 / height else {
      throw .invalid(
        "row stride \(stride)", at: place, advice: "a row of \(width) pixels needs \(row) bytes")
    }
    // The last row may end with its last pixel: buffers of padded cameras often do.
    let needed = stride * (height - 1) + row
    guard pixels.count >= needed else {
      throw .invalid("\(pixels.count) bytes of pixels", at: place, advice: "give \(needed) bytes")
    }
    self.pixels = pixels
    self.width = width
    self.height = height
    self.format = format
    self.rowStride = stride
    self.orientation = orientation
  }

  /// Copies pixels from an array.
  ///
  /// - Parameters:
  ///   - bytes: Rows of 8-bit pixels, top row first. The last row may end with its last pixel.
  ///   - width: Pixels of a row, `1...maximumSide`.
  ///   - height: Rows, `1...maximumSide`.
  ///   - format: How the bytes of a pixel are laid out.
  ///   - rowStride: Bytes from one row to the next; `nil` stands for rows without padding.
  ///   - orientation: How the stored pixels relate to the upright picture.
  /// - Throws: As ``init(pixels:width:height:format:rowStride:orientation:)``.
  public init(
    copying bytes: [UInt8], width: Int, height: Int, format: PixelFormat, rowStride: Int? = nil,
    orientation: ImageOrientation = .up
  ) throws(FaceKitError) {
    try self.init(
      pixels: StorageView(Storage(copying: bytes)), width: width, height: height, format: format,
      rowStride: rowStride, orientation: orientation)
  }

  /// The same pixels, read with another orientation; nothing is copied.
  ///
  /// - Parameter orientation: How the stored pixels relate to the upright picture.
  /// - Returns: An image that shares this one's pixels.
  public func oriented(_ orientation: ImageOrientation) -> MPImage {
    MPImage(self, orientation: orientation)
  }

  private init(_ other: MPImage, orientation: ImageOrientation) {
    width = other.width
    height = other.height
    format = other.format
    rowStride = other.rowStride
    pixels = other.pixels
    self.orientation = orientation
  }
}

extension MPImage {
  /// Width of the picture once it stands upright, in pixels.
  public var uprightWidth: Int { orientation.swapsSides ? height : width }
  /// Height of the picture once it stands upright, in pixels.
  public var uprightHeight: Int { orientation.swapsSides ? width : height }

  /// The picture turned upright: a copy with orientation `.up`, or the image itself if it is.
  ///
  /// - Throws: Nothing for an image that could be made; the type is that of the initialiser.
  public func upright() throws(FaceKitError) -> MPImage {
    if orientation == .up { return self }
    let bytes = format.bytesPerPixel
    let (w, h) = (uprightWidth, uprightHeight)
    let storage = Storage(count: w * h * bytes)
    for y in 0..<h {
      var to = storage.base + y * w * bytes
      for x in 0..<w {
        let (column, row) = storedPosition(ofUpright: x, y)
        to.copyMemory(from: pixels.base + row * rowStride + column * bytes, byteCount: bytes)
        to += bytes
      }
    }
    return try MPImage(pixels: StorageView(storage), width: w, height: h, format: format)
  }

  /// Where the upright picture's pixel `(x, y)` is stored.
  package func storedPosition(ofUpright x: Int, _ y: Int) -> (column: Int, row: Int) {
    let column: Int
    let row: Int
    switch orientation.quarterTurns {
    case 0: (column, row) = (x, y)
    case 1: (column, row) = (y, height - 1 - x)
    case 2: (column, row) = (width - 1 - x, height - 1 - y)
    default: (column, row) = (width - 1 - y, x)
    }
    // The turn applies to the mirrored picture; undo the mirror last.
    return (orientation.isMirrored ? width - 1 - column : column, row)
  }
}
