/// One command: a value in ``all``, one file for each.
struct Command: Sendable {
  let name: String
  /// One line for the overview.
  let summary: String
  /// What follows `facekit name`.
  let synopsis: String
  let options: [Option]
  /// Paragraphs after the options, if there is more to say.
  var details = ""
  let run: @Sendable (Arguments, Console) throws -> ToolStatus

  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}

/// Help texts, laid out from the commands' own descriptions.
enum Help {
  static var overview: String {
    var text = "usage: facekit <command> [options] <files>\n\ncommands:\n"
    for command in Command.all { text += row(command.name, command.summary) }
    text += "\n`facekit <command> -h` explains one. `facekit --version` prints the version."
    return text
  }

  static func page(_ command: Command) -> String {
    var text = "usage: facekit \(command.name) \(command.synopsis)\n\n\(command.summary)\n"
    if !command.options.isEmpty {
      text += "\noptions:\n"
      for option in command.options + [.help] {
        let value = option.value.map { " " + $0 } ?? ""
        text += row(option.names.joined(separator: ", ") + value, option.help)
      }
    }
    if !command.details.isEmpty { text += "\n\(command.details)" }
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  /// Name and explanation in two columns; a long name takes a line of its own.
  private static func row(_ name: String, _ explanation: String) -> String {
    let column = 26
    let lines = explanation.split(separator: "\n", omittingEmptySubsequences: false)
    let indent = String(repeating: " ", count: column)
    var text = "  " + name
    if text.count + 2 > column {
      text += "\n" + indent
    } else {
      text += String(repeating: " ", count: column - text.count)
    }
    return text + lines.joined(separator: "\n" + indent) + "\n"
  }
}
