import ImageCodecs
import FaceKitModels
import FaceKitTensor

/// Tensors from and to files: `.npy`, or raw little-endian bytes.
enum TensorFiles {
  /// Reads a tensor for an input. A file that is not `.npy` must hold exactly the input's bytes.
  ///
  /// Half-precision arrays are widened for a float32 input, because nothing is lost; no other type is
  /// converted.
  static func read(_ path: String, as expected: TensorDescription) throws -> Tensor {
    let view = try MappedFile.open(path)
    if path.lowercased().hasSuffix(".npy") {
      do throws(ToolError) {
        let tensor = try NPYFile.tensor(view.array(of: UInt8.self))
        guard tensor.type == .float16, expected.type == .float32 else { return tensor }
        return Tensor(tensor.data.array(of: UInt16.self).map(Half.widen), shape: tensor.shape)
      } catch {
        throw ToolError(error.code, error.what, at: "\(path), \(error.place)", advice: error.advice)
      }
    }
    guard let needed = expected.type.bytes(for: expected.shape.count), needed == view.count else {
      throw ToolError(
        "input",
        "\(view.count) bytes do not fit input '\(expected.name)', \(expected.shape) of \(expected.type.name)",
        at: path, advice: "give raw values in row-major order, or a .npy file")
    }
    return Tensor(type: expected.type, shape: expected.shape, data: view)
  }

  static func write(_ tensor: Tensor, to path: String) throws {
    do throws(ToolError) {
      try OutputFile.write(NPYFile.bytes(tensor), to: path)
    } catch {
      throw ToolError(error.code, error.what, at: path, advice: error.advice)
    }
  }

  /// A tensor's name as a file name: only letters, digits, `-`, `_` and `.`, never empty or hidden.
  static func fileName(_ name: String) -> String {
    let safe = String(
      name.map { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
          ? character : "_"
      })
    // A model may name a tensor with thousands of letters; file systems allow 255 bytes.
    let short = String(safe.prefix(120))
    return short.isEmpty || short.hasPrefix(".") ? "_" + short : short
  }
}

/// Generated input values, the same on every machine.
enum GeneratedInput {
  /// Uniform in `-1...1` for floats, all bit patterns for integers: the 64-bit linear congruential generator
  /// of the conformance suite.
  static func tensor(_ expected: TensorDescription, seed: UInt64) throws(ToolError) -> Tensor {
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
