/// A TFLite model made for a test: change what the test is about, then take its bytes.
///
/// Buffers need no care: buffer 0 is the empty one, and each constant gets its own.
public struct ModelBuilder: Sendable {
  public typealias Fields = [Int: FlatBuilder.Value]

  public var version: UInt32 = 3
  public var tensors: [Fields] = []
  /// From buffer 1 on.
  public var buffers: [Fields] = []
  /// Operator codes and operators.
  public var codes: [Fields] = []
  public var operators: [Fields] = []
  public var inputs: [Int32] = []
  public var outputs: [Int32] = []
  /// Further fields of the root table, by slot.
  public var extra: Fields = [:]

  public init() {}

  /// Adds a tensor, float unless said otherwise, constant if there is `data`; `fields` are further
  /// fields of its table. The result is its index.
  @discardableResult
  public mutating func tensor(
    _ shape: [Int32], type: Int8 = 0, data: [UInt8]? = nil, remainder: Int = 0,
    _ fields: Fields = [:]
  ) -> Int32 {
    var table: Fields = [
      0: .int32s(shape), 1: .int8(type), 3: .string("tensor\(tensors.count)"),
    ]
    if let data {
      buffers.append([0: .placed(data, remainder: remainder)])
      table[2] = .uint32(UInt32(buffers.count))
    }
    tensors.append(table.merging(fields) { $1 })
    return Int32(tensors.count - 1)
  }

  /// Adds a built-in operator with options.
  public mutating func operation(
    _ code: Int32, inputs: [Int32], outputs: [Int32], options: (type: UInt8, Fields)? = nil,
    version: Int32 = 1
  ) {
    codes.append([
      0: .int8(Int8(min(code, 127))), 2: .int32(version), 3: .int32(code),
    ])
    var table: Fields = [
      0: .uint32(UInt32(codes.count - 1)), 1: .int32s(inputs), 2: .int32s(outputs),
    ]
    if let options {
      table[3] = .uint8(options.type)
      table[4] = .table(options.1)
    }
    operators.append(table)
  }

  /// Adds a custom operator.
  public mutating func custom(
    _ name: String, version: Int32 = 1, inputs: [Int32], outputs: [Int32], options: [UInt8]? = nil
  ) {
    codes.append([0: .int8(32), 1: .string(name), 2: .int32(version), 3: .int32(32)])
    var table: Fields = [
      0: .uint32(UInt32(codes.count - 1)), 1: .int32s(inputs), 2: .int32s(outputs),
    ]
    if let options { table[5] = .bytes(options) }
    operators.append(table)
  }

  public var bytes: [UInt8] {
    let graph: Fields = [
      0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
    ]
    let root: Fields = [
      0: .uint32(version), 1: .tables(codes), 2: .tables([graph]), 3: .string("made for a test"),
      4: .tables([[:]] + buffers),
    ]
    return FlatBuilder.buffer(root.merging(extra) { $1 })
  }

  /// `output = input + constant`, both of four floats.
  public static func addition() -> ModelBuilder {
    var model = ModelBuilder()
    let input = model.tensor([1, 4])
    let constant = model.tensor(
      [4],
      data: [Float(1), 2, 3, 4].flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
      })
    let output = model.tensor([1, 4])
    model.operation(0, inputs: [input, constant], outputs: [output])
    model.inputs = [input]
    model.outputs = [output]
    return model
  }
}
