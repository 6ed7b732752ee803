import ToolSupport

/// The files of `Resources/models.json`, which `tools/setup` reads too.
struct ModelList: Sendable {
  struct File: Sendable, Equatable {
    let name: String
    /// `model` or `sample`: the cache keeps them in folders of these names, plural.
    let kind: String
    let what: String
    let bytes: Int
    let sha256: String
  }

  /// The entries that the tool knows how to use; those `"for": "tests"` are left out.
  let files: [File]

  /// - Throws: `JSONError` or `ToolError` where the text is not such a list.
  init(json: some Collection<UInt8>) throws {
    let entries = try JSON(parsing: json)["files"]?.array ?? []
    files = try entries.filter { $0["for"]?.string != "tests" }.map { entry in
      guard let name = entry["file"]?.string, let kind = entry["kind"]?.string,
        let what = entry["what"]?.string, let bytes = entry["bytes"]?.integer,
        let sha256 = entry["sha256"]?.string
      else {
        throw ToolError(
          "list", "an entry lacks a member", at: "models.json", advice: "compare with the others")
      }
      return File(name: name, kind: kind, what: what, bytes: bytes, sha256: sha256)
    }
  }

  /// The list this tool was built with.
  static func builtIn() throws -> ModelList { try ModelList(json: PackageResources.models_json) }
}
