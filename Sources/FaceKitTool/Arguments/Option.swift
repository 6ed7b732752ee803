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

/// A command line that asks for something that cannot be: exit status 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let what: String
  let place: String
  let advice: String

  init(_ what: String, at place: String, advice: String) {
    self.what = what
    self.place = place
    self.advice = advice
  }

  var description: String { "\(what) — \(place) — \(advice)" }
}
