/// How the bytes of one pixel are laid out. All channels are 8 bits, sRGB, taken as they are: no
/// colour management, and alpha never influences a result.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
  case rgb
  case rgba
  /// What `CVPixelBuffer` cameras deliver as 32BGRA.
  case bgra
  /// One channel, read as equal red, green and blue. (MediaPipe accepts gray images and then fails
  /// in inference, which ends the task instance; here they simply work.)
  case gray

  public var bytesPerPixel: Int {
    switch self {
    case .rgb: 3
    case .rgba, .bgra: 4
    case .gray: 1
    }
  }

  /// Offsets of red, green and blue within a pixel, in bytes.
  var channelOffsets: (red: Int, green: Int, blue: Int) {
    switch self {
    case .rgb, .rgba: (0, 1, 2)
    case .bgra: (2, 1, 0)
    case .gray: (0, 0, 0)
    }
  }
}
