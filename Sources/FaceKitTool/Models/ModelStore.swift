import FaceKitModels
import FaceKitTensor
import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where models and samples lie on this machine.
struct ModelStore: Sendable {
  /// Folders with models, in the order they are searched.
  let modelFolders: [String]
  let sampleFolders: [String]
  /// The folder that `facekit models fetch` fills.
  let cache: String

  /// - Parameter folder: What `--models` names, searched before all others.
  init(folder: String?) {
    let checkout = ModelStore.checkout()
    let home = Environment.value("HOME") ?? "."
    let user = (Environment.value("XDG_CACHE_HOME") ?? home + "/.cache") + "/facekit"
    let caches = [checkout.map { $0 + "/.cache" }, user].compactMap { $0 }
    let named = [folder, Environment.value("FACEKIT_MODELS")].compactMap { $0 }
    modelFolders = named + caches.map { $0 + "/models" }
    sampleFolders = caches.map { $0 + "/samples" } + named
    cache = caches[0]
  }

  /// The path of a model.
  func model(_ name: String) throws(ToolError) -> String {
    try find(name, in: modelFolders)
  }

  /// The path of the sample portrait.
  func sample() throws(ToolError) -> String {
    try find("astronaut.png", in: sampleFolders)
  }

  /// The path of a listed file; `nil` if it is nowhere.
  func path(of file: ModelList.File) -> String? {
    (file.kind == "sample" ? sampleFolders : modelFolders).map { "\($0)/\(file.name)" }
      .first { access($0, R_OK) == 0 }
  }

  private func find(_ name: String, in folders: [String]) throws(ToolError) -> String {
    for folder in folders where access("\(folder)/\(name)", R_OK) == 0 {
      return "\(folder)/\(name)"
    }
    throw ToolError(
      "notFound", "\(name) is not on this machine", at: folders.joined(separator: ", "),
      advice: "run `facekit models fetch`, or name its folder with --models")
  }

  /// Whether the file at `path` has the listed hash.
  static func isIntact(_ path: String, _ file: ModelList.File) throws -> Bool {
    let bytes = try MappedFile.open(path)
    return bytes.count == file.bytes && SHA256.hex(bytes.bytes) == file.sha256
  }

  /// The package this program was built in: the folder above it that has a manifest.
  private static func checkout() -> String? {
    guard var path = executable() else { return nil }
    for _ in 0..<6 {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
      path = String(path[..<slash])
      if access(path + "/Sources/FaceKitTool/Resources/models.json", R_OK) == 0 { return path }
    }
    return nil
  }

  private static func executable() -> String? {
    #if os(Linux)
      let link = "/proc/self/exe"
    #else
      let link = CommandLine.arguments.first ?? ""
    #endif
    guard let resolved = realpath(link, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
