#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files to read.
package enum InputFile {
  /// Opens a regular file. Never waits: a pipe that nobody writes to, or a device, is refused at once. `what` the file
  /// should be goes into the message: `video`.
  package static func open(_ path: String, what: String = "file") throws(ToolError) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = SystemName.withCString(path) { systemOpen($0, flags) }
    guard descriptor >= 0 else {
      throw ToolError(
        errno == ENOENT || errno == ENOTDIR ? "notFound" : "unreadable",
        "the \(what) cannot be opened (\(systemMessage(errno)))", at: path,
        advice: "check the path and its permissions")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw ToolError(
        "unreadable", "the \(what) cannot be examined (\(systemMessage(errno)))", at: path,
        advice: "check the path")
    }
    if let kind = FileStatus.kind(status) {
      close(descriptor)
      throw ToolError(
        "unreadable", "this is a \(kind), not a \(what)", at: path,
        advice: "give a \(what == "file" ? "regular" : what) file")
    }
    return descriptor
  }

  /// Checks that a path is a regular file that can be read.
  package static func check(_ path: String, what: String) throws(ToolError) {
    close(try open(path, what: what))
  }

  /// The first bytes of a file, at most `count`.
  package static func prefix(_ path: String, count: Int) throws(ToolError) -> [UInt8] {
    let descriptor = try open(path)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let length = read(descriptor, buffer.baseAddress! + filled, count - filled)
        if length < 0 && errno == EINTR { continue }
        if length <= 0 { return }
        filled += length
      }
    }
  }

  /// Runs `body` with a path that can be a `String` for others: the file's own, or one by its open descriptor
  /// where its name is not UTF-8.
  package static func withUTF8Path<Result>(
    _ path: String, _ body: (String) throws -> Result
  ) throws -> Result {
    guard !SystemName.isUTF8(path) else { return try body(path) }
    let descriptor = try open(path)
    defer { close(descriptor) }
    return try body(descriptorPath(descriptor))
  }

  /// Such a path for as long as the process runs: a few models at most.
  package static func lastingUTF8Path(_ path: String) throws(ToolError) -> String {
    SystemName.isUTF8(path) ? path : descriptorPath(try open(path))
  }

  private static func descriptorPath(_ descriptor: Int32) -> String {
    #if os(Linux)
      "/proc/self/fd/\(descriptor)"
    #else
      "/dev/fd/\(descriptor)"
    #endif
  }
}

// The name that the type's own method hides.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  open(path, flags)
}
