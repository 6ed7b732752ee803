/// Frames a second, as a fraction: 30000/1001.
struct FrameRate: Equatable, Sendable {
  let numerator: Int
  let denominator: Int

  /// `30`, `29.97`, `30000/1001`; `nil` for anything that is no rate from 1/1000 to 1000.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let numerator = Int(parts[0]), let denominator = Int(parts[1]) {
      self.init(numerator, denominator)
    } else if let value = Double(text), value > 0, value <= 1000 {
      self.init(Int((value * 1000).rounded()), 1000)
    } else {
      return nil
    }
  }

  init?(_ numerator: Int, _ denominator: Int) {
    let sane = 1...1_000_000_000
    guard sane.contains(numerator), sane.contains(denominator),
      numerator <= denominator * 1000, denominator <= numerator * 1000
    else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  var value: Double { Double(numerator) / Double(denominator) }
  var text: String { "\(numerator)/\(denominator)" }

  /// When frame `index` is shown. Strictly increasing, since there are no more than 1000 frames a second.
  func milliseconds(ofFrame index: Int) -> Int {
    Int((Double(index) * 1000 * Double(denominator) / Double(numerator)).rounded())
  }

  func microseconds(ofFrame index: Int) -> Int {
    Int((Double(index) * 1e6 * Double(denominator) / Double(numerator)).rounded())
  }
}
