import FaceKitKernels
import FaceKitTensor

// MediaPipe's custom operators, registered the way a caller's own would be: see
// `OperatorRegistry.mediaPipe` at the end.

/// A C structure of 32-bit integers, which MediaPipe stores as custom options.
struct RawOptions {
  private let values: [Int32]

  /// - `count`: how many fields are needed; newer writers append more.
  init(_ source: OperatorSource, count: Int) throws(ModelError) {
    guard let bytes = source.customOptions, bytes.count >= 4 * count else {
      throw ModelError(.option, "custom options of \(source.customOptions?.count ?? 0) bytes")
    }
    values = bytes.array(of: Int32.self)
  }

  subscript(index: Int) -> Int { Int(values[index]) }

  /// The C runtime's padding enum: 0 unknown, 1 SAME, 2 VALID.
  func padding(_ index: Int) throws(ModelError) -> Padding {
    switch values[index] {
    case 1: return .same
    case 2: return .valid
    case let value: throw ModelError(.option, "padding \(value) is not defined")
    }
  }

  func positive(_ index: Int, _ name: StaticString) throws(ModelError) -> Int {
    guard values[index] >= 1 else { throw ModelError(.option, "\(name) is \(values[index])") }
    return Int(values[index])
  }
}

extension OperatorSource {
  /// Custom options in FlexBuffers.
  func flexOptions() throws(ModelError) -> FlexMap {
    guard let customOptions else { throw ModelError(.option, "the custom options are missing") }
    return try FlexMap(bytes: customOptions)
  }
}
