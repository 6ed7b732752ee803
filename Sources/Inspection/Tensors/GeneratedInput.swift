import FaceKitModels
import FaceKitTensor
import ToolSupport

/// Generated input values, the same on every machine.
package enum GeneratedInput {
  /// Uniform in `-1...1` for floats, all bit patterns for integers: the 64-bit linear congruential generator
  /// of the conformance suite.
  package static func tensor(_ expected: TensorDescription, seed: UInt64) throws(ToolError)
    -> Tensor
  {
    guard let count = expected.shape.checkedCount, expected.type.byteWidth > 0 else {
      throw ToolError(
        "input", "input '\(expected.name)' of type \(expected.type.name) cannot be generated",
        at: "facekit run", advice: "give it with --input")
    }
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
    if expected.type == .float32 {
      let values = (0..<count).map { _ in Float(-1 + 2 * Double(next() >> 40) / 16_777_216) }
      return Tensor(values, shape: expected.shape)
    }
    let size = count * expected.type.byteWidth
    let bytes = (0..<size).map { _ in
      // Index-like integers would leave their range with random high bytes.
      expected.type.byteWidth > 1 ? UInt8(0) : UInt8(truncatingIfNeeded: next() >> 40)
    }
    return Tensor(
      type: expected.type, shape: expected.shape, data: StorageView(Storage(copying: bytes)))
  }
}

extension Session {
  /// Values like a picture's: zeros would make some layers' work easier.
  package func fillWithRamps() {
    for index in inputs.indices where inputs[index].type == .float32 {
      withInput(index) { values in
        for i in values.indices { values[i] = Float(i % 251) / 251 }
      }
    }
  }
}
