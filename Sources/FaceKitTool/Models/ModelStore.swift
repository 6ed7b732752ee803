import FaceKitModels
import FaceKitTensor
import ToolSupport

/// Where models and samples lie on this machine.
struct ModelStore: Sendable {
  /// Folders with models, in the order they are searched.
  let modelFolders: [String]
  let sampleFolders: [String]
  /// The folder that `facekit models fetch` fills.
  let cache: String

  /// What named the only folder that is searched; `nil` if the caches are.
  private let namedBy: String?
  private let caches: [String]

  /// - Parameter folder: What `--models` names. It, or the folder that FACEKIT_MODELS names, is then the only one
  ///   that is searched: what is missing there is said, and not taken from elsewhere.
  init(folder: String?) {
    let checkout = ModelStore.checkout()
    let home = Environment.value("HOME") ?? "."
    let user = (Environment.value("XDG_CACHE_HOME") ?? home + "/.cache") + "/facekit"
    caches = [checkout.map { $0 + "/.cache" }, user].compactMap { $0 }
    let named = folder ?? Environment.value("FACEKIT_MODELS")
    namedBy = folder != nil ? "--models" : named != nil ? "FACEKIT_MODELS" : nil
    modelFolders = named.map { [$0] } ?? caches.map { $0 + "/models" }
    sampleFolders = caches.map { $0 + "/samples" } + (named.map { [$0] } ?? [])
    cache = caches[0]
  }

  /// The path of a model. In a cache it is the file that was fetched; a changed one is an error.
  func model(_ name: String) throws(ToolError) -> String {
    guard let path = find(name, in: modelFolders) else {
      throw ToolError(
        "notFound",
        namedBy.map { "\(name) is not in the folder that \($0) names" }
          ?? "\(name) is not on this machine",
        at: modelFolders.joined(separator: ", "),
        advice: namedBy.map { "copy it there, or leave \($0) out" }
          ?? "run `facekit models fetch`, or name its folder with --models")
    }
    try checkUnchanged(path, name)
    return path
  }

  /// The path of the sample portrait.
  func sample() throws(ToolError) -> String {
    guard let path = find("astronaut.png", in: sampleFolders) else {
      throw ToolError(
        "notFound", "the sample portrait is not on this machine",
        at: sampleFolders.joined(separator: ", "), advice: "run `facekit models fetch`")
    }
    return path
  }

  /// The path of a listed file; `nil` if it is nowhere.
  func path(of file: ModelList.File) -> String? {
    find(file.name, in: file.kind == "sample" ? sampleFolders : modelFolders)
  }

  private func find(_ name: String, in folders: [String]) -> String? {
    folders.map { "\($0)/\(name)" }.first(where: FileStatus.isReadable)
  }

  /// Whether the file at `path` has the listed hash.
  static func isIntact(_ path: String, _ file: ModelList.File) throws -> Bool {
    let bytes = try MappedFile.open(InputFile.lastingUTF8Path(path))
    return bytes.count == file.bytes && SHA256.hex(bytes.bytes) == file.sha256
  }

  /// Hashes a cached model once for each change that the file system knows of.
  private func checkUnchanged(_ path: String, _ name: String) throws(ToolError) {
    let folder = path.dropLast(name.count + 1)
    guard
      let identity = FileIdentity(String(folder)),
      let cache = caches.first(where: { FileIdentity($0 + "/models") == identity }),
      let file = try? ModelList.builtIn().files.first(where: { $0.name == name })
    else { return }
    let memory = VerifiedFiles(cache + "/verified.json")
    if memory.knows(path, file) { return }
    guard (try? ModelStore.isIntact(path, file)) == true else {
      throw ToolError(
        "changed", "\(name) is not the file that was fetched: its SHA-256 is another", at: path,
        advice: "run `facekit models fetch`, or name it with --model to use it all the same")
    }
    memory.remember(path, file)
  }

  /// The package this program was built in: the folder above it that has a manifest.
  private static func checkout() -> String? {
    guard var path = executable() else { return nil }
    for _ in 0..<6 {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
      path = String(path[..<slash])
      if FileStatus.isReadable(path + "/Sources/FaceKitTool/Resources/models.json") { return path }
    }
    return nil
  }

  private static func executable() -> String? {
    #if os(Linux)
      let link = "/proc/self/exe"
    #else
      let link = CommandLine.arguments.first ?? ""
    #endif
    return FileStatus.resolved(link)
  }
}
