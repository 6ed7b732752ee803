/// A little-endian TIFF of one directory, built entry by entry.
struct MadeTIFF {
  /// Tags with their values, all written as LONG; the offsets of the pixels are filled in.
  var tags: [UInt16: [UInt32]]
  var pixels: [UInt8]

  static let imageWidth: UInt16 = 256
  static let bitsPerSample: UInt16 = 258
  static let photometric: UInt16 = 262
  static let stripOffsets: UInt16 = 273
  static let orientation: UInt16 = 274
  static let samplesPerPixel: UInt16 = 277
  static let extraSamples: UInt16 = 338
  static let tileOffsets: UInt16 = 324

  /// One uncompressed strip.
  init(width: Int, height: Int, bits: [UInt32], photometric: UInt32, pixels: [UInt8]) {
    self.pixels = pixels
    tags = [
      256: [UInt32(width)], 257: [UInt32(height)], 258: bits, 259: [1], 262: [photometric],
      273: [0], 277: [UInt32(bits.count)], 278: [UInt32(height)], 279: [UInt32(pixels.count)],
    ]
  }

  /// Uncompressed tiles of equal size.
  init(width: Int, height: Int, tile: Int, tiles: [[UInt8]]) {
    self.init(
      width: width, height: height, bits: [8, 8, 8], photometric: 2, pixels: tiles.flatMap { $0 })
    for tag: UInt16 in [273, 278, 279] { tags[tag] = nil }
    tags[322] = [UInt32(tile)]
    tags[323] = [UInt32(tile)]
    tags[324] = tiles.indices.map { UInt32($0 * (tiles.first?.count ?? 0)) }
    tags[325] = tiles.map { UInt32($0.count) }
  }

  var bytes: [UInt8] {
    func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let pixelStart = 8
    let directory = pixelStart + pixels.count
    var afterwards = directory + 2 + 12 * tags.count + 4
    var entries: [UInt8] = []
    var values: [UInt8] = []
    for (tag, numbers) in tags.sorted(by: { $0.key < $1.key }) {
      let isOffset = tag == MadeTIFF.stripOffsets || tag == MadeTIFF.tileOffsets
      let data = numbers.flatMap { little(isOffset ? $0 + UInt32(pixelStart) : $0) }
      entries += little(tag) + little(UInt16(4)) + little(UInt32(numbers.count))
      if data.count <= 4 {
        entries += data
      } else {
        entries += little(UInt32(afterwards))
        values += data
        afterwards += data.count
      }
    }
    return [0x49, 0x49, 42, 0] + little(UInt32(directory)) + pixels + little(UInt16(tags.count))
      + entries + little(UInt32(0)) + values
  }
}
