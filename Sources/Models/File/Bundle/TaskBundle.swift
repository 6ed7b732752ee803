import FaceKitTensor

/// A MediaPipe `.task` bundle: models and metadata in one ZIP archive, used in place.
///
/// ```swift
/// let bundle = try TaskBundle(bytes)
/// let detector = try TFLiteModel(bundle.entry(named: "face_detector.tflite"))
/// ```
public struct TaskBundle: Sendable {
  private let archive: ZipArchive

  /// Reads the directory; no entry is touched before it is asked for.
  ///
  /// - Throws: ``ModelError/Code/bundle`` if the archive is broken or empty.
  public init(_ bytes: StorageView) throws(ModelError) {
    archive = try ZipArchive(bytes)
    guard !archive.entries.isEmpty else { throw ModelError(.bundle, "the bundle is empty") }
  }

  /// The names of all entries, in the directory's order.
  public var names: [String] { archive.entries.map(archive.name) }

  /// Whether there is an entry of exactly this name.
  public func contains(_ name: String) -> Bool {
    archive.entries.contains { archive.name(of: $0).hasSameBytes(as: name) }
  }

  /// The data of an entry, in place; the view keeps the bundle's bytes alive.
  ///
  /// - Throws: ``ModelError/Code/notFound`` if there is no such entry,
  ///   ``ModelError/Code/bundleCompressed`` if it would have to be inflated.
  public func entry(named name: String) throws(ModelError) -> StorageView {
    guard let entry = try archive.entry(named: name) else {
      throw ModelError(
        .notFound, "the bundle has no such entry", at: .entry(name.printable),
        advice: "it has \(listing)")
    }
    return try archive.data(of: entry)
  }

  /// The first few names, for an error.
  private var listing: String {
    let limit = 8
    var text = ""
    for (index, name) in names.prefix(limit).enumerated() {
      text += (index > 0 ? ", " : "") + name.printable
    }
    return archive.entries.count > limit
      ? text + " and \(archive.entries.count - limit) more" : text
  }
}
