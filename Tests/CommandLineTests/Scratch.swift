import Foundation

/// A folder that is gone when the test is over.
final class Scratch {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("facekit-\(UUID())").path

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// The `facekit` built with these tests, if it lies beside them.
  static let builtTool: String? = {
    // The test bundle is in the build folder on Linux; on macOS it is a folder in it.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let path = folder.appendingPathComponent("facekit").path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        return path
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()
}
