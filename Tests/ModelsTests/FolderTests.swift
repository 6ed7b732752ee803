import Foundation
import Testing

/// The folders of Models import one way, which no compiler checks: File ← Graph ← Engine.
@Suite("Folders of Models")
struct FolderTests {
  private static let room = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Models").standardizedFileURL

  private func sources(_ folder: String) throws -> [(name: String, code: String)] {
    let root = Self.room.appending(path: folder)
    let files = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
      // Comments may name anything.
      let text = try String(contentsOf: $0, encoding: .utf8).split(separator: "\n").map {
        $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
      }
      return ($0.lastPathComponent, text.joined(separator: "\n"))
    }
  }

  /// Types declared at the top of a file; `anywhere` adds nested ones.
  private func types(in code: String, anywhere: Bool = false) -> Set<String> {
    let kinds = "(?:struct|class|enum|protocol|typealias)"
    let pattern =
      anywhere
      ? "\\b\(kinds) (\\w+)"
      : "(?m)^(?:public |package |private |fileprivate |final )*\(kinds) (\\w+)"
    guard let expression = try? Regex(pattern, as: (Substring, Substring).self) else { return [] }
    return Set(code.matches(of: expression).map { String($0.1) })
  }

  @Test(
    "a folder names no type of a folder to its right",
    arguments: [("File", ["Graph", "Engine"]), ("Graph", ["Engine"])])
  func oneWay(_ folder: String, _ later: [String]) throws {
    var forbidden = Set<String>()
    for other in later {
      for file in try sources(other) { forbidden.formUnion(types(in: file.code)) }
    }
    #expect(forbidden.count > 5)
    for file in try sources(folder) {
      let words = Set(
        file.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
      let named = words.intersection(forbidden).subtracting(types(in: file.code, anywhere: true))
      #expect(named.isEmpty, "\(folder)/\(file.name) names \(named.sorted())")
    }
  }
}
