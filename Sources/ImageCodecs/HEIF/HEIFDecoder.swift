#if ImageLibraries && os(Linux)
  import CHEIF
  import FaceKitImages

  /// The primary picture of a HEIC or AVIF file through libheif.
  ///
  /// Deeper samples become 8 bits, alpha is dropped, and the file's own turns, mirrors and crops are
  /// applied; EXIF says nothing here, because the format has its own way to say it.
  enum HEIFDecoder {
    static func decode(
      _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat, options: ImageDecodingOptions
    ) throws(ImageError) -> DecodedImage {
      guard let context = heif_context_alloc() else {
        throw ImageError(.unsupported, "libheif could not be started")
      }
      defer { heif_context_free(context) }
      heif_context_set_maximum_image_size_limit(
        context, Int32(min(MPImage.maximumSide, max(1, options.maximumPixels))))
      try check(
        heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil),
        format, bytes.count)
      var primary: OpaquePointer?
      try check(
        heif_context_get_primary_image_handle(context, &primary), format, bytes.count)
      guard let primary else { throw ImageError(.corrupt, "the \(format.name) has no picture") }
      defer { heif_image_handle_release(primary) }
      // Before and after turns and crops; either may be the larger.
      try options.check(
        width: Int(heif_image_handle_get_ispe_width(primary)),
        height: Int(heif_image_handle_get_ispe_height(primary)))
      try options.check(
        width: Int(heif_image_handle_get_width(primary)),
        height: Int(heif_image_handle_get_height(primary)))

      guard let settings = heif_decoding_options_alloc() else {
        throw ImageError(.unsupported, "libheif could not be started")
      }
      defer { heif_decoding_options_free(settings) }
      settings.pointee.convert_hdr_to_8bit = 1
      settings.pointee.ignore_transformations = options.appliesOrientation ? 0 : 1
      // Half a picture is no picture.
      if settings.pointee.version >= 3 { settings.pointee.strict_decoding = 1 }
      var decoded: OpaquePointer?
      try check(
        heif_decode_image(
          primary, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, settings),
        format, bytes.count)
      guard let decoded else { throw ImageError(.corrupt, "the \(format.name) has no picture") }
      defer { heif_image_release(decoded) }
      return try rgb(decoded, format, options)
    }

    /// Copies the rows, which libheif pads.
    private static func rgb(
      _ decoded: OpaquePointer, _ format: ImageFormat, _ options: ImageDecodingOptions
    ) throws(ImageError) -> DecodedImage {
      var stride: Int32 = 0
      let width = Int(heif_image_get_width(decoded, heif_channel_interleaved))
      let height = Int(heif_image_get_height(decoded, heif_channel_interleaved))
      try options.check(width: width, height: height)
      guard let plane = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
        Int(stride) >= 3 * width
      else {
        throw ImageError(.unsupported, "the \(format.name) does not become RGB")
      }
      let image = DecodedImage(width: width, height: height)
      for y in 0..<height {
        (image.pixels + 3 * y * width).update(from: plane + y * Int(stride), count: 3 * width)
      }
      return image
    }

    private static func check(
      _ error: heif_error, _ format: ImageFormat, _ count: Int
    ) throws(ImageError) {
      if error.code == heif_error_Ok { return }
      let message = error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
      if error.subcode == heif_suberror_End_of_data {
        throw ImageError(.truncated, "the \(format.name) ends before its picture", byte: count)
      }
      if error.subcode == heif_suberror_Security_limit_exceeded
        || error.code == heif_error_Memory_allocation_error
      {
        throw ImageError(.tooLarge, "the \(format.name) is too large (\(message))")
      }
      switch error.code {
      case heif_error_Unsupported_filetype, heif_error_Unsupported_feature,
        heif_error_Plugin_loading_error:
        throw ImageError(.unsupported, "the \(format.name) is not decoded (\(message))")
      default:
        throw ImageError(.corrupt, "the \(format.name) cannot be decoded (\(message))")
      }
    }
  }
#endif
