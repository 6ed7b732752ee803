#if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
  import FaceKitModels
  import FaceKitTensor

  /// Opens the files that options name.
  enum TaskFiles {
    /// The bytes of a model file, mapped.
    ///
    /// - Throws: ``FaceKitError`` `invalidArgument` if there is no path, `notFound` if there is no file.
    static func open(_ path: String?, option: String) throws(FaceKitError) -> StorageView {
      guard let path, !path.isEmpty else {
        throw .invalid("no model path", at: option, advice: "set the path of the model file")
      }
      do {
        return try MappedFile.open(path)
      } catch {
        throw FaceKitError(error, in: option)
      }
    }

    /// Makes something of a model's bytes, or of the file that `baseOptions` names, whose path errors then have.
    static func load<Loaded>(
      _ bytes: StorageView?, or path: String?,
      as make: (StorageView) throws(FaceKitError) -> sending Loaded
    ) throws(FaceKitError) -> sending Loaded {
      if let bytes { return try make(bytes) }
      let file = try open(path, option: "baseOptions.modelAssetPath")
      do {
        return try make(file)
      } catch {
        throw error.inFile(path ?? "")
      }
    }
  }

  extension FaceKitError {
    /// The same error, naming the file.
    func inFile(_ path: String) -> FaceKitError {
      FaceKitError(code, what, at: "\(path), \(location)", advice: advice)
    }
  }
#endif
