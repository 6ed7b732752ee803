#if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  #if canImport(Darwin) && !hasFeature(Embedded)
    import Foundation
  #endif
  import FaceKitModels
  import FaceKitTensor

  /// Finds the model files of the Vision surface, whose original carries them inside.
  enum VisionModelFiles {
    static let bundle = "face_landmarker.task"
    static let fullRange = "face_detection_full_range_sparse.tflite"

    /// Reads the models: `path` is the bundle, or a folder with it; `nil` to look in ``folders()``.
    ///
    /// - Throws: ``FaceKitError`` `notFound` that lists the places searched.
    static func load(_ path: String?, withFullRange: Bool) throws(FaceKitError) -> VisionModels {
      let bundlePath = try find(path)
      let bytes = try TaskFiles.open(bundlePath, option: "modelPath")
      var models: VisionModels
      do {
        models = VisionModels(face: try FaceModels(bundle: bytes))
      } catch {
        throw error.inFile(bundlePath)
      }
      if withFullRange {
        // Beside the bundle first: the two are moved together.
        for folder in [parent(bundlePath)] + folders() where isReadable(folder + "/" + fullRange) {
          models.fullRangeDetector = try TaskFiles.open(
            folder + "/" + fullRange, option: "modelPath")
          break
        }
      }
      return models
    }

    private static func find(_ path: String?) throws(FaceKitError) -> String {
      if let path, !path.isEmpty {
        let inside = path + "/" + bundle
        return isReadable(inside) ? inside : path
      }
      let folders = folders()
      for folder in folders where isReadable(folder + "/" + bundle) {
        return folder + "/" + bundle
      }
      throw FaceKitError(
        .notFound, "\(bundle) is not on this machine", at: folders.joined(separator: ", "),
        advice: "run `facekit models fetch`, set FACEKIT_MODELS, or give a modelPath")
    }

    /// The folders that are searched, first to last: the app's resources (Apple platforms), and the cache that
    /// `facekit models fetch` fills for a user; or `FACEKIT_MODELS` alone, if it is set: models from elsewhere would be
    /// a surprise then.
    static func folders(
      environment: (String) -> String? = VisionModelFiles.environment
    ) -> [String] {
      if let named = environment("FACEKIT_MODELS") { return [named] }
      var folders: [String] = []
      #if canImport(Darwin) && !hasFeature(Embedded)
        if let resources = Bundle.main.resourcePath { folders.append(resources) }
      #endif
      if let cache = environment("XDG_CACHE_HOME") {
        folders.append(cache + "/facekit/models")
      } else if let home = environment("HOME") {
        folders.append(home + "/.cache/facekit/models")
      }
      return folders
    }

    static func environment(_ name: String) -> String? {
      guard let value = getenv(name) else { return nil }
      let text = String(cString: value)
      return text.isEmpty ? nil : text
    }

    private static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    private static func parent(_ path: String) -> String {
      guard let slash = path.lastIndex(of: "/") else { return "." }
      return String(path[..<slash])
    }
  }
#endif
