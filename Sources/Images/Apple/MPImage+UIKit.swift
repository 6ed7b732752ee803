#if canImport(UIKit) && !os(watchOS)
  public import UIKit
  import FaceKitTensor

  extension ImageOrientation {
    /// The orientation of the same name.
    ///
    /// - Parameter orientation: What UIKit calls it; values it may get later count as `.up`.
    public init(_ orientation: UIImage.Orientation) {
      self =
        switch orientation {
        case .down: .down
        case .left: .left
        case .right: .right
        case .upMirrored: .upMirrored
        case .downMirrored: .downMirrored
        case .leftMirrored: .leftMirrored
        case .rightMirrored: .rightMirrored
        default: .up
        }
    }
  }

  extension MPImage {
    /// Draws a `UIImage` into 8-bit RGBA, at the pixel size it is stored in.
    ///
    /// - Parameter uiImage: An image made of pixels; its orientation is kept.
    /// - Throws: ``FaceKitError`` `invalidArgument` for an image that is not made of pixels.
    public init(uiImage: UIImage) throws(FaceKitError) {
      try self.init(uiImage: uiImage, orientation: uiImage.imageOrientation)
    }

    /// Draws a `UIImage`, and reads it with another orientation than its own.
    ///
    /// - Parameters:
    ///   - uiImage: An image made of pixels.
    ///   - orientation: How the stored pixels relate to the upright picture.
    /// - Throws: ``FaceKitError`` `invalidArgument` for an image that is not made of pixels.
    public init(uiImage: UIImage, orientation: UIImage.Orientation) throws(FaceKitError) {
      guard let picture = uiImage.cgImage else {
        throw .invalid(
          "a UIImage without a CGImage", at: "MPImage", advice: "render it to a bitmap first")
      }
      let (width, height) = (picture.width, picture.height)
      let stride = width * 4
      let storage = Storage(count: stride * height)
      guard
        let context = CGContext(
          data: storage.base, width: width, height: height, bitsPerComponent: 8,
          bytesPerRow: stride, space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else {
        throw .invalid(
          "an image of \(width)×\(height) pixels", at: "MPImage",
          advice: "it does not fit a bitmap: scale it down")
      }
      context.draw(picture, in: CGRect(x: 0, y: 0, width: width, height: height))
      MPImage.unpremultiply(storage)
      try self.init(
        pixels: StorageView(storage), width: width, height: height, format: .rgba,
        orientation: ImageOrientation(orientation))
    }

    /// Undoes the multiplication by alpha that bitmap contexts insist on.
    private static func unpremultiply(_ storage: Storage) {
      for pixel in stride(from: 0, to: storage.count, by: 4) {
        let bytes = (storage.base + pixel).assumingMemoryBound(to: UInt8.self)
        let alpha = Int(bytes[3])
        if alpha == 0 || alpha == 255 { continue }
        for channel in 0..<3 {
          bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha))
        }
      }
    }
  }
#endif
