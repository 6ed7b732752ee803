import FaceKitTensor

/// A picture as cameras and video decoders deliver it: a plane of luma, and chroma at half the
/// resolution on both axes (4:2:0), 8 bits each.
public struct YUVImage: Sendable {
  /// How red, green and blue were weighted.
  public enum Matrix: Sendable, Hashable, CaseIterable {
    /// Standard definition, JPEG, and most cameras' stills.
    case bt601
    /// High definition.
    case bt709
  }

  /// Which values are black and white.
  public enum Range: Sendable, Hashable, CaseIterable {
    /// Luma 16…235, chroma 16…240.
    case video
    /// 0…255.
    case full
  }

  /// Rows of bytes.
  public struct Plane: Sendable {
    /// The rows, top first. The last may end with its last sample.
    public var bytes: StorageView
    /// Bytes from row to row.
    public var rowStride: Int

    /// A plane in memory that must not change while it is used.
    ///
    /// - Parameters:
    ///   - bytes: The rows, top first.
    ///   - rowStride: Bytes from row to row.
    public init(_ bytes: StorageView, rowStride: Int) {
      self.bytes = bytes
      self.rowStride = rowStride
    }
  }

  /// Chroma samples, in one plane or two.
  public enum Chroma: Sendable {
    /// One plane of pairs, Cb first (NV12, and all biplanar formats of Apple).
    case cbcr(Plane)
    /// One plane of pairs, Cr first (NV21).
    case crcb(Plane)
    /// Two planes (I420).
    case planar(cb: Plane, cr: Plane)
  }

  /// Luma samples of a row.
  public var width: Int
  /// Rows of luma.
  public var height: Int
  /// A sample for each pixel.
  public var luma: Plane
  /// Two samples for each block of 2×2 pixels; odd sides are rounded up.
  public var chroma: Chroma
  /// How red, green and blue were weighted.
  public var matrix: Matrix
  /// Which values are black and white.
  public var range: Range

  /// A picture from its planes. ``rgb()`` checks that they are large enough.
  ///
  /// - Parameters:
  ///   - width: Luma samples of a row, `1...MPImage.maximumSide`.
  ///   - height: Rows of luma, `1...MPImage.maximumSide`.
  ///   - luma: `height` rows of `width` bytes.
  ///   - chroma: `(height + 1) / 2` rows of `(width + 1) / 2` samples each of Cb and Cr.
  ///   - matrix: How red, green and blue were weighted.
  ///   - range: Which values are black and white.
  public init(
    width: Int, height: Int, luma: Plane, chroma: Chroma, matrix: Matrix, range: Range
  ) {
    self.width = width
    self.height = height
    self.luma = luma
    self.chroma = chroma
    self.matrix = matrix
    self.range = range
  }

  private var coefficients: YUVCoefficients {
    let isFullRange = range == .full
    return switch matrix {
    case .bt601: YUVCoefficients(redWeight: 0.299, blueWeight: 0.114, isFullRange: isFullRange)
    case .bt709: YUVCoefficients(redWeight: 0.2126, blueWeight: 0.0722, isFullRange: isFullRange)
    }
  }

  /// The picture as RGB rows without padding. A block of 2×2 pixels shares its chroma sample.
  ///
  /// - Returns: `3 · width · height` bytes.
  /// - Throws: ``FaceKitError`` `invalidArgument` if a side is not in `1...MPImage.maximumSide`, or a
  ///   plane has too few bytes or too short a stride.
  public func rgb() throws(FaceKitError) -> StorageView {
    let limit = MPImage.maximumSide
    guard width >= 1, height >= 1, width <= limit, height <= limit else {
      throw .invalid(
        "an image of \(width)×\(height) pixels", at: "YUVImage",
        advice: "give sides of 1 to \(limit) pixels")
    }
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    try check(luma, "luma", rowBytes: width, rows: height)
    let (u, v, step): (UnsafePointer<UInt8>, UnsafePointer<UInt8>, Int)
    let (uStride, vStride): (Int, Int)
    switch chroma {
    case .cbcr(let plane), .crcb(let plane):
      try check(plane, "chroma", rowBytes: 2 * halfWidth, rows: halfHeight)
      let base = pointer(plane)
      let isReversed = if case .crcb = chroma { true } else { false }
      (u, v, step) = (isReversed ? base + 1 : base, isReversed ? base : base + 1, 2)
      (uStride, vStride) = (plane.rowStride, plane.rowStride)
    case .planar(let cb, let cr):
      try check(cb, "Cb", rowBytes: halfWidth, rows: halfHeight)
      try check(cr, "Cr", rowBytes: halfWidth, rows: halfHeight)
      (u, v, step) = (pointer(cb), pointer(cr), 1)
      (uStride, vStride) = (cb.rowStride, cr.rowStride)
    }
    let storage = Storage(count: width * height * 3)
    let to = storage.base.assumingMemoryBound(to: UInt8.self)
    let y = pointer(luma)
    for row in 0..<height {
      yuvRow(
        luma: y + row * luma.rowStride, u: u + row / 2 * uStride, v: v + row / 2 * vStride,
        chromaStride: step, count: width, coefficients, into: to + row * width * 3)
    }
    // The planes must outlive the loop that only holds their addresses.
    withExtendedLifetime(self) {}
    return StorageView(storage)
  }

  private func pointer(_ plane: Plane) -> UnsafePointer<UInt8> {
    plane.bytes.base.assumingMemoryBound(to: UInt8.self)
  }

  private func check(
    _ plane: Plane, _ name: String, rowBytes: Int, rows: Int
  ) throws(FaceKitError) {
    let place = "YUVImage \(width)×\(height), \(name) plane"
    guard plane.rowStride >= rowBytes, plane.rowStride <= Int.max / 2 / rows else {
      throw .invalid(
        "row stride \(plane.rowStride)", at: place, advice: "a row needs \(rowBytes) bytes")
    }
    let needed = plane.rowStride * (rows - 1) + rowBytes
    guard plane.bytes.count >= needed else {
      throw .invalid("\(plane.bytes.count) bytes", at: place, advice: "give \(needed) bytes")
    }
  }
}

extension MPImage {
  /// Converts a camera's or video decoder's picture to RGB.
  ///
  /// - Parameters:
  ///   - yuv: The planes.
  ///   - orientation: How the stored pixels relate to the upright picture.
  /// - Throws: See ``YUVImage/rgb()``.
  public init(yuv: YUVImage, orientation: ImageOrientation = .up) throws(FaceKitError) {
    try self.init(
      pixels: yuv.rgb(), width: yuv.width, height: yuv.height, format: .rgb,
      orientation: orientation)
  }
}
