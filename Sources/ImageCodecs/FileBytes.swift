import FaceKitTensor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The content of a file.
///
/// Read rather than mapped: a mapped file that another process shortens would kill this one.
struct FileBytes {
  private let storage: StorageView

  var bytes: UnsafeRawBufferPointer { storage.bytes }

  init(_ path: String, limit: Int) throws(ImageError) {
    // Opening a pipe would wait for a writer; what is no regular file is refused below.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw ImageError(.notFound, "no such file") }
      throw ImageError(.unreadable, "the file cannot be opened (\(systemMessage(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ImageError(.unreadable, "the file cannot be examined (\(systemMessage(errno)))")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ImageError(.unreadable, "this is a folder", advice: "give a picture file")
    default:
      // A pipe or device has no size to check and may never end.
      throw ImageError(.unreadable, "this is not a regular file", advice: "give a picture file")
    }
    let size = Int(status.st_size)
    guard size <= limit else {
      throw ImageError(.tooLarge, "the file has \(size) bytes, and the limit is \(limit)")
    }
    let block = Storage(count: size)
    var filled = 0
    while filled < size {
      let count = read(descriptor, block.base + filled, size - filled)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw ImageError(.unreadable, "the file cannot be read (\(systemMessage(errno)))")
      }
      // Shortened since it was examined: decode what is there, and let the decoder say so.
      if count == 0 { break }
      filled += count
    }
    storage = StorageView(block, offset: 0, count: filled)
  }
}

/// The operating system's words for an error number.
func systemMessage(_ number: Int32) -> String { String(cString: strerror(number)) }
