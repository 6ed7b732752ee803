import Foundation

/// A folder that is gone when the test is over.
public final class TestFolder {
  public let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("facekit-\(UUID())").path

  public init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  public func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// The names in the folder, hidden ones too, sorted.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// What a file of the folder holds.
  public func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }
}
