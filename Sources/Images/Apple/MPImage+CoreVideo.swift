#if canImport(CoreVideo)
  public import CoreVideo
  import FaceKitTensor

  extension MPImage {
    /// Copies a pixel buffer.
    ///
    /// - Parameters:
    ///   - pixelBuffer: 32BGRA, 32RGBA, 24RGB, one component, or biplanar 4:2:0 in video or full range
    ///     (BT.601 or BT.709 as its attachment says, BT.601 without one).
    ///   - orientation: How the stored pixels relate to the upright picture.
    /// - Throws: ``FaceKitError`` `invalidArgument` for another format, or a buffer that cannot be
    ///   read.
    public init(
      pixelBuffer: CVPixelBuffer, orientation: ImageOrientation = .up
    ) throws(FaceKitError) {
      guard CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly) == kCVReturnSuccess else {
        throw .invalid(
          "a pixel buffer that cannot be locked", at: "MPImage",
          advice: "give a buffer in main memory")
      }
      defer { CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly) }
      let width = CVPixelBufferGetWidth(pixelBuffer)
      let height = CVPixelBufferGetHeight(pixelBuffer)
      switch CVPixelBufferGetPixelFormatType(pixelBuffer) {
      case kCVPixelFormatType_32BGRA:
        try self.init(pixelBuffer, width, height, .bgra, orientation)
      case kCVPixelFormatType_32RGBA:
        try self.init(pixelBuffer, width, height, .rgba, orientation)
      case kCVPixelFormatType_24RGB:
        try self.init(pixelBuffer, width, height, .rgb, orientation)
      case kCVPixelFormatType_OneComponent8:
        try self.init(pixelBuffer, width, height, .gray, orientation)
      case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange:
        try self.init(pixelBuffer, width, height, .video, orientation)
      case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
        try self.init(pixelBuffer, width, height, .full, orientation)
      case let format:
        throw .invalid(
          "pixel format \(format)", at: "MPImage",
          advice: "set the camera's output to kCVPixelFormatType_32BGRA")
      }
    }

    private init(
      _ buffer: CVPixelBuffer, _ width: Int, _ height: Int, _ format: PixelFormat,
      _ orientation: ImageOrientation
    ) throws(FaceKitError) {
      let stride = CVPixelBufferGetBytesPerRow(buffer)
      try self.init(
        pixels: MPImage.copy(CVPixelBufferGetBaseAddress(buffer), stride * height), width: width,
        height: height, format: format, rowStride: stride, orientation: orientation)
    }

    private init(
      _ buffer: CVPixelBuffer, _ width: Int, _ height: Int, _ range: YUVImage.Range,
      _ orientation: ImageOrientation
    ) throws(FaceKitError) {
      func plane(_ index: Int) -> YUVImage.Plane {
        let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, index)
        let rows = CVPixelBufferGetHeightOfPlane(buffer, index)
        return YUVImage.Plane(
          MPImage.copy(CVPixelBufferGetBaseAddressOfPlane(buffer, index), stride * rows),
          rowStride: stride)
      }
      let matrix = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil)
      let isHD = matrix.map { CFEqual($0, kCVImageBufferYCbCrMatrix_ITU_R_709_2) } ?? false
      try self.init(
        yuv: YUVImage(
          width: width, height: height, luma: plane(0), chroma: .cbcr(plane(1)),
          matrix: isHD ? .bt709 : .bt601, range: range), orientation: orientation)
    }

    /// The buffer belongs to its pool and is overwritten by a later frame, hence the copy.
    private static func copy(_ base: UnsafeMutableRawPointer?, _ count: Int) -> StorageView {
      guard let base, count > 0 else { return StorageView(Storage(count: 0)) }
      let storage = Storage(count: count)
      storage.base.copyMemory(from: base, byteCount: count)
      return StorageView(storage)
    }
  }
#endif
