import FaceKit
import FaceKitModels
import ToolSupport

extension ToolError {
  /// A model's fault with the file it came from.
  package init(_ error: ModelError, in path: String) {
    // Errors from opening a file name it before the fault; here it goes to the place.
    let prefix = path + ": "
    let what =
      error.what.hasPrefix(prefix) ? String(error.what.dropFirst(prefix.count)) : error.what
    let place = error.place.isEmpty || error.place == path ? path : "\(path), \(error.place)"
    self.init(error.code.rawValue, what, at: place, advice: error.whatToDo)
  }

  /// A task's fault with the file it is about: a picture, or the model it could not be made from.
  package init(_ error: FaceKitError, in path: String) {
    let place = error.location.contains(path) ? error.location : "\(path), \(error.location)"
    self.init("\(error.code)", error.what, at: place, advice: error.advice)
  }
}
