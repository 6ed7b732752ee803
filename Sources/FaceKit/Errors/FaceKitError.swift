/// What can be wrong with an option, an image, a timestamp, or a model given to a face task.
///
/// The description reads `what — where — what to do`, in one line. Codes are the canonical status
/// codes MediaPipe reports, so that code which decides on numbers keeps working.
public struct FaceKitError: Error, Equatable, Sendable {
  /// The class of the fault: what a caller can decide on. Raw values are the canonical status codes.
  public enum Code: Int, Sendable, CaseIterable {
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16
  }

  public var code: Code
  /// What was wrong, with the offending value.
  public var what: String
  /// The option, argument, file or tensor it was found in.
  public var location: String
  /// What to do about it, with the values that are allowed.
  public var advice: String

  public init(_ code: Code, _ what: String, at location: String, advice: String) {
    self.code = code
    self.what = what
    self.location = location
    self.advice = advice
  }

  /// A wrong argument, by far the most frequent fault.
  static func invalid(_ what: String, at location: String, advice: String) -> FaceKitError {
    FaceKitError(.invalidArgument, what, at: location, advice: advice)
  }
}

extension FaceKitError: CustomStringConvertible {
  public var description: String { "\(what) — \(location) — \(advice)" }
}
