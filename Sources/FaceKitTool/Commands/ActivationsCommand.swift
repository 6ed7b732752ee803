import FaceKit
import ImageCodecs
import FaceKitModels
import FaceKitTensor

extension Command {
  static let activations = Command(
    name: "activations",
    summary: "shows what each layer of a model produces",
    synopsis: "model.tflite --input photo.jpg [options]\n       "
      + "facekit activations --task landmarks --input photo.jpg [options]",
    options: [
      Option("--input", value: "FILE", help: "a picture, or a .npy file of the input's shape"),
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
      Option("--html", value: "FILE", help: "write one page with the graph and the pictures"),
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

/// A model with its inputs filled, ready to be watched.
private struct Subject {
  let name: String
  let session: Session
}

private struct ActivationRun {
  let arguments: Arguments
  let console: Console
  let store: ModelStore
  let layer: Int?
  let folder: String?

  init(_ arguments: Arguments, _ console: Console) throws {
    self.arguments = arguments
    self.console = console
    store = ModelStore(folder: arguments.string("--models"))
    layer = try arguments.integer("--layer", in: 0...1_000_000)
    folder = arguments.string("--output-dir")
    if arguments.has("--npy"), folder == nil {
      throw UsageError(
        "--npy has nowhere to write to", at: "facekit activations", advice: "give --output-dir")
    }
  }

  func run() throws -> ToolStatus {
    let subjects = try subjects()
    var seen = 0
    for subject in subjects {
      let target = folder.map { subjects.count > 1 ? "\($0)/\(subject.name)" : $0 }
      if let folder { try OutputFile.makeFolder(folder) }
      if let target { try OutputFile.makeFolder(target) }
      let layers = try watch(subject.session)
      seen += layers.count
      var entries: [JSON] = []
      for layer in layers {
        try report(layer, of: subject, in: target)
        if arguments.has("--html") { entries.append(try pageEntry(layer)) }
      }
      if let html = arguments.string("--html") {
        let path = subjects.count > 1 ? pagePath(html, subject.name) : html
        let page: JSON = [
          "model": .string(subject.name), "description": "",
          "graphs": .array([
            GraphReport(title: "as watched", subject.session.model.graph).json(details: true)
          ]),
          "shown": .integer(0), "activationGraph": .integer(0), "activations": .array(entries),
          "tab": "activations",
        ]
        try OutputFile.write(HTMLReport.page(title: subject.name, data: page), to: path)
      }
    }
    if seen == 0, let layer {
      throw ToolError(
        "notFound", "there is no operator \(layer) or after it",
        at: subjects.map(\.name).joined(separator: ", "),
        advice: "see the numbers in `facekit inspect`")
    }
    return .done
  }

  // MARK: Models and inputs

  private func subjects() throws -> [Subject] {
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
      return try landmarker(input, engine)
    }
    guard arguments.files.count == 1 else {
      throw UsageError(
        "\(arguments.files.count) models given", at: "facekit activations",
        advice: "give one model, or --task landmarks")
    }
    let path = arguments.files[0]
    do {
      let model = try TFLiteModel(path: path)
      let session = try CompiledModel(model, options: engine).makeSession()
      let name = String(path.split(separator: "/").last ?? "model")
      if input.lowercased().hasSuffix(".npy") {
        try session.setInput(0, TensorFiles.read(input, as: session.inputs[0]))
      } else {
        try PictureInput.fill(
          session, from: MPImage(contentsOf: input).upright(), metadata: model.authorMetadata())
      }
      return [Subject(name: name, session: session)]
    } catch let error as ModelError {
      throw ToolError(error, in: path)
    }
  }

  /// Finds the face; afterwards each model still has what the pipeline gave it.
  private func landmarker(_ input: String, _ engine: EngineOptions) throws -> [Subject] {
    var settings = LandmarkerSettings()
    settings.outputFaceBlendshapes = true
    let bundle = try MappedFile.open(try store.model("face_landmarker.task"))
    let pipeline = try LandmarkPipeline(
      models: FaceModels(bundle: bundle), settings: settings, engine: engine)
    let result = try pipeline.detect(MPImage(contentsOf: input))
    guard !result.faceLandmarks.isEmpty else {
      throw ToolError(
        "noFace", "no face was found, so the landmark model saw none", at: input,
        advice: "give a picture with a face")
    }
    return pipeline.sessions.map { Subject(name: $0.name, session: $0.session) }
  }

  // MARK: Watching

  private struct Layer {
    let node: Int
    /// The operator of the file that produces it.
    let source: Int
    let op: String
    let name: String
    let tensor: Tensor
    let map: FeatureMap
    let statistics: TensorStatistics
  }

  private func watch(_ session: Session) throws -> [Layer] {
    var layers: [Layer] = []
    let graph = session.model.graph
    // The operator asked for, or the next that is left: what depends on weights alone is folded.
    let wanted = layer.map { layer in
      graph.nodes.compactMap(\.sources.last).filter { $0 >= layer }.min()
    }
    do throws(ModelError) {
      try session.run { index, outputs in
        let node = graph.nodes[index]
        // Conversions of the layout have no operator in the file.
        guard let source = node.sources.last, wanted == nil || wanted == source else { return }
        for (value, tensor) in zip(node.outputs, outputs) {
          let quantization = graph.values[value].quantization
          guard let map = FeatureMap(tensor, quantization: quantization),
            let statistics = tensor.numbers(quantization).flatMap(TensorStatistics.init)
          else { continue }
          layers.append(
            Layer(
              node: index, source: source, op: node.operator.name,
              name: graph.values[value].name, tensor: tensor, map: map, statistics: statistics))
        }
      }
    } catch {
      throw ToolError(error, in: "facekit activations")
    }
    return layers
  }

  // MARK: Reporting

  private func report(_ layer: Layer, of subject: Subject, in folder: String?) throws {
    var file: String?
    if let folder {
      let stem = "\(folder)/\(Formatting.zeros(layer.source, 4))-\(layer.op)"
      file = stem + ".png"
      try ImageEncoder.write(layer.map.image(), to: file!)
      if arguments.has("--npy") { try TensorFiles.write(layer.tensor, to: stem + ".npy") }
    }
    let flags = layer.map.flags(layer.statistics)
    if arguments.has("--json") {
      console.print(
        JSON.object([
          "model": .string(subject.name), "operator": .integer(layer.source),
          "op": .string(layer.op), "name": .string(layer.name),
          "shape": .array(layer.tensor.shape.extents.map { .integer($0) }),
          "statistics": layer.statistics.json,
          "deadChannels": .array(layer.map.deadChannels.map { .integer($0) }),
          "saturation": .double(layer.map.saturation),
          "flags": .array(flags.map { .string($0) }), "file": file.map { .string($0) },
        ]).text)
      return
    }
    let statistics = layer.statistics
    var line = "\(subject.name) \(layer.source) \(layer.op) \(layer.tensor.shape): "
    line += "\(statistics.minimum) … \(statistics.maximum), mean \(Float(statistics.mean)), "
    line += "deviation \(Float(statistics.standardDeviation))"
    if !flags.isEmpty { line += " — " + flags.joined(separator: ", ") }
    if let file { line += " → \(file)" }
    console.print(line)
  }

  private func pageEntry(_ layer: Layer) throws -> JSON {
    // Hundreds of pictures share one page.
    let picture = Base64.encode(ImageEncoder.png(try layer.map.image(largestTile: 64)))
    return [
      "node": .integer(layer.node), "op": .string("\(layer.op), operator \(layer.source),"),
      "name": .string(layer.name),
      "shape": .array(layer.tensor.shape.extents.map { .integer($0) }),
      "statistics": layer.statistics.json,
      "flags": .array(layer.map.flags(layer.statistics).map { .string($0) }),
      "png": .string("data:image/png;base64," + picture),
    ]
  }

  /// `report.html` for one of several models: `report-face-detector.html`.
  private func pagePath(_ path: String, _ name: String) -> String {
    guard path.hasSuffix(".html") else { return path + "-" + name }
    return path.dropLast(5) + "-" + name + ".html"
  }
}

/// A whole picture as a model's input.
enum PictureInput {
  /// Stretches the picture over input 0, `[1, height, width, 3]`: the nearest pixel's colour, normalised.
  static func fill(
    _ session: Session, from image: MPImage, metadata: ModelMetadata?
  ) throws {
    let input = session.inputs[0]
    guard input.type == .float32, input.shape.rank == 4, input.shape[3] == 3 else {
      throw ToolError(
        "input", "input '\(input.name)', \(input.shape) of \(input.type.name), is no picture",
        at: "facekit activations", advice: "give a .npy file of that shape")
    }
    let (low, high) = try metadata?.inputs.first?.normalization?.range() ?? (0, 1)
    let (height, width) = (input.shape[1], input.shape[2])
    let bytes = image.pixels.bytes
    // Pictures from files are RGB, or grey with one byte for all three.
    let next = image.format == .gray ? 0 : 1
    session.withInput(0) { values in
      for y in 0..<height {
        let row = (2 * y + 1) * image.height / (2 * height) * image.rowStride
        for x in 0..<width {
          let pixel = row + (2 * x + 1) * image.width / (2 * width) * image.format.bytesPerPixel
          for channel in 0..<3 {
            values[(y * width + x) * 3 + channel] =
              low + (high - low) * Float(bytes[pixel + channel * next]) / 255
          }
        }
      }
    }
  }
}
