/// An option of a command: how it is spelled, whether it takes a value, what it does.
struct Option: Sendable {
  /// All spellings, the one that ``Arguments`` is asked with last: `["-o", "--output"]`.
  let names: [String]
  /// The value's name in help texts; `nil` for a switch.
  let value: String?
  let help: String

  init(_ names: String..., value: String? = nil, help: String) {
    self.names = names
    self.value = value
    self.help = help
  }

  static let help = Option("-h", "--help", help: "print this")
}
