/// An option of a command: how it is spelled, whether it takes a value, what it does.
struct Option: Sendable {
  /// All spellings, the one that ``Arguments`` is asked with last: `["-o", "--output"]`.
  let names: [String]
  /// The value's name in help texts; `nil` for a switch.
  let value: String?
  /// Whether the value names a file.
  let role: Role
  let help: String

  enum Role { case plain, input, output }

  init(_ names: String..., value: String? = nil, role: Role = .plain, help: String) {
    self.names = names
    self.value = value
    self.role = role
    self.help = help
  }

  static let help = Option("-h", "--help", help: "print this")
}
