import Foundation

/// Where the test data is. Nothing of it is part of the package, so every locator can say whether
/// its folder is there, and a suite says `.enabled(if: Corpus.isAvailable, Corpus.reason)`.
enum DataFolders {
  /// The package's own folder, found from this file's place in it.
  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder that an environment variable names, else a folder relative to the package.
  static func folder(environment name: String, else relativePath: String) -> URL {
    if let path = ProcessInfo.processInfo.environment[name], !path.isEmpty {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return packageRoot.appendingPathComponent(relativePath, isDirectory: true).standardizedFileURL
  }

  static let shared = folder(environment: "FACEKIT_SHARED", else: "../shared")

  static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}

/// The reference corpus: pictures, sequences, and what MediaPipe and LiteRT answer for them.
///
/// `FACEKIT_SHARED` names the folder above it; without it, `../shared` beside the package.
public enum Corpus {
  public static let folder = DataFolders.shared.appendingPathComponent("corpus")

  public static let isAvailable = DataFolders.exists(url("manifest.json"))

  /// What a skipped test says.
  public static let reason = "no reference corpus: set FACEKIT_SHARED, or put it beside the package"

  /// A file by its path relative to the corpus: `images/decoded/two-kids.png`.
  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(path)))
  }

  static func json<Value: Decodable>(_ path: String, as _: Value.Type = Value.self) throws -> Value
  {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: url(path)))
  }
}

/// The operator conformance suite, beside the corpus.
public enum Conformance {
  public static let folder = DataFolders.shared.appendingPathComponent("conformance")

  public static let isAvailable = DataFolders.exists(url("manifest.json"))

  public static let reason =
    "no conformance suite: set FACEKIT_SHARED, or put it beside the package"

  /// A file by its path relative to the suite: `hostile/files/empty.tflite`.
  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(path)))
  }
}

/// Small inputs that were answered wrongly once, each in a folder with what is expected.
public enum SharedCases {
  public static let folder = DataFolders.shared.appendingPathComponent("cases")

  public static let isAvailable = DataFolders.exists(folder)

  public static let reason = "no reported cases: set FACEKIT_SHARED, or put them beside the package"

  /// A file by its path relative to the cases: `hls-local-file/upload.mp4`.
  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }
}

/// The published models, as `tools/setup` leaves them.
///
/// `FACEKIT_MODELS` names the folder; without it, `.cache/models` in the package.
public enum ModelFiles {
  public static let folder = DataFolders.folder(
    environment: "FACEKIT_MODELS", else: ".cache/models")

  public static let isAvailable = isAvailable("face_detector.tflite", "face_landmarker.task")

  public static let reason = "no models: run tools/setup, or set FACEKIT_MODELS"

  public static func isAvailable(_ names: String...) -> Bool {
    names.allSatisfy { DataFolders.exists(url($0)) }
  }

  /// A file by name: `face_detector.tflite`, `face_landmarker.task`.
  public static func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

  public static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(name)))
  }
}

/// The package's own small goldens, committed under `Tests/Goldens`.
public enum Goldens {
  public static let folder = DataFolders.packageRoot.appendingPathComponent("Tests/Goldens")

  public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(path)))
  }

  public static func json<Value: Decodable>(
    _ path: String, as _: Value.Type = Value.self
  ) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(contentsOf: url(path)))
  }
}

/// A golden file that does not hold what its description says.
public struct GoldenError: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
