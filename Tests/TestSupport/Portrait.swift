import Foundation

/// Where the sample portrait may be.
public enum Portrait {
  public static let path: String? = {
    let places = [
      ModelFiles.folder.appendingPathComponent("astronaut.png"),
      ModelFiles.folder.deletingLastPathComponent().appendingPathComponent("samples/astronaut.png"),
      Corpus.url("images/original/astronaut.png"),
    ]
    return places.map(\.path).first { FileManager.default.fileExists(atPath: $0) }
  }()
}
