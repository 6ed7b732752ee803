/// How the bytes of one pixel are laid out. All channels are 8 bits, sRGB, taken as they are: no
/// colour management, and alpha never influences a result.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
  /// Red, green and blue: 3 bytes.
  case rgb
  /// Red, green, blue and alpha: 4 bytes.
  case rgba
  /// Blue, green, red and alpha, 4 bytes: what `CVPixelBuffer` cameras deliver as 32BGRA.
  case bgra
  /// One channel, read as equal red, green and blue. (MediaPipe accepts gray images and then fails
  /// in inference, which ends the task instance; here they simply work.)
  case gray

  /// Bytes from one pixel to the next: 1, 3 or 4.
  public var bytesPerPixel: Int {
    switch self {
    case .rgb: 3
    case .rgba, .bgra: 4
    case .gray: 1
    }
  }

  /// Offsets of red, green and blue within a pixel, in bytes.
  package var channelOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .rgb, .rgba: (0, 1, 2)
    case .bgra: (2, 1, 0)
    case .gray: (0, 0, 0)
    }
  }
}
