import ToolSupport

/// What the user typed after the command's name, sorted into options and files.
///
/// `--name value` and `--name=value` are the same; `--` ends the options; an option given twice keeps
/// both values, and the last one counts where one is asked for.
struct Arguments: Sendable {
  let command: String
  let files: [String]
  private var values: [String: [String]] = [:]
  private let options: [Option]

  init(parsing words: [String], for command: Command) throws(UsageError) {
    self.command = command.name
    options = command.options
    var files: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        files += rest
        break
      }
      // A lone dash is a file name by custom; negative numbers are values.
      guard word.hasPrefix("-"), word != "-", Double(word) == nil else {
        files.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = command.options.first(where: { $0.names.contains(name) }) else {
        throw UsageError(
          "there is no option '\(name)'", at: "facekit \(command.name)",
          advice: "see `facekit \(command.name) -h`")
      }
      let key = option.names[option.names.count - 1]
      if option.value == nil {
        guard parts.count == 1 else {
          throw UsageError(
            "the option '\(name)' takes no value", at: "facekit \(command.name)",
            advice: "give '\(name)' alone")
        }
        values[key, default: []].append("")
      } else if parts.count == 2 {
        values[key, default: []].append(String(parts[1]))
      } else if let value = rest.popFirst() {
        values[key, default: []].append(value)
      } else {
        throw UsageError(
          "the option '\(name)' needs a value (\(option.value!))", at: "facekit \(command.name)",
          advice: "see `facekit \(command.name) -h`")
      }
    }
    self.files = files
  }

  func has(_ name: String) -> Bool { values[name] != nil }

  func strings(_ name: String) -> [String] { values[name] ?? [] }

  func string(_ name: String) -> String? { values[name]?.last }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = string(name) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw invalid(
        name, text, "give a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ name: String, in range: ClosedRange<Float>) throws(UsageError) -> Float? {
    guard let text = string(name) else { return nil }
    guard let value = Float(text), range.contains(value) else {
      throw invalid(name, text, "give a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// One of the words that name the cases of an enum.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of _: Choice.Type = Choice.self
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = string(name) else { return nil }
    guard let value = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw invalid(name, text, "give one of \(words)")
    }
    return value
  }

  // MARK: Files

  private func values(of role: Option.Role) -> [String] {
    options.filter { $0.role == role }.flatMap { strings($0.names[$0.names.count - 1]) }
  }

  /// Every file that the command was told to read, so that nothing it writes replaces one.
  var protectedFiles: ProtectedFiles {
    var protected = ProtectedFiles(files)
    for value in values(of: .input) {
      protected.protect(value)
      // `NAME=FILE`, where the name may hold `=` itself.
      for (place, character) in zip(value.indices, value) where character == "=" {
        protected.protect(String(value[value.index(after: place)...]))
      }
    }
    return protected
  }

  /// Whether a file goes where results usually do.
  var writesToStandardOutput: Bool { values(of: .output).contains("-") }

  /// Checks a file to be written before any work is done.
  ///
  /// - Throws: ``UsageError`` if the command was told to write where it must not.
  static func check(
    output path: String, protecting inputs: ProtectedFiles, _ place: String
  ) throws(UsageError) {
    do throws(ToolError) {
      try OutputFile.check(path, protecting: inputs)
    } catch {
      throw UsageError(error.what, at: place, advice: error.advice)
    }
  }

  /// Checks the file that an option names, if it is given, and gives its path.
  func output(_ name: String) throws(UsageError) -> String? {
    guard let path = string(name) else { return nil }
    try Arguments.check(
      output: path, protecting: protectedFiles, "facekit \(command) \(name) \(path)")
    return path
  }

  /// The files, or an error that says what is missing.
  func requireFiles(_ what: String) throws(UsageError) -> [String] {
    guard !files.isEmpty else {
      throw UsageError(
        "no \(what) given", at: "facekit \(command)", advice: "see `facekit \(command) -h`")
    }
    return files
  }

  func invalid(_ name: String, _ value: String, _ advice: String) -> UsageError {
    UsageError("'\(value)' is not a value for \(name)", at: "facekit \(command)", advice: advice)
  }
}
