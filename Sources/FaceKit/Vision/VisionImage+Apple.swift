#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension VisionImage {
    /// A picture of the interface. ML Kit wants its orientation to be `.up`; here any will do.
    public convenience init(image: UIImage) {
      do throws(FaceKitError) {
        self.init(.success(try MPImage(uiImage: image)))
      } catch {
        self.init(.failure(error))
      }
    }
  }
#endif

#if canImport(CoreMedia)
  public import CoreMedia

  extension VisionImage {
    /// A camera's sample. Set ``metadata`` to say how the camera is held.
    public convenience init(buffer: CMSampleBuffer) {
      do throws(FaceKitError) {
        self.init(.success(try MPImage(sampleBuffer: buffer)))
      } catch {
        self.init(.failure(error))
      }
    }
  }
#endif
