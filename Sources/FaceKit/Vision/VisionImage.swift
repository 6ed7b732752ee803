/// Orientation and time of a picture.
public final class VisionImageMetadata {
  /// How the buffer's rows and columns stand to the upright picture.
  public var orientation = VisionDetectorImageOrientation.topLeft
  /// When the picture was taken, in the time of its stream: lets tracking predict motion well where pictures are dropped
  /// or come irregularly. Not in ML Kit.
  public var timestampInMilliseconds: Int?

  /// Row 0 at the top, column 0 at the left, no timestamp.
  public init() {}
}

/// A picture for a ``VisionFaceDetector``.
///
/// A picture that could not be read (a `UIImage` without pixels, a sample buffer of sound) is noticed when it is
/// processed, since these initialisers can't fail.
public final class VisionImage {
  /// Orientation and time. `nil` stands for the orientation that the image itself says, `.topLeft` if it is a buffer.
  public var metadata: VisionImageMetadata?

  private let source: Result<MPImage, FaceKitError>

  init(_ source: Result<MPImage, FaceKitError>) { self.source = source }

  /// A picture with its own orientation: what is read from a file, or made from pixels.
  public convenience init(image: MPImage) { self.init(.success(image)) }

  /// A camera's or video decoder's picture.
  public convenience init(buffer: YUVImage) {
    do throws(FaceKitError) {
      self.init(.success(try MPImage(yuv: buffer)))
    } catch {
      self.init(.failure(error))
    }
  }

  /// The pixels, with the orientation of the metadata, if there are any.
  func oriented() throws(FaceKitError) -> MPImage {
    let image = try source.get()
    return metadata.map { image.oriented($0.orientation.imageOrientation) } ?? image
  }
}
