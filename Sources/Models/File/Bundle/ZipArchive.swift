import FaceKitTensor

/// The directory of a ZIP archive whose entries are used in place.
///
/// Only stored entries can be opened. Names are compared, never used as paths. Archives in several
/// parts, ZIP64 and overlapping entries are refused: no bundle needs them, and they are how archives
/// lie. Bytes before the first entry are allowed, which is how a model can be an archive too.
///
/// Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification", 6.3.
struct ZipArchive: Sendable {
  let bytes: StorageView
  let entries: [Entry]

  struct Entry: Sendable {
    /// Where the name is, in the central directory.
    fileprivate let name: Range<Int>
    fileprivate let header: Int
    fileprivate let flags: Int
    fileprivate let method: Int
    fileprivate let checksum: UInt32
    fileprivate let storedSize: Int
    let size: Int
    /// Where the data starts.
    fileprivate var data = 0
  }

  private enum Signature {
    static let local: UInt32 = 0x0403_4B50
    static let central: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let zip64Locator: UInt32 = 0x0706_4B50
  }

  /// Sizes without names and comments.
  private enum Size {
    static let local = 30
    static let central = 46
    static let end = 22
    static let zip64Locator = 20
  }

  /// Reads and checks the directory and the entries' headers; no entry's data is touched.
  init(_ bytes: StorageView) throws(ModelError) {
    self.bytes = bytes
    let reader = Reader(bytes: bytes)
    let end = try ZipArchive.findEnd(reader)
    let count = reader.u16(end + 10)
    let size = reader.u32(end + 12)
    let start = reader.u32(end + 16)
    guard reader.u16(end + 4) == 0, reader.u16(end + 6) == 0, reader.u16(end + 8) == count else {
      throw ZipArchive.fault("the archive is one part of several")
    }
    let locator = end - Size.zip64Locator
    if locator >= 0, reader.signature(locator) == Signature.zip64Locator {
      throw ZipArchive.fault("ZIP64 archives are not supported")
    }
    guard size <= Int64(end), start <= Int64(end) - size else {
      throw ZipArchive.fault("the directory lies outside the archive")
    }
    let directory = Int(start)..<Int(start + size)
    var entries = try ZipArchive.directory(reader, directory, count: count)
    for index in entries.indices {
      try ZipArchive.locate(&entries[index], reader, limit: directory.lowerBound)
    }
    try ZipArchive.checkOverlap(entries)
    self.entries = entries
  }

  /// The end record: the last one whose comment ends with the file.
  private static func findEnd(_ reader: Reader) throws(ModelError) -> Int {
    var at = reader.count - Size.end
    let first = max(0, at - 0xFFFF)
    while at >= first {
      if reader.signature(at) == Signature.end,
        reader.u16(at + 20) == reader.count - at - Size.end
      {
        return at
      }
      at -= 1
    }
    throw fault("not a ZIP archive, or cut short: it has no end record")
  }

  private static func directory(
    _ reader: Reader, _ range: Range<Int>, count: Int
  ) throws(ModelError) -> [Entry] {
    guard count <= range.count / Size.central else {
      throw fault("a directory of \(range.count) bytes can't list \(count) entries")
    }
    var entries = [Entry]()
    entries.reserveCapacity(count)
    var at = range.lowerBound
    for index in 0..<count {
      guard range.upperBound - at >= Size.central, reader.signature(at) == Signature.central else {
        throw fault("directory entry \(index) is broken", at: .byte(at))
      }
      let nameLength = reader.u16(at + 28)
      let length = Size.central + nameLength + reader.u16(at + 30) + reader.u16(at + 32)
      let (header, stored, size) = (reader.u32(at + 42), reader.u32(at + 20), reader.u32(at + 24))
      guard length <= range.upperBound - at else {
        throw fault("directory entry \(index) runs past its end", at: .byte(at))
      }
      guard header < Int64(reader.count), stored <= Int64(reader.count), size <= Int64(Int32.max)
      else {
        throw fault("directory entry \(index) points outside the archive", at: .byte(at))
      }
      let name = at + Size.central
      entries.append(
        Entry(
          name: name..<(name + nameLength), header: Int(header), flags: reader.u16(at + 8),
          method: reader.u16(at + 10), checksum: reader.signature(at + 16),
          storedSize: Int(stored), size: Int(size)))
      at += length
    }
    return entries
  }

  /// Finds where an entry's data starts. Its own header repeats the name and may hold other extras.
  private static func locate(
    _ entry: inout Entry, _ reader: Reader, limit: Int
  ) throws(ModelError) {
    let at = entry.header
    guard limit - at >= Size.local, reader.signature(at) == Signature.local else {
      throw fault("an entry's header is broken", at: .byte(at))
    }
    let nameLength = reader.u16(at + 26)
    let length = Size.local + nameLength + reader.u16(at + 28)
    guard length <= limit - at, entry.storedSize <= limit - at - length else {
      throw fault("an entry runs past the end", at: .byte(at))
    }
    guard nameLength == entry.name.count else {
      throw fault("an entry's name differs from the directory's", at: .byte(at))
    }
    for i in 0..<nameLength
    where reader.byte(at + Size.local + i) != reader.byte(entry.name.lowerBound + i) {
      throw fault("an entry's name differs from the directory's", at: .byte(at))
    }
    entry.data = at + length
  }

  private static func checkOverlap(_ entries: [Entry]) throws(ModelError) {
    var end = 0
    for entry in entries.sorted(by: { $0.header < $1.header }) {
      guard entry.header >= end else {
        throw fault("two entries share bytes", at: .byte(entry.header))
      }
      end = entry.data + entry.storedSize
    }
  }

  private static func fault(
    _ what: String, at location: ModelError.Location = .nowhere
  ) -> ModelError {
    ModelError(.bundle, what, at: location)
  }
}

extension ZipArchive {
  /// The name for people; bytes that are not UTF-8 become replacement characters.
  func name(of entry: Entry) -> String {
    String(decoding: bytes.bytes[entry.name], as: UTF8.self)
  }

  /// The entry of exactly this name; `nil` if there is none.
  ///
  /// - Throws: ``ModelError/Code/bundle`` if there are several.
  func entry(named name: String) throws(ModelError) -> Entry? {
    var found: Entry?
    for entry in entries where bytes.bytes[entry.name].elementsEqual(name.utf8) {
      guard found == nil else {
        throw ModelError(.bundle, "several entries have this name", at: .entry(name.printable))
      }
      found = entry
    }
    return found
  }

  /// The data of an entry, in place, its checksum verified.
  func data(of entry: Entry) throws(ModelError) -> StorageView {
    let place = ModelError.Location.entry(name(of: entry).printable)
    guard entry.flags & 1 == 0 else { throw ModelError(.bundle, "it is encrypted", at: place) }
    guard entry.method == 0 else {
      throw ModelError(
        entry.method == 8 ? .bundleCompressed : .bundle,
        "it is compressed (method \(entry.method))", at: place)
    }
    guard entry.storedSize == entry.size else {
      throw ModelError(
        .bundle, "\(entry.storedSize) bytes are stored of \(entry.size)", at: place)
    }
    let data = bytes.slice(offset: entry.data, count: entry.size)
    guard CRC32.checksum(data.bytes) == entry.checksum else {
      throw ModelError(.bundle, "its checksum is wrong", at: place)
    }
    return data
  }

  /// Little-endian loads; callers have checked the range.
  private struct Reader {
    let bytes: StorageView
    var count: Int { bytes.count }

    func byte(_ at: Int) -> UInt8 { bytes.bytes[at] }

    func u16(_ at: Int) -> Int {
      Int(UInt16(littleEndian: bytes.base.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
    }

    func signature(_ at: Int) -> UInt32 {
      UInt32(littleEndian: bytes.base.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }

    func u32(_ at: Int) -> Int64 { Int64(signature(at)) }
  }
}
