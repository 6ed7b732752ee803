#if ImageLibraries && os(Linux)
  import CJXL
  import FaceKitImages

  /// JPEG XL through libjxl: the first frame, turned upright by the library, alpha dropped.
  enum JXLDecoder {
    /// Alpha, depth, spot colours and the like; each costs a plane of the picture's size.
    private static let mostExtraChannels: UInt32 = 8

    static func decode(
      _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
    ) throws(ImageError) -> DecodedImage {
      guard let decoder = JxlDecoderCreate(nil) else {
        throw ImageError(.unsupported, "libjxl could not be started")
      }
      defer { JxlDecoderDestroy(decoder) }
      let events = Int32(JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
      let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard JxlDecoderSubscribeEvents(decoder, events) == JXL_DEC_SUCCESS,
        JxlDecoderSetKeepOrientation(decoder, options.appliesOrientation ? 0 : 1)
          == JXL_DEC_SUCCESS,
        JxlDecoderSetInput(decoder, start, bytes.count) == JXL_DEC_SUCCESS
      else { throw corrupt }
      JxlDecoderCloseInput(decoder)
      var image: DecodedImage?
      while true {
        switch JxlDecoderProcessInput(decoder) {
        case JXL_DEC_BASIC_INFO: image = try makeImage(decoder, options)
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          guard let image else { throw corrupt }
          var layout = JxlPixelFormat(
            num_channels: 3, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
          let status = JxlDecoderSetImageOutBuffer(
            decoder, &layout, image.pixels, image.rgb.count)
          guard status == JXL_DEC_SUCCESS else {
            throw ImageError(.unsupported, "the JPEG XL does not become RGB")
          }
        case JXL_DEC_FULL_IMAGE:
          guard let image else { throw corrupt }
          return image
        case JXL_DEC_NEED_MORE_INPUT:
          throw ImageError(
            .truncated, "the JPEG XL ends before its picture", byte: bytes.count)
        default: throw corrupt
        }
      }
    }

    private static func makeImage(
      _ decoder: OpaquePointer, _ options: ImageDecodingOptions
    ) throws(ImageError) -> DecodedImage {
      var info = JxlBasicInfo()
      guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw corrupt }
      try options.check(width: Int(info.xsize), height: Int(info.ysize))
      guard info.num_extra_channels <= mostExtraChannels else {
        throw ImageError(
          .unsupported, "JPEG XL with \(info.num_extra_channels) extra channels is not decoded")
      }
      return DecodedImage(width: Int(info.xsize), height: Int(info.ysize))
    }

    private static var corrupt: ImageError {
      ImageError(.corrupt, "the JPEG XL cannot be decoded")
    }
  }
#endif
