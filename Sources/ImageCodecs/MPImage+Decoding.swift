import FaceKitImages

/// Pictures from files and encoded bytes: JPEG, PNG, WebP, PNM, GIF and BMP; on Linux, with the package
/// trait `ImageLibraries`, HEIC, AVIF, TIFF and JPEG XL.
///
/// The pixels are 8-bit RGB, upright by the EXIF or XMP orientation: what Pillow gives for
/// `ImageOps.exif_transpose(image).convert("RGB")`. Gray is replicated, 16-bit samples keep their
/// high byte, alpha is dropped without blending, and ICC profiles, gamma and colour keys do not change the
/// colour.
extension MPImage {
  /// Decodes a whole file held in memory.
  ///
  /// - Parameters:
  ///   - bytes: The file's content, whose first bytes decide the format.
  ///   - options: Limits, and what is forgiven.
  /// - Throws: ``ImageError``, before any large allocation where a limit of `options` is exceeded.
  public init(
    encoded bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    self = try MPImage(ImageDecoder.decode(bytes, options: options))
  }

  /// Decodes a whole file held in memory.
  ///
  /// - Parameters:
  ///   - bytes: The file's content, whose first bytes decide the format.
  ///   - options: Limits, and what is forgiven.
  /// - Throws: ``ImageError``, before any large allocation where a limit of `options` is exceeded.
  public init(
    encoded bytes: [UInt8], options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    // withUnsafeBytes would rethrow untyped, so the outcome travels as a value.
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(ImageError) in try MPImage(encoded: bytes, options: options) }
    }
    self = try outcome.get()
  }

  /// Reads and decodes a file. Its content decides the format, not its name.
  ///
  /// - Parameters:
  ///   - path: A regular file.
  ///   - options: Limits, and what is forgiven.
  /// - Throws: ``ImageError`` that names the file.
  public init(
    contentsOf path: String, options: ImageDecodingOptions = .init()
  ) throws(ImageError) {
    do {
      let file = try FileBytes(path, limit: options.maximumBytes)
      try self.init(encoded: file.bytes, options: options)
    } catch {
      throw error.placed(in: path)
    }
  }

  private init(_ image: DecodedImage) throws(ImageError) {
    do {
      try self.init(pixels: image.rgb, width: image.width, height: image.height, format: .rgb)
    } catch {
      // The decoders check extents against MPImage's limits, so this says that one of them did not.
      throw ImageError(.unsupported, error.what)
    }
  }
}
