#if canImport(CoreMedia)
  public import CoreMedia

  extension MPImage {
    /// Copies the picture of a camera's sample.
    ///
    /// - Parameters:
    ///   - sampleBuffer: A sample in one of the formats of ``init(pixelBuffer:orientation:)``.
    ///   - orientation: How the stored pixels relate to the upright picture.
    /// - Throws: ``FaceKitError`` `invalidArgument` if the sample holds no picture or one in another
    ///   format.
    public init(
      sampleBuffer: CMSampleBuffer, orientation: ImageOrientation = .up
    ) throws(FaceKitError) {
      guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else {
        throw .invalid(
          "a sample buffer without a picture", at: "MPImage",
          advice: "give samples of a video output")
      }
      try self.init(pixelBuffer: pixelBuffer, orientation: orientation)
    }
  }
#endif
