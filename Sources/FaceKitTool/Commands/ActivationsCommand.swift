import FaceKitModels
import ImageCodecs
import Inspection
import ToolSupport

extension Command {
  static let activations = Command(
    name: "activations",
    summary: "shows what each layer of a model produces",
    synopsis: "model.tflite --input photo.jpg [options]\n       "
      + "facekit activations --task landmarks --input photo.jpg [options]",
    options: [
      Option(
        "--input", value: "FILE", role: .input,
        help: "a picture, or a .npy file of the input's shape"),
      Option("--sample", help: "the sample portrait instead"),
      Option(
        "--task", value: "landmarks",
        help: "the models inside the Face Landmarker, with the crops it gives them"),
      Option(
        "--layer", value: "N",
        help:
          "only what operator N of the file (see inspect) produces, or the\nnext where N depends on weights alone"
      ),
      Option(
        "-o", "--output-dir", value: "FOLDER",
        help: "write a picture of each layer, channels side by side"),
      Option("--npy", help: "write the values too"),
      Option(
        "--html", value: "FILE", role: .output,
        help: "write one page with the graph and the pictures"),
      Option("--json", help: "one JSON object a line and layer"),
      Option("--models", value: "FOLDER", help: "where the models are"),
    ] + EngineArguments.options,
    details: """
      A picture is stretched to the model's input and normalised as its metadata say (0…1 without); with
      --task the pipeline cuts out the face itself. Dark is a layer's half-percent quantile, light its 99.5 %.
      Passes that would swallow a layer are off. Dead channels have one value everywhere; saturated values
      share the largest.

      JSON: {"model", "operator", "op", "name", "shape", "statistics", "deadChannels", "saturation", "flags",
      "file"}.
      """
  ) { arguments, console in
    try ActivationRun(arguments, console).run()
  }
}

private struct ActivationRun {
  let arguments: Arguments
  let console: Console
  let store: ModelStore
  let layer: Int?
  let folder: String?
  let html: String?
  let inputs: ProtectedFiles

  init(_ arguments: Arguments, _ console: Console) throws {
    self.arguments = arguments
    self.console = console
    store = ModelStore(folder: arguments.string("--models"))
    layer = try arguments.integer("--layer", in: 0...1_000_000)
    folder = arguments.string("--output-dir")
    html = try arguments.output("--html")
    inputs = arguments.protectedFiles
    if arguments.has("--npy"), folder == nil {
      throw UsageError(
        "--npy has nowhere to write to", at: "facekit activations", advice: "give --output-dir")
    }
  }

  func run() throws -> ToolStatus {
    let models = try models()
    if let folder { try Folder.make(folder) }
    var count = 0
    for model in models {
      let target = folder.map { models.count > 1 ? "\($0)/\(model.name)" : $0 }
      if let target { try Folder.make(target) }
      let layers: [LayerActivation]
      do throws(ModelError) {
        layers = try LayerActivation.record(model.session, layer: layer)
      } catch {
        throw ToolError(error, in: model.name)
      }
      count += layers.count
      for layer in layers { try report(layer, of: model, in: target) }
      if let html {
        let path = models.count > 1 ? pagePath(html, model.name) : html
        let page = try LayerActivation.page(
          layers, model: model.name, graph: model.session.model.graph)
        try OutputFile.write(
          HTMLReport.page(title: model.name, data: page), to: path, protecting: inputs)
      }
    }
    if count == 0, let layer {
      throw ToolError(
        "notFound", "there is no operator \(layer) or after it",
        at: models.map(\.name).joined(separator: ", "),
        advice: "see the numbers in `facekit inspect`")
    }
    return .done
  }

  private func models() throws -> [FilledModel] {
    var engine = try EngineArguments.engine(arguments)
    engine.disabledPasses = ["all"]
    guard
      let input = try arguments.string("--input")
        ?? (arguments.has("--sample") ? store.sample() : nil)
    else {
      throw UsageError(
        "no input given", at: "facekit activations", advice: "give --input FILE, or --sample")
    }
    if let task = arguments.string("--task") {
      guard task == "landmarks", arguments.files.isEmpty else {
        throw UsageError(
          "'\(task)' with \(arguments.files.count) models is nothing to watch",
          at: "facekit activations", advice: "give --task landmarks and no model")
      }
      return try FilledModel.landmarker(
        bundle: store.model("face_landmarker.task"), picture: input, engine: engine)
    }
    guard arguments.files.count == 1 else {
      throw UsageError(
        "\(arguments.files.count) models given", at: "facekit activations",
        advice: "give one model, or --task landmarks")
    }
    return [try FilledModel.model(arguments.files[0], input: input, engine: engine)]
  }

  private func report(
    _ layer: LayerActivation, of model: FilledModel, in folder: String?
  ) throws {
    var file: String?
    if let folder {
      let stem = "\(folder)/\(layer.fileStem)"
      file = stem + ".png"
      try OutputFile.write(
        ImageEncoder.png(layer.map.image()), to: stem + ".png", protecting: inputs)
      if arguments.has("--npy") {
        try TensorFiles.write(layer.tensor, to: stem + ".npy", protecting: inputs)
      }
    }
    console.print(
      arguments.has("--json")
        ? layer.json(model: model.name, file: file).text
        : layer.text(model: model.name, file: file))
  }

  /// `report.html` for one of several models: `report-face-detector.html`.
  private func pagePath(_ path: String, _ name: String) -> String {
    guard path != "-" else { return path }
    guard path.hasSuffix(".html") else { return path + "-" + name }
    return path.dropLast(5) + "-" + name + ".html"
  }
}
