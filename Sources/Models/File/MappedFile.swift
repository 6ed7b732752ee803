#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
  import FaceKitTensor

  /// Files as memory: pages are read when they are first used, and shared between processes.
  public enum MappedFile {
    /// Maps a file for reading.
    ///
    /// The file must not be cut short while it is in use: reading pages that are gone ends the
    /// process. Write new models beside the old ones and rename.
    ///
    /// - Throws: ``ModelError/Code/notFound`` with the system's reason.
    package static func open(_ path: String) throws(ModelError) -> StorageView {
      // Opening a pipe would wait for a writer.
      let descriptor = path.withCString {
        #if canImport(Darwin)
          Darwin.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #elseif canImport(Glibc)
          Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #else
          Musl.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #endif
      }
      guard descriptor >= 0 else {
        throw fault("the file can't be opened: \(String(cString: strerror(errno)))", path)
      }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw fault("not a file", path)
      }
      let size = Int(status.st_size)
      if size == 0 { return StorageView(Storage(count: 0)) }
      guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
      else {
        throw fault("the file can't be read: \(String(cString: strerror(errno)))", path)
      }
      return StorageView(Storage(adopting: base, count: size) { _ = munmap($0, $1) })
    }

    private static func fault(_ what: String, _ path: String) -> ModelError {
      ModelError(.notFound, what, at: .file(path), advice: "check the path")
    }
  }

  extension TFLiteModel {
    /// Reads a model file.
    package init(path: String, limits: ModelLimits = .default) throws(ModelError) {
      let bytes = try MappedFile.open(path)
      do {
        try self.init(bytes, limits: limits)
      } catch {
        throw error.inFile(path)
      }
    }
  }

  extension TaskBundle {
    /// Opens a bundle file.
    package init(path: String) throws(ModelError) {
      let bytes = try MappedFile.open(path)
      do {
        try self.init(bytes)
      } catch {
        throw error.inFile(path)
      }
    }
  }

  extension ModelError {
    /// The same error, naming the file as well as the place in it.
    func inFile(_ path: String) -> ModelError {
      ModelError(code, "\(path): \(what)", at: location, advice: advice)
    }
  }
#endif
