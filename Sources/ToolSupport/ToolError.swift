/// A fault that is the tool's own to report: an output that cannot be placed, a model that is not there.
package struct ToolError: Error, Equatable, CustomStringConvertible {
  package let code: String
  package let what: String
  package let place: String
  package let advice: String

  package init(_ code: String, _ what: String, at place: String, advice: String) {
    self.code = code
    self.what = what
    self.place = place
    self.advice = advice
  }

  package var description: String { "\(what) — \(place) — \(advice)" }
}
