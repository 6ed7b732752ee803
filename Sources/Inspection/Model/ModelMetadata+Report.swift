import FaceKitModels
import ToolSupport

extension ModelMetadata {
  package var lines: [String] {
    var lines = ["", "metadata: \(name)"]
    for (key, value) in [
      ("description", description), ("version", version), ("author", author), ("license", license),
    ] where !value.isEmpty { lines.append("  \(key): \(value)") }
    for (title, tensors) in [("input", inputs), ("output", outputs)] {
      for tensor in tensors {
        var line = "  \(title) \(tensor.name): \(tensor.description)"
        if let normalization = tensor.normalization {
          line +=
            " (normalised: mean \(normalization.means), deviation \(normalization.standardDeviations))"
        }
        lines.append(line)
        lines += tensor.associatedFiles.map { "    file \($0.name) (\($0.kind))" }
      }
    }
    for file in associatedFiles {
      let labels = file.kind == .axisLabels || file.kind == .valueLabels
      let count = labels ? (try? self.labels(in: file).count).map { ", \($0) labels" } ?? "" : ""
      lines.append("  file \(file.name) (\(file.kind)\(count))")
    }
    lines += custom.map { "  custom \($0.name): \($0.data.count) bytes" }
    return lines
  }

  package var json: JSON {
    func tensor(_ tensor: TensorMetadata) -> JSON {
      .object([
        "name": .string(tensor.name), "description": .string(tensor.description),
        "mean": tensor.normalization.map { .floats($0.means) },
        "deviation": tensor.normalization.map { .floats($0.standardDeviations) },
        "files": .array(tensor.associatedFiles.map { .string($0.name) }),
      ])
    }
    return [
      "name": .string(name), "description": .string(description), "version": .string(version),
      "author": .string(author), "license": .string(license),
      "inputs": .array(inputs.map(tensor)), "outputs": .array(outputs.map(tensor)),
      "files": .array(
        associatedFiles.map { ["name": .string($0.name), "kind": .string("\($0.kind)")] }),
      "custom": .array(
        custom.map { ["name": .string($0.name), "bytes": .integer($0.data.count)] }),
    ]
  }
}
