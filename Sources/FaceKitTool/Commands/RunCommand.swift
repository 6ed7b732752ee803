import FaceKitModels
import FaceKitTensor
import Inspection
import ToolSupport

extension Command {
  static let run = Command(
    name: "run",
    summary: "runs any TFLite model on tensors from files",
    synopsis: "model.tflite [options]",
    options: [
      Option(
        "--input", value: "NAME=FILE", role: .input,
        help:
          "an input from a .npy file or raw little-endian bytes; NAME may be\nan index, or left out if there is one input; once for each input;\nfloat16 arrays are widened where the model takes float32"
      ),
      Option("--random", value: "SEED", help: "generated values for the inputs not given"),
      Option("--output-dir", value: "FOLDER", help: "write each output as NAME.npy"),
      Option(
        "--all-tensors",
        help: "write intermediate tensors too; runs without the passes\nthat fuse them away"),
      Option("--json", help: "print JSON"),
    ] + EngineArguments.options,
    details: """
      JSON: {"model", "outputs": [{"name", "shape", "type", "file"}]}, and "tensors" likewise with --all-tensors.
      """
  ) { arguments, console in
    let paths = try arguments.requireFiles("model")
    guard paths.count == 1 else {
      throw UsageError(
        "\(paths.count) models given", at: "facekit run",
        advice: "give one model; inputs come with --input")
    }
    if arguments.has("--all-tensors"), !arguments.has("--output-dir") {
      throw UsageError(
        "--all-tensors has nowhere to write to", at: "facekit run", advice: "give --output-dir")
    }
    do {
      try ModelRun(path: paths[0], arguments, console).run()
    } catch  where arguments.has("--json") && !(error is UsageError) {
      console.print(PictureBatch.errorLine(paths[0], error).text)
      throw error
    }
    return .done
  }
}

/// One run of a model from files to files.
private struct ModelRun {
  let path: String
  let arguments: Arguments
  let console: Console
  let session: Session
  let folder: String?
  let inputs: ProtectedFiles

  init(path: String, _ arguments: Arguments, _ console: Console) throws {
    self.path = path
    self.arguments = arguments
    self.console = console
    folder = arguments.string("--output-dir")
    inputs = arguments.protectedFiles
    var options = try EngineArguments.engine(arguments)
    if arguments.has("--all-tensors") { options.disabledPasses = ["all"] }
    let opened = try InputFile.lastingUTF8Path(path)
    do throws(ModelError) {
      session = try CompiledModel(TFLiteModel(path: opened), options: options).makeSession()
    } catch {
      throw ToolError(error, in: path)
    }
  }

  func run() throws {
    try SessionInputs.fill(
      session, path: path, given: arguments.strings("--input"),
      seed: arguments.integer("--random", in: 0...Int.max))
    if let folder { try Folder.make(folder) }
    var intermediate: [JSON] = []
    do {
      if arguments.has("--all-tensors") {
        intermediate = try runShowingAll()
      } else {
        try session.run()
      }
    } catch let error as ModelError {
      throw ToolError(error, in: path)
    }

    var outputs: [JSON] = []
    var names = FileNames()
    for (index, description) in session.outputs.enumerated() {
      let tensor = session.output(index)
      let file = folder.map { "\($0)/\(names.next(description.name)).npy" }
      if let file { try TensorFiles.write(tensor, to: file, protecting: inputs) }
      outputs.append(describe(description.name, tensor, file))
      if !arguments.has("--json") {
        console.print(TensorText.line(description.name, tensor) + (file.map { " → \($0)" } ?? ""))
      }
    }
    if arguments.has("--json") {
      console.print(
        JSON.object([
          "model": .string(path), "outputs": .array(outputs),
          "tensors": arguments.has("--all-tensors") ? .array(intermediate) : nil,
        ]).text)
    }
  }

  private func describe(_ name: String, _ tensor: Tensor, _ file: String?) -> JSON {
    .object([
      "name": .string(name), "shape": .array(tensor.shape.extents.map { .integer($0) }),
      "type": .string(tensor.type.name), "file": file.map { .string($0) },
    ])
  }

  /// Numbers the files, because execution order is what one reads them in.
  private func runShowingAll() throws -> [JSON] {
    var tensors: [JSON] = []
    var fault: (any Error)?
    let graph = session.model.graph
    try session.run { node, outputs in
      for (value, tensor) in zip(graph.nodes[node].outputs, outputs) where fault == nil {
        let name = graph.values[value].name
        let number = Formatting.zeros(tensors.count, 4)
        let file = "\(folder!)/\(number)-\(TensorFiles.fileName(name)).npy"
        do {
          try TensorFiles.write(tensor, to: file, protecting: inputs)
        } catch {
          fault = error
        }
        tensors.append(describe(name, tensor, file))
      }
    }
    if let fault { throw fault }
    return tensors
  }
}
