import FaceKitModels
import FaceKitTensor
import ToolSupport

/// A folder of `.npy` files, one for each tensor of a run: `NAME.npy`, `0012-NAME.npy` (any count) or
/// `t0012-NAME.npy` (the tensor's index in the file).
package struct TensorFolder {
  private let path: String
  /// The files that a tensor's name may stand for.
  private let files: [String: [String]]

  /// - Throws: ``ToolError`` if the folder cannot be read.
  package init(_ path: String) throws(ToolError) {
    self.path = path
    var files: [String: [String]] = [:]
    for file in try Folder.names(path) where file.hasSuffix(".npy") {
      let stem = file.dropLast(4)
      files[String(stem), default: []].append(file)
      let number = stem.prefix { $0 == "t" || $0.isNumber }
      if !number.isEmpty, stem.dropFirst(number.count).first == "-" {
        files[String(stem.dropFirst(number.count + 1)), default: []].append(file)
      }
    }
    self.files = files
  }

  /// The values of the tensors that the folder has, by name.
  package func values(for records: [TensorRecord]) throws(ToolError) -> [String: [Float]] {
    var values: [String: [Float]] = [:]
    for record in records {
      guard let name = file(for: record) else { continue }
      let file = path + "/" + name
      let tensor = try TensorFiles.npy(file)
      // Other runtimes' folders may hold the values instead of the integers.
      values[record.name] = tensor.numbers(tensor.type.isInteger ? record.quantization : nil)
    }
    return values
  }

  private func file(for record: TensorRecord) -> String? {
    let name = TensorFiles.fileName(record.name)
    // By the tensor's own number where the folder has those: long names are cut, and then shared.
    let numbered = record.tensor.map { "t\(Formatting.zeros($0, 4))-\(name).npy" }
    let found = files[name] ?? []
    return found.first { $0 == numbered } ?? (found.count == 1 ? found[0] : nil)
  }
}
