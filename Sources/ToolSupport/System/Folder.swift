#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package enum Folder {
  /// Whether there is a folder of this name.
  package static func exists(_ path: String) -> Bool {
    guard let status = FileStatus.of(path) else { return false }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, sorted.
  package static func names(_ path: String) throws(ToolError) -> [String] {
    guard let stream = SystemName.withCString(path, { opendir($0) }) else {
      throw ToolError(
        "notFound", "the folder cannot be read (\(systemMessage(errno)))", at: path,
        advice: "check its permissions")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { SystemName.decode(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a folder, unless it is there.
  package static func make(_ path: String) throws(ToolError) {
    if SystemName.withCString(path, { mkdir($0, 0o777) }) == 0 { return }
    let reason = errno
    if reason == EEXIST, exists(path) { return }
    throw ToolError(
      "unwritable", "the folder cannot be made (\(systemMessage(reason)))", at: path,
      advice: "check that the folder above it exists and can be written")
  }
}
