import FaceKitTensor

// The fuzzer builds this file without the rest of its room, with ToolError beside it.
#if canImport(ToolSupport)
  import ToolSupport
#endif

/// NumPy's array file, versions 1 to 3, in C order: how tensors go in and out of `facekit run`.
///
/// Source: NumPy documentation, "numpy.lib.format".
package enum NPYFile {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// NumPy's letter and width for each element type that has one.
  private static let kinds: [(type: ElementType, kind: String)] = [
    (.float16, "f2"), (.float32, "f4"), (.float64, "f8"),
    (.int8, "i1"), (.int16, "i2"), (.int32, "i4"), (.int64, "i8"),
    (.uint8, "u1"), (.uint16, "u2"), (.uint32, "u4"), (.uint64, "u8"),
    (.bool, "b1"), (.complex64, "c8"), (.complex128, "c16"),
  ]

  /// The tensor as a version 1 file, little-endian.
  ///
  /// - Throws: where NumPy has no such element type.
  package static func bytes(_ tensor: Tensor) throws(ToolError) -> [UInt8] {
    guard let kind = kinds.first(where: { $0.type == tensor.type })?.kind else {
      throw ToolError(
        "type", "NumPy has no element type for \(tensor.type.name)", at: "npy file",
        advice: "choose another output")
    }
    let extents = tensor.shape.extents
    let shape = extents.map(String.init).joined(separator: ", ") + (extents.count == 1 ? "," : "")
    let order = tensor.type.byteWidth == 1 ? "|" : "<"
    var header = "{'descr': '\(order)\(kind)', 'fortran_order': False, 'shape': (\(shape)), }"
    // The data start at a multiple of 64 bytes; the header ends with a line feed.
    let unpadded = magic.count + 4 + header.utf8.count + 1
    header += String(repeating: " ", count: (64 - unpadded % 64) % 64) + "\n"
    let length = UInt16(header.utf8.count)
    var file = magic + [1, 0, UInt8(length & 255), UInt8(length >> 8)]
    file += Array(header.utf8)
    file.append(contentsOf: tensor.data.bytes)
    return file
  }

  /// Reads a file; big-endian data are turned round.
  package static func tensor(_ file: [UInt8]) throws(ToolError) -> Tensor {
    guard file.count >= 10, file.starts(with: magic) else {
      throw fault("this is not a NumPy file", at: 0)
    }
    let isWide = file[6] >= 2
    guard (1...3).contains(file[6]), file.count >= 12 else {
      throw fault("NumPy file version \(file[6]) is not known", at: 6)
    }
    let start = isWide ? 12 : 10
    let length = (0..<(isWide ? 4 : 2)).reduce(0) { $0 | Int(file[8 + $1]) << (8 * $1) }
    guard length <= file.count - start else { throw fault("the header is cut short", at: 8) }
    let header = try NPYHeader(file[start..<(start + length)])
    if header.isFortran {
      throw fault(
        "the array is in Fortran order", at: start, advice: "save np.ascontiguousarray(a)")
    }

    let order = header.descriptor.first
    guard let order, "<>|=".contains(order),
      let type = kinds.first(where: { $0.kind == header.descriptor.dropFirst() })?.type
    else { throw fault("elements of type '\(header.descriptor)' are not supported", at: start) }
    let shape = Shape(header.shape)
    let data = start + length
    guard let count = shape.checkedCount, let size = type.bytes(for: count),
      size == file.count - data
    else {
      throw fault("\(file.count - data) bytes do not fit \(shape) of \(type.name)", at: data)
    }
    let storage = Storage(copying: Array(file[data...]))
    if order == ">" { swapBytes(storage, width: swapWidth(type)) }
    return Tensor(type: type, shape: shape, data: StorageView(storage))
  }

  private static func fault(
    _ what: String, at byte: Int, advice: String = "save it again with np.save"
  ) -> ToolError {
    ToolError("npy", what, at: "npy file, byte \(byte)", advice: advice)
  }

  /// Complex numbers are turned round by halves.
  private static func swapWidth(_ type: ElementType) -> Int {
    type == .complex64 || type == .complex128 ? type.byteWidth / 2 : type.byteWidth
  }

  private static func swapBytes(_ storage: Storage, width: Int) {
    let bytes = UnsafeMutableRawBufferPointer(start: storage.base, count: storage.count)
    for start in stride(from: 0, to: storage.count, by: width) {
      bytes[start..<(start + width)].reverse()
    }
  }
}

/// The header: a Python dictionary of three known entries.
private struct NPYHeader {
  var descriptor = ""
  var isFortran = false
  var shape: [Int] = []

  init(_ bytes: ArraySlice<UInt8>) throws(ToolError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let descriptor = NPYHeader.value(of: "descr", in: text),
      let order = NPYHeader.value(of: "fortran_order", in: text),
      let shape = NPYHeader.value(of: "shape", in: text),
      let quote = descriptor.first, quote == "'" || quote == "\"",
      let end = descriptor.dropFirst().firstIndex(of: quote),
      let close = shape.firstIndex(of: ")"), shape.first == "("
    else {
      throw ToolError(
        "npy", "the header is not understood", at: "npy file, byte 10",
        advice: "save it again with np.save")
    }
    self.descriptor = String(descriptor[descriptor.index(after: descriptor.startIndex)..<end])
    isFortran = order.hasPrefix("True")
    for part in shape[..<close].dropFirst().split(separator: ",") {
      let digits = part.filter { $0 != " " }
      if digits.isEmpty { continue }
      guard let extent = Int(digits), extent >= 0 else {
        throw ToolError(
          "npy", "'\(digits)' is not an extent", at: "npy file, byte 10",
          advice: "save it again with np.save")
      }
      self.shape.append(extent)
    }
  }

  /// The text after `'name':`, without leading spaces.
  private static func value(of name: String, in text: String) -> Substring? {
    for quote in ["'", "\""] {
      let key = quote + name + quote
      var start = text.startIndex
      while start < text.endIndex {
        if text[start...].hasPrefix(key) {
          let rest = text[start...].dropFirst(key.count).drop { $0 == " " }
          return rest.first == ":" ? rest.dropFirst().drop { $0 == " " } : nil
        }
        start = text.index(after: start)
      }
    }
    return nil
  }
}
