/// A command line that asks for something that cannot be: exit status 2.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let what: String
  package let place: String
  package let advice: String

  package init(_ what: String, at place: String, advice: String) {
    self.what = what
    self.place = place
    self.advice = advice
  }

  package var description: String { "\(what) — \(place) — \(advice)" }
}
