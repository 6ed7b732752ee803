import FaceKitImages
import FaceKitTensor

/// Upright 8-bit RGB pixels: what every decoder delivers.
struct DecodedImage {
  let width: Int
  let height: Int
  /// `3 · width · height` bytes in row-major order, without padding.
  let rgb: StorageView

  init(width: Int, height: Int, rgb: StorageView) {
    precondition(rgb.count == 3 * width * height, "\(width)×\(height) RGB in \(rgb.count) bytes")
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// Reserves pixels for a decoder to fill. Call ``ImageDecodingOptions/check(width:height:)`` first.
  init(width: Int, height: Int) {
    self.init(width: width, height: height, rgb: StorageView(Storage(count: 3 * width * height)))
  }

  /// The pixels for writing; only decoders hold an image that nobody else has seen yet.
  var pixels: UnsafeMutablePointer<UInt8> {
    (rgb.storage.base + rgb.offset).assumingMemoryBound(to: UInt8.self)
  }
}

/// What a decoder may spend, and what it may forgive.
public struct ImageDecodingOptions: Sendable, Hashable {
  /// The most pixels a picture may have. Checked against the header, before any memory is reserved.
  public var maximumPixels = 100_000_000
  /// The longest file that is read.
  public var maximumBytes = 1 << 29
  /// Whether the orientation that the file states (EXIF, XMP, or its own way) is applied, so that the
  /// result is upright.
  public var appliesOrientation = true
  /// Whether a JPEG with damaged or missing data gives the part that could be decoded, at full size
  /// with the rest gray, rather than an error.
  public var acceptsDamagedJPEG = false

  /// Limits of 100 million pixels and 512 MiB, orientation applied, damaged files refused.
  public init() {}

  /// Refuses empty pictures and those beyond ``maximumPixels``.
  func check(width: Int, height: Int) throws(ImageError) {
    guard width > 0, height > 0 else {
      throw ImageError(.corrupt, "the picture has no pixels (\(width)×\(height))")
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= maximumPixels else {
      throw ImageError(
        .tooLarge,
        "the picture has \(width)×\(height) pixels, and the limit is \(maximumPixels)")
    }
    guard width <= MPImage.maximumSide, height <= MPImage.maximumSide else {
      throw ImageError(
        .tooLarge,
        "the picture has \(width)×\(height) pixels, and no side may exceed \(MPImage.maximumSide)")
    }
  }
}
