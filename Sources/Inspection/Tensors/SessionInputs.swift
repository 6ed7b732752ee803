import FaceKitModels
import FaceKitTensor
import ToolSupport

/// A session's inputs from `--input NAME=FILE` and `--random SEED`.
package struct SessionInputs {
  private let session: Session
  private let path: String
  /// `NAME=FILE`, or `FILE` where there is one input.
  private let given: [String]
  /// Of generated values for the inputs not given; `nil` if these are an error.
  private let seed: Int?

  /// Fills all inputs; `path` is the model's, for messages.
  package static func fill(
    _ session: Session, path: String, given: [String], seed: Int?
  ) throws {
    try SessionInputs(session: session, path: path, given: given, seed: seed).fill()
  }

  private func fill() throws {
    var missing = Set(session.inputs.indices)
    var tensors: [(index: Int, file: String, tensor: Tensor)] = []
    for text in given {
      let (index, file) = try input(text)
      missing.remove(index)
      tensors.append((index, file, try TensorFiles.read(file, as: session.inputs[index])))
    }
    // All shapes before all values: resizing one input empties the others.
    for (index, file, tensor) in tensors {
      let expected = session.inputs[index]
      guard tensor.shape != expected.shape, expected.shapeSignature != nil else { continue }
      do throws(ModelError) {
        try session.resizeInput(index, to: tensor.shape)
      } catch {
        throw ToolError(error, in: file)
      }
    }
    for (index, file, tensor) in tensors {
      do throws(ModelError) {
        try session.setInput(index, tensor)
      } catch {
        throw ToolError(error, in: file)
      }
    }
    guard !missing.isEmpty else { return }
    guard let seed else {
      let descriptions = missing.sorted().map { index in
        let input = session.inputs[index]
        return "'\(input.name)' (\(input.shape) \(input.type.name))"
      }
      throw UsageError(
        "no values for input \(descriptions.joined(separator: ", "))", at: path,
        advice: "give --input NAME=FILE, or --random SEED")
    }
    for index in missing {
      try session.setInput(
        index, GeneratedInput.tensor(session.inputs[index], seed: UInt64(seed) &+ UInt64(index)))
    }
  }

  /// Splits `NAME=FILE`. Names may hold `=` themselves, so known names are tried first.
  private func input(_ text: String) throws -> (index: Int, file: String) {
    let inputs = session.inputs
    for (index, input) in inputs.enumerated() {
      for name in [input.name, "\(index)"] where text.hasPrefix(name + "=") {
        return (index, String(text.dropFirst(name.count + 1)))
      }
    }
    if inputs.count == 1, !text.contains("=") { return (0, text) }
    let names = inputs.map { "'\($0.name)'" }.joined(separator: ", ")
    throw UsageError(
      "'\(text)' names no input", at: path, advice: "the inputs are \(names); give NAME=FILE")
  }
}
