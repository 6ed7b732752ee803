import FaceKitTensor

/// What can be wrong with a model, a bundle, or what a caller asks of a session.
///
/// The description reads `what — where — what to do`, in one line.
public struct ModelError: Error, Equatable, Sendable {
  /// The class of the fault: what a caller can decide on.
  public enum Code: String, Sendable, CaseIterable {
    /// Not the kind of file it was taken for.
    case notAModel
    /// Broken structure, or data shorter than its shape.
    case malformed
    case unsupportedVersion
    case indexOutOfRange
    /// Order, cycles, missing or doubled producers.
    case graph
    case shape, type, option, quantization, sparsity
    case unsupportedOperator
    /// A limit of ``ModelLimits`` was reached.
    case resourceLimit
    case bundle
    /// A bundle entry is compressed; entries must be stored.
    case bundleCompressed
    case notFound
    /// The caller's input does not fit the model.
    case input
  }

  /// Where a fault is.
  public enum Location: Equatable, Sendable {
    case nowhere
    case byte(Int)
    case tensor(Int)
    case op(index: Int, name: String)
    case entry(String)
    case file(String)
  }

  /// The class of the fault.
  public var code: Code
  /// What is wrong, as the start of a sentence.
  public var what: String
  /// Where it is.
  public var location: Location
  /// What to do, if there is more to say than goes for all faults of this code.
  public var advice: String
  /// No fault of the model: the data that a shape depends on are known only when the graph runs.
  private(set) var isDataDependent = false

  /// An error.
  ///
  /// - Parameters:
  ///   - code: the class of the fault.
  ///   - what: what is wrong, as the start of a sentence.
  ///   - location: where it is.
  ///   - advice: what to do; empty for what goes for all faults of this code.
  public init(_ code: Code, _ what: String, at location: Location = .nowhere, advice: String = "") {
    self.code = code
    self.what = what
    self.location = location
    self.advice = advice
  }

  /// The same error, placed: inner code knows what is wrong, outer code knows where.
  func at(_ location: Location) -> ModelError {
    guard self.location == .nowhere else { return self }
    var placed = self
    placed.location = location
    return placed
  }

  /// A kernel met a type that its candidate should have declined.
  static func noKernel(for type: ElementType) -> ModelError {
    ModelError(.type, "no kernel takes \(type.name)")
  }

  /// "Known only at run time": the planner catches it, and the session then plans while it runs.
  static func dataDependent(input: Int) -> ModelError {
    var error = ModelError(.shape, "the output's shape depends on the data of input \(input)")
    error.isDataDependent = true
    return error
  }
}

extension ModelError: CustomStringConvertible {
  /// Where it is, as the description says it; empty for nowhere in particular.
  public var place: String {
    switch location {
    case .nowhere: ""
    case .byte(let offset): "byte \(offset)"
    case .tensor(let index): "tensor \(index)"
    case .op(let index, let name): "operator \(index) (\(name))"
    case .entry(let name): "entry \(name)"
    case .file(let path): path
    }
  }

  /// What to do about it: ``advice``, or what goes for all faults of this code.
  public var whatToDo: String { advice.isEmpty ? code.advice : advice }

  /// `what — where — what to do`, in one line.
  public var description: String {
    place.isEmpty ? "\(what) — \(whatToDo)" : "\(what) — \(place) — \(whatToDo)"
  }
}

extension ModelError.Code {
  /// What to do, where the fault itself does not say more.
  var advice: String {
    switch self {
    case .notAModel: "give a .tflite model or a .task bundle"
    case .malformed, .indexOutOfRange, .graph, .sparsity:
      "the file is damaged: fetch or export it again"
    case .unsupportedVersion: "export the model with a current converter (schema version 3)"
    case .shape, .type, .option, .quantization: "check the model's export settings"
    case .unsupportedOperator: "register the operator, or export the model without it"
    case .resourceLimit: "raise ModelLimits if the model is trusted"
    case .bundle, .bundleCompressed: "repack the bundle with stored entries (zip -0)"
    case .notFound: "check the name"
    case .input: "see `facekit inspect` for the model's inputs"
    }
  }
}
