import Tensor

/// What the file says of one operator.
public struct OperatorSource: Sendable {
  /// The options table; `nil` if absent, which means all defaults.
  public let options: FlatTable?
  /// The discriminant of the options union; 0 if absent.
  public let optionsType: Int
  /// The raw bytes of a custom operator's options.
  public let customOptions: StorageView?
  public let version: Int
  public let inputCount: Int
  /// The types the file declares for the outputs: `QUANTIZE`, `CAST` and `ARG_MAX` go by them.
  public let outputTypes: [ElementType]

  public var outputCount: Int { outputTypes.count }
}

/// One line of the operator list: code, name, and how to read it.
public struct OperatorEntry: Sendable {
  public let code: Int
  public let name: String
  public let read: @Sendable (OperatorSource) throws(ModelError) -> Operation
}
