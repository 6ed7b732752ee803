import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where drawings go: one picture to the file that `-o` names, several into a folder of that name.
struct PictureOutput {
  private let target: String
  private let isFolder: Bool
  private var used: Set<String> = []

  /// - Throws: `UsageError` if several pictures would go to one file.
  init(_ target: String, inputs: Int, command: String) throws {
    self.target = target
    var status = stat()
    let exists = stat(target, &status) == 0
    let isExistingFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    isFolder = inputs > 1 || isExistingFolder || target.hasSuffix("/")
    if isFolder && !isExistingFolder {
      let extensions = [".png", ".jpg", ".jpeg"]
      if exists || extensions.contains(where: target.lowercased().hasSuffix) {
        throw UsageError(
          "\(inputs) pictures cannot go to one file", at: "facekit \(command) -o \(target)",
          advice: "give -o a folder")
      }
      try Folder.make(target)
    }
  }

  /// The path for a drawing of `input`: its name with the extension `.png`, numbered where two inputs have one
  /// name.
  mutating func path(for input: String) -> String {
    guard isFolder else { return target }
    let name = input.split(separator: "/").last.map(String.init) ?? "picture"
    let stem =
      name.lastIndex(of: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
    var candidate = stem
    var number = 2
    while !used.insert(candidate).inserted {
      candidate = "\(stem)-\(number)"
      number += 1
    }
    return (target.hasSuffix("/") ? target : target + "/") + candidate + ".png"
  }
}
