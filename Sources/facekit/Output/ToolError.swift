/// A fault that is the tool's own to report: an output that cannot be placed, a model that is not there.
struct ToolError: Error, Equatable, CustomStringConvertible {
  let code: String
  let what: String
  let place: String
  let advice: String

  init(_ code: String, _ what: String, at place: String, advice: String) {
    self.code = code
    self.what = what
    self.place = place
    self.advice = advice
  }

  var description: String { "\(what) — \(place) — \(advice)" }
}
