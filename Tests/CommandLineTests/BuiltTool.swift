import Foundation

enum BuiltTool {
  /// The `facekit` built with these tests, if it lies beside them.
  static let path: String? = {
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
