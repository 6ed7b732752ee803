/// Frames with their times as a Matroska stream: what ffmpeg can read from a pipe.
///
/// Uncompressed RGB, one cluster a frame, times in microseconds.
///
/// Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
enum RawMatroska {
  /// What goes before the frames.
  static func header(width: Int, height: Int, rate: FrameRate) -> [UInt8] {
    let nanoseconds = Int((1e9 / rate.value).rounded())
    let video =
      element([0xB0], integer(width)) + element([0xBA], integer(height))
      + element([0x2E, 0xB5, 0x24], Array("RGB".utf8) + [24])
    let track =
      element([0xD7], [1]) + element([0x73, 0xC5], [1]) + element([0x83], [1])
      + element([0x86], Array("V_UNCOMPRESSED".utf8))
      + element([0x23, 0xE3, 0x83], integer(nanoseconds)) + element([0xE0], video)
    let name = Array("facekit".utf8)
    let info =
      // A time unit is 1000 ns.
      element([0x2A, 0xD7, 0xB1], integer(1000)) + element([0x4D, 0x80], name)
      + element([0x57, 0x41], name)
    let type =
      element([0x42, 0x86], [1]) + element([0x42, 0xF7], [1]) + element([0x42, 0xF2], [4])
      + element([0x42, 0xF3], [8]) + element([0x42, 0x82], Array("matroska".utf8))
      + element([0x42, 0x87], [4]) + element([0x42, 0x85], [2])
    // A segment whose length nobody knows yet.
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    return element([0x1A, 0x45, 0xDF, 0xA3], type) + segment
      + element([0x15, 0x49, 0xA9, 0x66], info)
      + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
  }

  /// What goes before the bytes of a frame.
  static func frameHeader(microseconds: Int, byteCount: Int) -> [UInt8] {
    let time = element([0xE7], integer(microseconds))
    // Track 1, no time beyond the cluster's, a key frame.
    let block: [UInt8] = [0x81, 0, 0, 0x80]
    let blockHeader = [0xA3] + length(block.count + byteCount)
    return [0x1F, 0x43, 0xB6, 0x75]
      + length(time.count + blockHeader.count + block.count + byteCount) + time + blockHeader
      + block
  }

  private static func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
    identifier + length(content.count) + content
  }

  /// A length in eight bytes, of which the first says that there are eight.
  private static func length(_ count: Int) -> [UInt8] {
    [0x01] + (0..<7).map { UInt8(truncatingIfNeeded: count >> (8 * (6 - $0))) }
  }

  private static func integer(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * (7 - $0))) }
  }
}
