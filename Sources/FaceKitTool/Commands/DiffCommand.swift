import FaceKitKernels
import FaceKitModels
import FaceKitTensor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Command {
  static let diff = Command(
    name: "diff",
    summary: "compares two runs tensor by tensor",
    synopsis:
      "model.tflite [--against reference|simd|blas|baseline|avx2|avx512|other.tflite|FOLDER]",
    options: [
      Option(
        "--against", value: "WHAT",
        help: "a back end, an instruction set, another model with the same\n"
          + "tensor names, or a folder of .npy files (reference)"),
      Option("--input", value: "NAME=FILE", help: "as for `facekit run`"),
      Option("--random", value: "SEED", help: "generated values for the inputs not given (1)"),
      Option(
        "--tolerance", value: "X",
        help: "largest difference, as a share of the largest value (0.0001)"),
      Option("--fused", help: "with all passes: only what no pass swallows is compared"),
      Option("--all", help: "print every tensor, not only those that depart"),
      Option("--json", help: "one JSON object a line and tensor"),
    ] + EngineArguments.options,
    details: """
      Names the first operator that departs, in execution order, and exits with status 1 if one does. Integer
      tensors are compared dequantised. A folder holds one .npy for each tensor, as `facekit run --all-tensors`
      and tools/dump_litert.py write it: NAME.npy, 0012-NAME.npy (any count) or t0012-NAME.npy (the tensor's
      index), with everything but letters, digits, - _ . replaced by _. Give --input the same values as the
      folder was made with.

      JSON: {"operator", "op", "name", "shape", "largestDifference", "relative", "rms", "place", "departs"}.
      """
  ) { arguments, console in
    let paths = try arguments.requireFiles("model")
    guard paths.count == 1 else {
      throw UsageError(
        "\(paths.count) models given", at: "facekit diff",
        advice: "give one model; what it is compared with comes with --against")
    }
    return try DiffRun(path: paths[0], arguments, console).run()
  }
}

private struct DiffRun {
  let path: String
  let arguments: Arguments
  let console: Console
  let tolerance: Double

  /// A tensor of one of the two runs.
  struct Entry {
    let source: Int
    let op: String
    let name: String
    let shape: Shape
    /// Index of the tensor in the file; `nil` for values that a pass made.
    let tensor: Int?
    let quantization: Quantization?
    let values: [Float]
  }

  init(path: String, _ arguments: Arguments, _ console: Console) throws {
    self.path = path
    self.arguments = arguments
    self.console = console
    tolerance = Double(try arguments.number("--tolerance", in: 0...1e30) ?? 1e-4)
  }

  func run() throws -> ToolStatus {
    let mine = try entries(of: path, try engine())
    let (title, others) = try reference(for: mine)
    var compared = 0
    var first: Entry?
    for entry in mine {
      guard let other = others[entry.name], other.count == entry.values.count else { continue }
      compared += 1
      let comparison = TensorComparison(entry.values, reference: other)
      let departs = comparison.departs(beyond: tolerance)
      if departs, first == nil { first = entry }
      if arguments.has("--json") {
        console.print(json(entry, comparison, departs).text)
      } else if departs || arguments.has("--all") {
        console.print(text(entry, comparison, departs))
      }
    }
    guard compared > 0 else {
      throw ToolError(
        "notFound", "the two runs have no tensor of one name and size", at: "\(path) and \(title)",
        advice: "see the names with `facekit inspect`")
    }
    if !arguments.has("--json") {
      console.print(
        "\(compared) of \(mine.count) tensors compared with \(title), tolerance \(tolerance)")
      console.print(
        first.map { "the first that departs: operator \($0.source) \($0.op), '\($0.name)'" }
          ?? "none departs")
    }
    return first == nil ? .done : .failed
  }

  // MARK: The two runs

  private func engine() throws -> EngineOptions {
    var options = try EngineArguments.engine(arguments)
    if !arguments.has("--fused") { options.disabledPasses = ["all"] }
    return options
  }

  /// What to compare with, by tensor name.
  private func reference(for mine: [Entry]) throws -> (title: String, values: [String: [Float]]) {
    let word = arguments.string("--against") ?? "reference"
    var options = try engine()
    if let backend = Backend(rawValue: word) {
      options.backend = backend
    } else if let isa = InstructionSet(rawValue: word) {
      guard isa.isAvailable else {
        throw arguments.invalid("--against", word, "this machine cannot run it")
      }
      options.isa = isa
    } else {
      var status = stat()
      if stat(word, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        return (word, try folder(word, mine))
      }
      return (word, DiffRun.unique(try entries(of: word, options)))
    }
    return (word, DiffRun.unique(try entries(of: path, options)))
  }

  /// By name; names that stand for several tensors say nothing.
  private static func unique(_ entries: [Entry]) -> [String: [Float]] {
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.name, default: 0] += 1 }
    var values: [String: [Float]] = [:]
    for entry in entries where counts[entry.name] == 1 { values[entry.name] = entry.values }
    return values
  }

  private func entries(of path: String, _ options: EngineOptions) throws -> [Entry] {
    var entries: [Entry] = []
    do {
      let session = try CompiledModel(TFLiteModel(path: path), options: options).makeSession()
      try SessionInputs.fill(session, path: path, arguments, seed: 1)
      let graph = session.model.graph
      try session.run { index, outputs in
        let node = graph.nodes[index]
        // Conversions of the layout have no operator in the file.
        guard let source = node.sources.last else { return }
        for (value, tensor) in zip(node.outputs, outputs) {
          guard let numbers = tensor.numbers(graph.values[value].quantization) else { continue }
          entries.append(
            Entry(
              source: source, op: node.operator.name, name: graph.values[value].name,
              shape: tensor.shape, tensor: graph.values[value].sourceTensor,
              quantization: graph.values[value].quantization,
              values: numbers))
        }
      }
    } catch let error as ModelError {
      throw ToolError(error, in: path)
    }
    return entries
  }

  private func folder(_ path: String, _ mine: [Entry]) throws -> [String: [Float]] {
    guard let stream = opendir(path) else {
      throw ToolError(
        "notFound", "the folder cannot be read", at: path, advice: "check its permissions")
    }
    defer { closedir(stream) }
    var files: [String: [String]] = [:]
    while let entry = readdir(stream) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard file.hasSuffix(".npy") else { continue }
      let stem = file.dropLast(4)
      files[String(stem), default: []].append(file)
      // `0012-name` counts in order of execution, `t0012-name` gives the tensor's index.
      let number = stem.prefix { $0 == "t" || $0.isNumber }
      if !number.isEmpty, stem.dropFirst(number.count).first == "-" {
        files[String(stem.dropFirst(number.count + 1)), default: []].append(file)
      }
    }
    var values: [String: [Float]] = [:]
    for entry in mine {
      let name = TensorFiles.fileName(entry.name)
      // By the tensor's own number where the folder has those: long names are cut, and then shared.
      let numbered = entry.tensor.map { "t\(Formatting.zeros($0, 4))-\(name).npy" }
      let found = files[name] ?? []
      guard
        let chosen = found.first(where: { $0 == numbered }) ?? (found.count == 1 ? found[0] : nil)
      else { continue }
      let file = path + "/" + chosen
      do throws(ToolError) {
        let bytes: [UInt8]
        do {
          bytes = try MappedFile.open(file).array(of: UInt8.self)
        } catch {
          throw ToolError(error, in: file)
        }
        let tensor = try NPYFile.tensor(bytes)
        // Other runtimes' folders may hold the values instead of the integers.
        values[entry.name] = tensor.numbers(tensor.type.isInteger ? entry.quantization : nil)
      } catch {
        throw ToolError(error.code, error.what, at: "\(file), \(error.place)", advice: error.advice)
      }
    }
    return values
  }

  // MARK: Reporting

  private func json(_ entry: Entry, _ found: TensorComparison, _ departs: Bool) -> JSON {
    [
      "operator": .integer(entry.source), "op": .string(entry.op), "name": .string(entry.name),
      "shape": .array(entry.shape.extents.map { .integer($0) }),
      "largestDifference": .double(found.largestDifference), "relative": .double(found.relative),
      "rms": .double(found.rms), "place": .integer(found.place), "departs": .bool(departs),
    ]
  }

  private func text(_ entry: Entry, _ found: TensorComparison, _ departs: Bool) -> String {
    "\(departs ? "≠" : "=") \(entry.source) \(entry.op) \(entry.shape) '\(entry.name)': "
      + "\(Float(found.largestDifference)) at \(found.place), "
      + "\(Float(found.relative)) of the largest value, rms \(Float(found.rms))"
  }
}
