#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which file it is, whatever name leads to it.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let node: UInt64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// The file that a path leads to; `nil` if there is none.
  package init?(_ path: String) {
    guard let status = FileStatus.of(path) else { return nil }
    self.init(status)
  }
}

/// What the system says of a path.
package enum FileStatus {
  /// Of what the path leads to.
  static func of(_ path: String) -> stat? {
    var status = stat()
    return SystemName.withCString(path) { stat($0, &status) } == 0 ? status : nil
  }

  /// Of a link itself.
  static func ofLink(_ path: String) -> stat? {
    var status = stat()
    return SystemName.withCString(path) { lstat($0, &status) } == 0 ? status : nil
  }

  /// Whether there is anything of this name, be it a link that leads nowhere.
  package static func exists(_ path: String) -> Bool { ofLink(path) != nil }

  package static func isReadable(_ path: String) -> Bool {
    SystemName.withCString(path) { access($0, R_OK) } == 0
  }

  package static func isExecutable(_ path: String) -> Bool {
    SystemName.withCString(path) { access($0, X_OK) } == 0
  }

  /// The kind of what is no regular file, in a word; `nil` for a regular file.
  static func kind(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "folder"
    case S_IFLNK: "link"
    case S_IFIFO: "pipe"
    case S_IFSOCK: "socket"
    default: "device"
    }
  }

  /// The path with all links followed; `nil` if it leads nowhere.
  package static func resolved(_ path: String) -> String? {
    SystemName.withCString(path) { name in
      guard let resolved = realpath(name, nil) else { return nil }
      defer { free(resolved) }
      return SystemName.decode(cString: resolved)
    }
  }
}

/// What changes when a file's content does, in nanoseconds where they are times.
package struct FileChange: Equatable, Sendable {
  package let bytes: Int
  package let modified: Int
  /// Also set where somebody turned ``modified`` back.
  package let changed: Int

  /// `nil` if there is no such file.
  package init?(_ path: String) {
    guard let status = FileStatus.of(path) else { return nil }
    bytes = Int(status.st_size)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.modified = Int(modified.tv_sec) * 1_000_000_000 + Int(modified.tv_nsec)
    self.changed = Int(changed.tv_sec) * 1_000_000_000 + Int(changed.tv_nsec)
  }
}

/// The operating system's words for an error number.
package func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
