#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files and folders of results.
package enum OutputFile {
  /// Writes under a temporary name and renames, so that no half-written file is left.
  package static func write(_ bytes: [UInt8], to path: String) throws(ToolError) {
    let partial = path + ".part"
    guard let file = fopen(partial, "wb") else { throw fault("cannot be created", path) }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count, rename(partial, path) == 0 else {
      unlink(partial)
      throw fault("cannot be written", path)
    }
  }

  /// Makes a folder, unless it is there.
  package static func makeFolder(_ path: String) throws(ToolError) {
    if mkdir(path, 0o777) == 0 { return }
    var status = stat()
    if errno == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw ToolError(
      "unwritable", "the folder cannot be made (\(String(cString: strerror(errno))))", at: path,
      advice: "check that the folder above it exists and can be written")
  }

  private static func fault(_ what: String, _ path: String) -> ToolError {
    ToolError(
      "unwritable", "the file \(what) (\(String(cString: strerror(errno))))", at: path,
      advice: "check that the folder exists and has space")
  }
}
