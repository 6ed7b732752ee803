import FaceKit
import ToolSupport

/// Where drawings go: one picture to the file that `-o` names, several into a folder of that name.
struct PictureOutput {
  /// A drawing's place.
  struct Place: Equatable {
    let path: String
    let format: PictureFormat
    /// What there is to say of it, if the format is not the input's.
    var note: String?
  }

  private let target: String
  private let isFolder: Bool
  /// The format that `--format` chose.
  private let format: PictureFormat?
  private let overwrites: Bool
  private let inputs: ProtectedFiles
  private var used: Set<String> = []

  static let options: [Option] = [
    Option(
      "-o", "--output", value: "PATH", role: .output,
      help: "draw: to this .png or .jpg (- is standard output), or for several\n"
        + "pictures into this folder, in the inputs' formats"),
    Option(
      "--format", value: "NAME",
      help: "of drawings: " + PictureFormat.allCases.map(\.rawValue).joined(separator: ", ")),
    Option("--overwrite", help: "replace pictures that stand in the folder under a drawing's name"),
  ]

  /// `nil` if nothing is to be drawn.
  ///
  /// - Throws: `UsageError` if several pictures would go to one file, the name is of no format that is
  ///   written, or the output is an input; `ToolError` if the folder cannot be made.
  init?(_ arguments: Arguments, files: [String]) throws {
    guard let target = arguments.string("--output") else { return nil }
    var inputs = arguments.protectedFiles
    for file in files { inputs.protect(file) }
    try self.init(
      target, count: files.count, format: arguments.choice("--format"),
      overwrites: arguments.has("--overwrite"), protecting: inputs, command: arguments.command)
  }

  init(
    _ target: String, count: Int, format: PictureFormat? = nil, overwrites: Bool = false,
    protecting inputs: ProtectedFiles = ProtectedFiles(), command: String
  ) throws {
    self.target = target
    self.overwrites = overwrites
    self.inputs = inputs
    let place = "facekit \(command) -o \(target)"
    let isExistingFolder = Folder.exists(target)
    isFolder = target != "-" && (count > 1 || isExistingFolder || target.hasSuffix("/"))
    let named = PictureFormat.named(by: target)
    if isFolder {
      self.format = format
      if isExistingFolder { return }
      if FileStatus.exists(target) || (named != nil && !target.hasSuffix("/")) {
        throw UsageError(
          "\(count) pictures cannot go to one file", at: place, advice: "give -o a folder")
      }
      try Folder.make(target)
      return
    }
    guard target != "-" || count == 1 else {
      throw UsageError(
        "\(count) pictures cannot go to standard output", at: place, advice: "give -o a folder")
    }
    self.format = try PictureOutput.format(target, chosen: format, place)
    try Arguments.check(output: target, protecting: inputs, place)
  }

  /// The format of a single drawing; `nil` for the input's.
  private static func format(
    _ target: String, chosen: PictureFormat?, _ place: String
  ) throws(UsageError) -> PictureFormat? {
    if target == "-" { return chosen }
    let word = PictureFormat.pathExtension(target)
    if let named = PictureFormat.named(by: target), chosen == nil || chosen == named {
      return named
    }
    if word == nil, let chosen { return chosen }
    let names = PictureFormat.allCases.flatMap(\.extensions).map { "." + $0 }
    throw UsageError(
      chosen.map { "--format \($0.rawValue) is not what '.\(word ?? "")' says" }
        ?? word.map { "'.\($0)' is no picture format that is written" }
        ?? "the name has no extension that says the format",
      at: place, advice: "give one of \(names.joined(separator: ", ")), or --format")
  }

  /// The place for a drawing of `input`. In a folder: the input's name and format, as far as it is written,
  /// numbered where two inputs have one name.
  ///
  /// - Throws: ``ToolError`` `exists` if a file stands there that is not to be replaced.
  mutating func place(for input: String) throws(ToolError) -> Place {
    let own = PictureFormat.of(input)
    guard isFolder else { return Place(path: target, format: format ?? own ?? .png) }
    let chosen = format ?? own ?? .png
    let name = input.split(separator: "/").last.map(String.init) ?? "picture"
    let word = PictureFormat.pathExtension(name)
    let stem = word.map { String(name.dropLast($0.count + 1)) } ?? name
    var candidate = stem
    var number = 2
    while !used.insert(candidate).inserted {
      candidate = "\(stem)-\(number)"
      number += 1
    }
    let kept = word.flatMap { chosen.extensions.contains($0.lowercased()) ? $0 : nil }
    let file = candidate + "." + (kept ?? chosen.extensions[0])
    let path = (target.hasSuffix("/") ? target : target + "/") + file
    let note = own == nil && format == nil ? "as PNG, because its own format is not written" : nil
    if FileStatus.exists(path) {
      try OutputFile.check(path, protecting: inputs)
      guard !overwrites else { return Place(path: path, format: chosen, note: note) }
      throw ToolError(
        "exists", "a file of that name stands there", at: path,
        advice: "give another folder, or --overwrite to replace it")
    }
    return Place(path: path, format: chosen, note: note)
  }

  /// Draws `drawing` to its place.
  func write(_ drawing: FaceDrawing, to place: Place) throws {
    let bytes = try place.format.encode(drawing.rendered())
    try OutputFile.write(bytes, to: place.path, protecting: inputs)
  }
}
