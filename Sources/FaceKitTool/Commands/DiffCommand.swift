import FaceKitKernels
import FaceKitModels
import Inspection
import ToolSupport

extension Command {
  static let diff = Command(
    name: "diff",
    summary: "compares two runs tensor by tensor",
    synopsis:
      "model.tflite [--against reference|simd|blas|baseline|avx2|avx512|other.tflite|FOLDER]",
    options: [
      Option(
        "--against", value: "WHAT", role: .input,
        help: "a back end, an instruction set, another model with the same\n"
          + "tensor names, or a folder of .npy files (reference)"),
      Option("--input", value: "NAME=FILE", role: .input, help: "as for `facekit run`"),
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

  init(path: String, _ arguments: Arguments, _ console: Console) throws {
    self.path = path
    self.arguments = arguments
    self.console = console
    tolerance = Double(try arguments.number("--tolerance", in: 0...1e30) ?? 1e-4)
  }

  func run() throws -> ToolStatus {
    let records = try records(of: path, try engine())
    let (title, others) = try reference(for: records)
    var compared = 0
    var first: TensorRecord?
    for record in records {
      guard let other = others[record.name], other.count == record.values.count else { continue }
      compared += 1
      let comparison = TensorComparison(record.values, reference: other)
      let departs = comparison.departs(beyond: tolerance)
      if departs, first == nil { first = record }
      if arguments.has("--json") {
        console.print(record.json(comparison, departs: departs).text)
      } else if departs || arguments.has("--all") {
        console.print(record.text(comparison, departs: departs))
      }
    }
    guard compared > 0 else {
      throw ToolError(
        "notFound", "the two runs have no tensor of one name and size", at: "\(path) and \(title)",
        advice: "see the names with `facekit inspect`")
    }
    if !arguments.has("--json") {
      console.print(
        "\(compared) of \(records.count) tensors compared with \(title), tolerance \(tolerance)")
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
  private func reference(
    for records: [TensorRecord]
  ) throws -> (title: String, values: [String: [Float]]) {
    let word = arguments.string("--against") ?? "reference"
    var options = try engine()
    if let backend = Backend(rawValue: word) {
      options.backend = backend
    } else if let isa = InstructionSet(rawValue: word) {
      guard isa.isAvailable else {
        throw arguments.invalid("--against", word, "this machine cannot run it")
      }
      options.isa = isa
    } else if Folder.exists(word) {
      return (word, try TensorFolder(word).values(for: records))
    } else {
      return (word, TensorRecord.unique(try self.records(of: word, options)))
    }
    return (word, TensorRecord.unique(try self.records(of: path, options)))
  }

  private func records(of path: String, _ options: EngineOptions) throws -> [TensorRecord] {
    do {
      let opened = try InputFile.lastingUTF8Path(path)
      let session = try CompiledModel(TFLiteModel(path: opened), options: options).makeSession()
      try SessionInputs.fill(
        session, path: path, given: arguments.strings("--input"),
        seed: arguments.integer("--random", in: 0...Int.max) ?? 1)
      return try TensorRecord.all(of: session)
    } catch let error as ModelError {
      throw ToolError(error, in: path)
    }
  }
}
