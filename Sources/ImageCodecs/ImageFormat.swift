/// The kinds of picture that are told by their first bytes; names and extensions play no part.
enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, pnm, gif, bmp
  // Read where the package trait `ImageLibraries` is on.
  case tiff, heic, avif, jxl
  // Never read, but named.
  case jpeg2000, photoshop, icon, exr, hdr, pdf, svg, video

  /// The format of `bytes`.
  static func of(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
    func starts(with signature: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + signature.count
        && signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
    }
    func starts(with text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { starts(with: Array($0), at: offset) }
    }
    if starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts(with: "RIFF"), starts(with: "WEBP", at: 8) { return .webp }
    if bytes.count >= 3, bytes[0] == UInt8(ascii: "P"), "2356".utf8.contains(bytes[1]),
      PNMDecoder.isSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#")
    {
      return .pnm
    }
    if starts(with: "GIF87a") || starts(with: "GIF89a") { return .gif }
    if starts(with: "BM"), BMPDecoder.isHeader(bytes) { return .bmp }
    // Classic TIFF and BigTIFF, in both byte orders.
    if starts(with: [0x49, 0x49, 42, 0]) || starts(with: [0x4D, 0x4D, 0, 42])
      || starts(with: [0x49, 0x49, 43, 0]) || starts(with: [0x4D, 0x4D, 0, 43])
    {
      return .tiff
    }
    if starts(with: "ftyp", at: 4) { return ofBrands(bytes) }
    if starts(with: [0xFF, 0x0A])
      || starts(with: [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A])
    {
      return .jxl
    }
    if starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20])
      || starts(with: [0xFF, 0x4F, 0xFF, 0x51])
    {
      return .jpeg2000
    }
    if starts(with: "8BPS") { return .photoshop }
    if starts(with: [0, 0, 1, 0]), bytes.count > 5, bytes[4] > 0, bytes[5] == 0 { return .icon }
    if starts(with: [0x76, 0x2F, 0x31, 0x01]) { return .exr }
    if starts(with: "#?RADIANCE") || starts(with: "#?RGBE") { return .hdr }
    if starts(with: "%PDF-") { return .pdf }
    if starts(with: "<svg") || starts(with: "<?xml") { return .svg }
    if starts(with: [0x1A, 0x45, 0xDF, 0xA3])
      || (starts(with: "RIFF") && starts(with: "AVI ", at: 8))
    {
      return .video
    }
    return nil
  }

  /// The format of an ISO media file, by its major brand, or where that says nothing by the
  /// compatible ones.
  private static func ofBrands(_ bytes: UnsafeRawBufferPointer) -> ImageFormat {
    let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    let end = min(bytes.count, length, 256)
    for offset in stride(from: 8, to: end - 3, by: 4) where offset != 12 {
      switch String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs": return .heic
      default: break
      }
    }
    let major = bytes.count >= 12 ? String(decoding: bytes[8..<12], as: UTF8.self) : ""
    // The structural brands of pictures in this container, whatever their coding.
    return major == "mif1" || major == "msf1" ? .heic : .video
  }

  /// The name as messages print it.
  var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .pnm: "PNM"
    case .gif: "GIF"
    case .bmp: "BMP"
    case .tiff: "TIFF"
    case .heic: "HEIC"
    case .avif: "AVIF"
    case .jxl: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    case .photoshop: "Photoshop"
    case .icon: "ICO"
    case .exr: "OpenEXR"
    case .hdr: "Radiance HDR"
    case .pdf: "PDF"
    case .svg: "SVG or XML"
    case .video: "video"
    }
  }

  /// What this build decodes.
  static var readable: [ImageFormat] {
    let own: [ImageFormat] = [.jpeg, .png, .webp, .pnm, .gif, .bmp]
    #if ImageLibraries && os(Linux)
      return own + [.tiff, .heic, .avif, .jxl]
    #else
      return own
    #endif
  }

  /// What this build decodes, as an English list.
  static var readableNames: String {
    let names = readable.map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }

  /// The error for a picture that is known but not read.
  var isNotRead: ImageError {
    if self == .video {
      return ImageError(
        .unsupported, "this is a video, not a picture", advice: "use `facekit video`")
    }
    return ImageError(
      .unsupported, "\(name) is not read",
      advice: "this build reads \(ImageFormat.readableNames): convert the file to one of them")
  }
}
