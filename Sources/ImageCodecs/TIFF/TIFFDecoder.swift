#if ImageLibraries && os(Linux)
  import CTIFF
  import FaceKitImages
  import FaceKitTensor

  /// The first page of a TIFF through libtiff: strips and tiles, all its compressions, gray, palette,
  /// RGB, YCbCr, CMYK and Lab of up to 16 bits a sample.
  enum TIFFDecoder {
    static func decode(
      _ bytes: UnsafeRawBufferPointer, options: ImageDecodingOptions
    ) throws(ImageError) -> (DecodedImage, ImageOrientation) {
      // On the heap, because libtiff keeps its address.
      let reader = UnsafeMutablePointer<facekit_tiff_reader>.allocate(capacity: 1)
      reader.initialize(to: facekit_tiff_reader())
      defer {
        facekit_tiff_close(reader)
        reader.deallocate()
      }
      let start = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
      // A piece is at most the picture with four channels of 16 bits; a directory is part of the file.
      let (largest, overflow) = options.maximumPixels.multipliedReportingOverflow(by: 8)
      let limit = (overflow ? Int.max / 2 : largest) / 2 + bytes.count + 1 << 20
      guard facekit_tiff_open(reader, start, bytes.count, Int64(limit)) == 0 else {
        throw fault(reader, .corrupt)
      }
      let (width, height) = (Int(reader.pointee.width), Int(reader.pointee.height))
      try options.check(width: width, height: height)
      let piece = Int(reader.pointee.pieceBytes)
      guard piece > 0, piece <= 16 * width * height + 1 << 20 else {
        throw ImageError(
          .corrupt, "the TIFF has a strip or tile of \(piece) bytes for \(width)×\(height) pixels")
      }
      let storage = Storage(count: 4 * width * height)
      let pixels = storage.base.assumingMemoryBound(to: UInt32.self)
      let status = facekit_tiff_rows(reader, pixels)
      guard status == 0 else { throw fault(reader, status == 2 ? .unsupported : .corrupt) }
      let image = rgb(
        pixels, width: width, height: height, isPremultiplied: reader.pointee.isPremultiplied != 0)
      return (image, orientation(reader.pointee))
    }

    /// Drops alpha, and undoes its multiplication as Pillow does: `min(255, c · 255 / a)`, rounded down.
    private static func rgb(
      _ pixels: UnsafePointer<UInt32>, width: Int, height: Int, isPremultiplied: Bool
    ) -> DecodedImage {
      let image = DecodedImage(width: width, height: height)
      for i in 0..<(width * height) {
        let alpha = pixels[i] >> 24
        for channel in 0..<3 {
          let value = pixels[i] >> UInt32(8 * channel) & 255
          let isFaded = isPremultiplied && alpha > 0 && alpha < 255
          image.pixels[3 * i + channel] = UInt8(isFaded ? min(255, value * 255 / alpha) : value)
        }
      }
      return image
    }

    private static func orientation(_ reader: facekit_tiff_reader) -> ImageOrientation {
      // The tag's absence cannot be told from its default, which says the same as XMP's silence.
      if reader.orientation != 1 {
        return ImageOrientation(exif: Int(reader.orientation)) ?? .up
      }
      guard let xmp = reader.xmp else { return .up }
      return XMP.orientation(UnsafeRawBufferPointer(start: xmp, count: Int(reader.xmpCount))) ?? .up
    }

    private static func fault(
      _ reader: UnsafeMutablePointer<facekit_tiff_reader>, _ code: ImageError.Code
    ) -> ImageError {
      let message = withUnsafeBytes(of: reader.pointee.message) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if reader.pointee.ranOut != 0 || message.contains("Read error") {
        return ImageError(
          .truncated, "the TIFF ends before its picture", byte: Int(reader.pointee.count))
      }
      if message.contains("memory") || message.contains("limit") {
        return ImageError(.tooLarge, "the TIFF asks for too much memory (\(message))")
      }
      return ImageError(code, "the TIFF cannot be decoded (\(message))")
    }
  }
#endif
