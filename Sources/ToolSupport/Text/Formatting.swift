/// Numbers for people. JSON has the full precision; see ``JSON``.
package enum Formatting {
  /// A number with a fixed count of decimals, rounded half away from zero.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = Int((abs(value) * Double(unit)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(scaled)" }
    let fraction = "\(scaled % unit)"
    return sign + "\(scaled / unit)."
      + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  package static func fixed(_ value: Float, _ decimals: Int) -> String {
    fixed(Double(value), decimals)
  }

  /// A number with zeros before it, at least `width` digits.
  package static func zeros(_ value: Int, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// `text` with spaces before it, at least `width` characters.
  package static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// `text` with spaces after it, at least `width` characters.
  package static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
