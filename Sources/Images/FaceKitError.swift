/// What can be wrong with an option, an image, a timestamp, or a model given to a face task.
///
/// The description reads `what — where — what to do`, in one line. Codes are the canonical status
/// codes MediaPipe reports, so that code which decides on numbers keeps working.
public struct FaceKitError: Error, Equatable, Sendable {
  /// The class of the fault: what a caller can decide on. Raw values are the canonical status codes
  /// of MediaPipe and gRPC; those that no task of this package reports are there for completeness.
  public enum Code: Int, Sendable, CaseIterable {
    /// The call was given up by its caller.
    case cancelled = 1
    /// A fault of no other class.
    case unknown = 2
    /// An argument or option is wrong, whatever state the task is in.
    case invalidArgument = 3
    /// The time allowed ran out.
    case deadlineExceeded = 4
    /// A file or model is not there.
    case notFound = 5
    /// Something that was to be made exists already.
    case alreadyExists = 6
    /// A file may not be read.
    case permissionDenied = 7
    /// Memory or another limit is used up.
    case resourceExhausted = 8
    /// The call does not fit the task's state: another running mode, a closed task.
    case failedPrecondition = 9
    /// The call was stopped half-way.
    case aborted = 10
    /// A value lies beyond what can be read.
    case outOfRange = 11
    /// Nothing here does what was asked for.
    case unimplemented = 12
    /// A promise of this package is broken: please report it.
    case internalError = 13
    /// A resource cannot be used now.
    case unavailable = 14
    /// A file is damaged.
    case dataLoss = 15
    /// The caller is not known.
    case unauthenticated = 16
  }

  /// The class of the fault.
  public var code: Code
  /// What was wrong, with the offending value.
  public var what: String
  /// The option, argument, file or tensor it was found in.
  public var location: String
  /// What to do about it, with the values that are allowed.
  public var advice: String

  /// An error from its four parts.
  ///
  /// - Parameters:
  ///   - code: The class of the fault.
  ///   - what: What was wrong, with the offending value.
  ///   - location: The option, argument, file or tensor it was found in.
  ///   - advice: What to do about it.
  public init(_ code: Code, _ what: String, at location: String, advice: String) {
    self.code = code
    self.what = what
    self.location = location
    self.advice = advice
  }

  /// A wrong argument, by far the most frequent fault.
  package static func invalid(_ what: String, at location: String, advice: String) -> FaceKitError {
    FaceKitError(.invalidArgument, what, at: location, advice: advice)
  }
}

extension FaceKitError: CustomStringConvertible {
  /// `what — where — what to do`, in one line.
  public var description: String { "\(what) — \(location) — \(advice)" }
}
