import ToolSupport

/// Which cached files had the listed hash when they were last read in full: a small file beside the cache.
struct VerifiedFiles {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Whether the file is the one that was verified: same size, same times, same hash expected.
  func knows(_ file: String, _ listed: ModelList.File) -> Bool {
    entries.contains { $0 == entry(file, listed) }
  }

  /// Adds a file that was read and found right. A cache that cannot be written is read again next time.
  func remember(_ file: String, _ listed: ModelList.File) {
    let kept = entries.filter { $0["file"]?.string != listed.name }
    let json = JSON.array(kept + [entry(file, listed)])
    try? OutputFile.write(Array((json.text + "\n").utf8), to: path, protecting: ProtectedFiles())
  }

  private var entries: [JSON] {
    guard let bytes = try? InputFile.prefix(path, count: 1 << 16),
      let json = try? JSON(parsing: bytes)
    else { return [] }
    return json.array ?? []
  }

  private func entry(_ file: String, _ listed: ModelList.File) -> JSON {
    let change = FileChange(file)
    return [
      "file": .string(listed.name), "sha256": .string(listed.sha256),
      "bytes": .integer(change?.bytes ?? -1), "modified": .integer(change?.modified ?? -1),
      "changed": .integer(change?.changed ?? -1),
    ]
  }
}
