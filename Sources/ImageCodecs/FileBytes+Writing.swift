#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileBytes {
  /// Writes a file whole or not at all.
  ///
  /// The temporary name is random and opened exclusively, so that no link or file that someone else put
  /// there is written through; it stands beside the target, because a rename works within one disk.
  static func write(_ bytes: [UInt8], to path: String) throws(ImageError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw ImageError(
        .unwritable, "what is there is not a regular file", advice: "give another name")
    }
    let partial = "\(path).\(UInt64.random(in: 0 ... .max)).part"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw ImageError(.unwritable, "the file cannot be created (\(systemMessage(errno)))")
    }
    var failure = writeAll(bytes, to: descriptor)
    if close(descriptor) != 0, failure == nil { failure = systemMessage(errno) }
    if failure == nil, rename(partial, path) != 0 { failure = systemMessage(errno) }
    if let failure {
      unlink(partial)
      throw ImageError(.unwritable, "the file cannot be written (\(failure))")
    }
  }

  /// Returns what went wrong, or `nil`.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> String? {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = systemWrite(descriptor, bytes, from: done)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return systemMessage(errno) }
        done += count
      }
      return nil
    }
  }
}

/// The system's `write`, whose name `FileBytes.write` hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int)
  -> Int
{
  write(descriptor, bytes.baseAddress! + start, bytes.count - start)
}
