import FaceKit
import ImageCodecs
import ToolSupport

/// The picture formats that drawings are written in.
enum PictureFormat: String, CaseIterable, Sendable {
  case png, jpeg

  var extensions: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg"]
    }
  }

  /// The name as messages print it.
  var name: String { rawValue.uppercased() }

  /// The format that a file's name says; `nil` if there is no extension, or none of these.
  static func named(by path: String) -> PictureFormat? {
    guard let word = pathExtension(path)?.lowercased() else { return nil }
    return allCases.first { $0.extensions.contains(word) }
  }

  /// What follows the last dot of the file's name, if anything does.
  static func pathExtension(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }

  /// The format of a picture file, by its first bytes; `nil` if drawings are not written in it.
  static func of(_ file: String) -> PictureFormat? {
    guard let bytes = try? InputFile.prefix(file, count: 8) else { return nil }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    return bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? .png : nil
  }

  func encode(_ image: MPImage) throws(ImageError) -> [UInt8] {
    switch self {
    case .png: try ImageEncoder.png(image)
    case .jpeg: try ImageEncoder.jpeg(image)
    }
  }
}
