#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that a command reads, which nothing it writes may replace, whatever links lead to them.
package struct ProtectedFiles: Sendable {
  private var identities: Set<FileIdentity> = []

  package init(_ paths: some Sequence<String> = [String]()) {
    for path in paths { protect(path) }
  }

  package mutating func protect(_ path: String) {
    if let identity = FileIdentity(path) { identities.insert(identity) }
  }

  func contains(_ identity: FileIdentity) -> Bool { identities.contains(identity) }
}

/// A file being written: under a temporary name beside its place, and renamed when it is whole.
///
/// Nothing stands at its place before, and what stood there stays, if anything goes wrong: an error, a full
/// disk, a signal. Only regular files are replaced, and never one of those that the command reads.
package final class OutputFile {
  /// Where it goes.
  package let path: String
  /// Where it is until it is whole. Another program may write there.
  package let temporaryPath: String
  /// The place, with links followed: they stay what they are.
  private let target: String
  private var descriptor: Int32
  private var entry: Cleanup.FileEntry?

  /// Begins a file.
  ///
  /// - Throws: ``ToolError`` `unwritable` if something that may not be replaced stands there, or the folder
  ///   cannot be written.
  package init(_ path: String, protecting inputs: ProtectedFiles) throws(ToolError) {
    let place = try OutputFile.place(path, protecting: inputs)
    let target = place.target
    let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
    // A name that nobody can foresee, that follows no link, and that was not there. Entered before the file is
    // made, so that no signal comes between.
    var (created, name) = (Int32(-1), "")
    var entry: Cleanup.FileEntry?
    for _ in 0..<16 {
      name = folder + ".facekit-" + String(UInt64.random(in: 0...UInt64.max), radix: 16) + ".part"
      entry = Cleanup.enter(file: name)
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      created = SystemName.withCString(name) { open($0, flags, 0o666) }
      if created >= 0 { break }
      let number = errno
      if let entry { Cleanup.leave(entry) }
      errno = number
      if number != EEXIST { break }
    }
    guard created >= 0 else { throw OutputFile.fault("cannot be created", errno, path) }
    self.path = path
    self.target = target
    temporaryPath = name
    descriptor = created
    self.entry = entry
    if let mode = place.mode { fchmod(created, mode) }
  }

  deinit { discard() }

  /// Checks a place before any work is done.
  package static func check(_ path: String, protecting inputs: ProtectedFiles) throws(ToolError) {
    if path != "-" { _ = try place(path, protecting: inputs) }
  }

  /// The path to write to, and the permissions of what stands there.
  private static func place(
    _ path: String, protecting inputs: ProtectedFiles
  ) throws(ToolError) -> (target: String, mode: mode_t?) {
    guard let link = FileStatus.ofLink(path) else { return (path, nil) }
    var (target, status) = (path, link)
    if link.st_mode & S_IFMT == S_IFLNK {
      guard let resolved = FileStatus.resolved(path), let found = FileStatus.of(resolved) else {
        throw refusal(
          "this is a link that leads to no file", path, "remove the link, or give its target")
      }
      (target, status) = (resolved, found)
    }
    if inputs.contains(FileIdentity(status)) {
      throw refusal("the output is the input", path, "give another name")
    }
    if let kind = FileStatus.kind(status) {
      throw refusal(
        "this is a \(kind), and would be replaced by a file", path,
        kind == "folder" ? "give a file in it" : "give a file's name, or - for standard output")
    }
    guard SystemName.withCString(target, { access($0, W_OK) }) == 0 else {
      throw fault("there may not be replaced", errno, path)
    }
    return (target, status.st_mode & 0o777)
  }

  // MARK: Writing

  package func write(_ bytes: UnsafeRawBufferPointer) throws(ToolError) {
    let number = writeAll(bytes, to: descriptor)
    if number != 0 { throw OutputFile.fault("cannot be written", number, path) }
  }

  /// Puts the file in its place.
  package func commit() throws(ToolError) {
    // Some file systems tell only now that there was no space.
    if close(descriptor) != 0, errno != EINTR {
      descriptor = -1
      throw OutputFile.fault("cannot be written", errno, path)
    }
    descriptor = -1
    let status = SystemName.withCString(temporaryPath) { from in
      SystemName.withCString(target) { rename(from, $0) }
    }
    guard status == 0 else { throw OutputFile.fault("cannot be written", errno, path) }
    if let entry { Cleanup.leave(entry) }
    entry = nil
  }

  /// Leaves everything as it was.
  package func discard() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    guard let entry else { return }
    _ = SystemName.withCString(temporaryPath) { unlink($0) }
    Cleanup.leave(entry)
    self.entry = nil
  }

  /// Writes a whole file; to standard output if the path is `-`.
  package static func write(
    _ bytes: [UInt8], to path: String, protecting inputs: ProtectedFiles
  ) throws(ToolError) {
    guard path != "-" else {
      let number = bytes.withUnsafeBytes { writeAll($0, to: 1) }
      if number != 0 { throw fault("cannot be written", number, "standard output") }
      return
    }
    let file = try OutputFile(path, protecting: inputs)
    let number = bytes.withUnsafeBytes { writeAll($0, to: file.descriptor) }
    if number != 0 { throw fault("cannot be written", number, path) }
    try file.commit()
  }

  private static func refusal(_ what: String, _ path: String, _ advice: String) -> ToolError {
    ToolError("unwritable", what, at: path, advice: advice)
  }

  private static func fault(_ what: String, _ number: Int32, _ path: String) -> ToolError {
    ToolError(
      "unwritable", "the file \(what) (\(systemMessage(number)))", at: path,
      advice: "check that the folder exists, can be written and has space")
  }
}

/// Writes all bytes to a descriptor.
///
/// - Returns: 0, or the error number of what went wrong.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = bytes
  while let base = rest.baseAddress, rest.count > 0 {
    let count = write(descriptor, base, rest.count)
    if count < 0, errno == EINTR { continue }
    if count < 0 { return errno }
    if count == 0 { return EIO }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
  }
  return 0
}
