import FaceKitImages

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the markers of a JPEG file say, read without decoding a pixel.
///
/// TurboJPEG's own header call refuses unusual chroma subsampling, knows no EXIF, and cannot tell a
/// file that lost its tail; hence this walk.
struct JPEGLayout {
  var width = 0
  var height = 0
  var components = 0
  /// Bits of a sample.
  var precision = 0
  var metadata = OrientationMetadata()
  /// Blocks of 8×8 samples in a unit that is coded together, along each side: the largest sampling
  /// factors.
  private var horizontalBlocks = 1
  private var verticalBlocks = 1
  /// Whether samples are coded by Huffman's method, which takes a bit for each block at least.
  private var isHuffmanCoded = true
  /// Whether the end marker was found, so that no scan is cut short.
  var isComplete = false

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var offset = 2
    var sawEXIF = false
    var sawXMP = false
    while let marker = JPEGLayout.nextMarker(bytes, &offset) {
      switch marker {
      case 0x01, 0xD0...0xD8: continue  // Markers without a segment.
      case 0xD9:
        isComplete = true
        if components == 0 { throw ImageError(.corrupt, "the JPEG has no frame header") }
        return
      default: break
      }
      guard offset + 2 <= bytes.count else { break }
      let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      guard length >= 2 else {
        throw ImageError(.corrupt, "a JPEG segment claims \(length) bytes", byte: offset)
      }
      guard length <= bytes.count - offset else { break }
      let segment = UnsafeRawBufferPointer(rebasing: bytes[(offset + 2)..<(offset + length)])
      switch marker {
      case 0xC4, 0xC8, 0xCC: break  // Tables that share the frame headers' number range.
      case 0xC0...0xCF:
        isHuffmanCoded = marker < 0xC8
        try readFrame(segment, at: offset)
      case 0xE1 where !sawEXIF && segment.starts(with: Array("Exif\0\0".utf8)):
        sawEXIF = true
        metadata.exif = EXIF.orientation(tiff: segment)
      case 0xE1 where !sawXMP && segment.starts(with: JPEGLayout.xmpName):
        sawXMP = true
        metadata.xmp = XMP.orientation(segment)
      default: break
      }
      // After a scan's header its data follow; the search for the next marker steps over them.
      offset += length
    }
    if components == 0 {
      throw ImageError(.truncated, "the JPEG ends before its frame header", byte: bytes.count)
    }
  }

  private mutating func readFrame(
    _ segment: UnsafeRawBufferPointer, at offset: Int
  ) throws(ImageError) {
    guard segment.count >= 6, segment.count >= 6 + 3 * Int(segment[5]) else {
      throw ImageError(.corrupt, "the JPEG frame header is too short", byte: offset)
    }
    guard components == 0 else {
      throw ImageError(.corrupt, "the JPEG has two frame headers", byte: offset)
    }
    precision = Int(segment[0])
    height = Int(segment[1]) << 8 | Int(segment[2])
    width = Int(segment[3]) << 8 | Int(segment[4])
    components = Int(segment[5])
    if components == 0 {
      throw ImageError(.corrupt, "the JPEG frame has no components", byte: offset)
    }
    for component in 0..<components {
      let sampling = Int(segment[7 + 3 * component])
      horizontalBlocks = max(horizontalBlocks, min(4, sampling >> 4))
      verticalBlocks = max(verticalBlocks, min(4, sampling & 15))
    }
  }

  private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// Whether a file of `count` bytes can hold a picture of this size: a few bytes that claim a
  /// hundred million pixels would reserve hundreds of megabytes for nothing.
  func isPlausible(bytes count: Int) -> Bool {
    guard isHuffmanCoded else { return true }
    let columns = width / (8 * horizontalBlocks)
    let rows = height / (8 * verticalBlocks)
    return columns * rows / 8 <= count
  }

  /// Moves past the next marker and returns it; `nil` at the end of the data.
  private static func nextMarker(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8? {
    while offset < bytes.count,
      let found = memchr(bytes.baseAddress! + offset, 0xFF, bytes.count - offset)
    {
      offset = bytes.baseAddress!.distance(to: UnsafeRawPointer(found)) + 1
      // Any number of 0xFF may pad a marker; 0xFF00 is a data byte.
      while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
      guard offset < bytes.count else { return nil }
      offset += 1
      if bytes[offset - 1] != 0 { return bytes[offset - 1] }
    }
    return nil
  }
}
