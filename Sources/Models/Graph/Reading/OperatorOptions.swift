import FaceKitKernels
import FaceKitTensor

/// The options table of an operator, absent or not: an absent field has its default.
struct OperatorOptions {
  let table: FlatTable?

  func int(_ slot: Int, default value: Int = 0) throws(ModelError) -> Int {
    guard let table else { return value }
    return try table.int32(slot, default: value)
  }

  func bool(_ slot: Int, default value: Bool = false) throws(ModelError) -> Bool {
    guard let table else { return value }
    return try table.bool(slot, default: value)
  }

  func float(_ slot: Int, default value: Float = 0) throws(ModelError) -> Float {
    guard let table else { return value }
    return try table.float(slot, default: value)
  }

  func ints(_ slot: Int) throws(ModelError) -> [Int]? {
    guard let table else { return nil }
    return try table.int32s(slot)
  }

  func enumeration(_ slot: Int) throws(ModelError) -> Int {
    guard let table else { return 0 }
    return try table.enumeration(slot)
  }

  func padding(_ slot: Int) throws(ModelError) -> Padding {
    switch try enumeration(slot) {
    case 0: return .same
    case 1: return .valid
    case let value: throw ModelError(.option, "padding \(value) is not defined")
    }
  }

  /// A fused activation. TANH and SIGN_BIT exist in the schema, but no runtime computes them.
  func activation(_ slot: Int) throws(ModelError) -> Activation {
    let value = try enumeration(slot)
    guard let activation = Activation(schemaCode: value) else {
      throw ModelError(.option, "fused activation \(value) is not supported")
    }
    return activation
  }

  /// A stride, dilation, filter extent or block size.
  func positive(
    _ slot: Int, _ name: StaticString, default value: Int = 0
  ) throws(ModelError) -> Int {
    let number = try int(slot, default: value)
    guard number >= 1 else { throw ModelError(.option, "\(name) is \(number)") }
    return number
  }
}

extension OperatorSource {
  /// The options table; all defaults if the file has none. The reader has seen to it that the table is of
  /// the operator's own kind.
  func options() throws(ModelError) -> OperatorOptions { OperatorOptions(table: optionsTable) }
}

/// An operator that reads itself from the file.
protocol ReadableOperator: Operator {
  init(_ source: OperatorSource) throws(ModelError)
}
