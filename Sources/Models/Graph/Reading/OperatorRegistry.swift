import FaceKitTensor

/// What the file says of one operator.
public struct OperatorSource: Sendable {
  /// The operator's name: of a custom one as the file spells it.
  public let name: String
  /// The options table of a built-in operator; `nil` if absent, which means all defaults.
  package let optionsTable: FlatTable?
  /// The discriminant of the options union; 0 if absent.
  public let optionsType: Int
  /// The raw bytes of a custom operator's options.
  public let customOptions: StorageView?
  /// The version the file asks for: custom operators change their meaning with it.
  public let version: Int
  /// Inputs, left-out ones counted.
  public let inputCount: Int
  /// The types the file declares for the outputs: `QUANTIZE`, `CAST` and `ARG_MAX` go by them.
  public let outputTypes: [ElementType]

  /// Outputs.
  public var outputCount: Int { outputTypes.count }
}

/// Makes an operator from what the file says of it.
public typealias OperatorReader = @Sendable (OperatorSource) throws(ModelError) -> AnyOperator

/// How to read a custom operator: the public way to teach the engine one.
public struct CustomOperatorEntry: Sendable {
  /// The custom code, as the model file spells it.
  public let name: String
  /// Custom operators change their meaning with the version.
  public let versions: ClosedRange<Int>
  /// Makes the operator.
  public let read: OperatorReader

  /// A custom operator.
  ///
  /// - Parameters:
  ///   - name: the custom code, as the model file spells it.
  ///   - versions: the versions `read` understands.
  ///   - read: makes the operator, or throws what is wrong with its options.
  public init(
    name: String, versions: ClosedRange<Int> = 1...Int.max,
    read: @escaping OperatorReader
  ) {
    self.name = name
    self.versions = versions
    self.read = read
  }
}

/// The operators a graph may be made of: the built-in ones, and custom ones of the caller.
public struct OperatorRegistry: Sendable {
  /// Searched from the last, so that a caller's entry hides one of ours.
  public var custom: [CustomOperatorEntry]

  /// A registry of the built-in operators and `custom`.
  ///
  /// - Parameter custom: the caller's operators.
  public init(custom: [CustomOperatorEntry] = []) {
    self.custom = custom
  }

  /// The built-in operators and MediaPipe's custom ones.
  public static let standard = OperatorRegistry(custom: mediaPipe)
}
