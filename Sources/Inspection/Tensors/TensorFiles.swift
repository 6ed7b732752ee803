import FaceKitModels
import FaceKitTensor
import ToolSupport

/// Tensors from and to files: `.npy`, or raw little-endian bytes.
package enum TensorFiles {
  /// Reads a tensor for an input. A file that is not `.npy` must hold exactly the input's bytes.
  ///
  /// Half-precision arrays are widened for a float32 input, because nothing is lost; no other type is
  /// converted.
  package static func read(_ path: String, as expected: TensorDescription) throws(ToolError)
    -> Tensor
  {
    if path.lowercased().hasSuffix(".npy") {
      let tensor = try npy(path)
      guard tensor.type == .float16, expected.type == .float32 else { return tensor }
      return Tensor(tensor.data.array(of: UInt16.self).map(Half.widen), shape: tensor.shape)
    }
    let view = try open(path)
    guard let needed = expected.type.bytes(for: expected.shape.count), needed == view.count else {
      throw ToolError(
        "input",
        "\(view.count) bytes do not fit input '\(expected.name)', \(expected.shape) of \(expected.type.name)",
        at: path, advice: "give raw values in row-major order, or a .npy file")
    }
    return Tensor(type: expected.type, shape: expected.shape, data: view)
  }

  /// Reads a `.npy` file.
  package static func npy(_ path: String) throws(ToolError) -> Tensor {
    let view = try open(path)
    do throws(ToolError) {
      return try NPYFile.tensor(view.array(of: UInt8.self))
    } catch {
      throw ToolError(error.code, error.what, at: "\(path), \(error.place)", advice: error.advice)
    }
  }

  private static func open(_ path: String) throws(ToolError) -> StorageView {
    let opened = try InputFile.lastingUTF8Path(path)
    do throws(ModelError) {
      return try MappedFile.open(opened)
    } catch {
      throw ToolError(error, in: path)
    }
  }

  package static func write(
    _ tensor: Tensor, to path: String, protecting inputs: ProtectedFiles
  ) throws(ToolError) {
    do throws(ToolError) {
      try OutputFile.write(NPYFile.bytes(tensor), to: path, protecting: inputs)
    } catch {
      throw ToolError(error.code, error.what, at: path, advice: error.advice)
    }
  }

  /// A tensor's name as a file name: only letters, digits, `-`, `_` and `.`, never empty or hidden.
  package static func fileName(_ name: String) -> String {
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

/// Names for files that are safe and different from each other.
package struct FileNames {
  private var used: Set<String> = []

  package init() {}

  package mutating func next(_ name: String) -> String {
    let safe = TensorFiles.fileName(name)
    var candidate = safe
    var number = 2
    while !used.insert(candidate).inserted {
      candidate = "\(safe)-\(number)"
      number += 1
    }
    return candidate
  }
}
