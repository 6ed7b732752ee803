import ToolSupport

/// Runs `Resources/fetch_models.py`, the same program that `tools/setup` runs.
enum ModelFetcher {
  /// Fetches what is missing into `cache`, looking in `folder` first, if one is given.
  ///
  /// - Returns: whether everything is there now; the program itself has said what is not.
  /// - Throws: ``ToolError`` where Python cannot be started.
  static func fetch(to cache: String, from folder: String?) throws(ToolError) -> Bool {
    guard let python = ChildProcess.locate("python3") else {
      throw ToolError(
        "fetch", "there is no python3", at: "PATH",
        advice: "install Python 3, or copy the models into a folder and name it with --models")
    }
    // Isolated: without it, a glob.py in the working folder would be run in the library's place.
    var words = [
      "-I", "-c", String(decoding: PackageResources.fetch_models_py, as: UTF8.self),
      "--list", "-", "--cache", cache,
    ]
    if let folder { words += ["--from", folder] }
    let child = try ChildProcess(python, words, connecting: .shown)
    // A program that ended before it read the list has said why.
    _ = PackageResources.models_json.withUnsafeBytes { child.write($0) }
    return child.wait() == 0
  }
}
