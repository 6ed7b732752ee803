import FaceKitKernels
import FaceKitModels
import ToolSupport

/// The options that choose how the engine computes, shared by all commands that run a model.
enum EngineArguments {
  static let options: [Option] = [
    Option(
      "--backend", value: "NAME",
      help: Backend.allCases.map(\.rawValue).joined(separator: ", ") + " (automatic)"),
    Option("--threads", value: "N", help: "threads to compute with (1)"),
    Option(
      "--isa", value: "NAME",
      help: InstructionSet.allCases.map(\.rawValue).joined(separator: ", ")
        + " (the best this machine has)"),
  ]

  static func engine(_ arguments: Arguments) throws(UsageError) -> EngineOptions {
    var options = EngineOptions()
    // The library ignores a tier it cannot run; a person who typed it wants to know.
    if let name = Environment.value("FACEKIT_ISA"),
      InstructionSet(rawValue: name)?.isAvailable != true
    {
      let available = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "'\(name)' is not a value for FACEKIT_ISA", at: "environment",
        advice: "this machine has \(available)")
    }
    if let backend = try arguments.choice("--backend", of: Backend.self) {
      options.backend = backend
    }
    if let threads = try arguments.integer("--threads", in: 1...1024) { options.threads = threads }
    if let isa = try arguments.choice("--isa", of: InstructionSet.self) {
      guard isa.isAvailable else {
        let available = InstructionSet.available.map(\.rawValue).joined(separator: ", ")
        throw arguments.invalid("--isa", isa.rawValue, "this machine has \(available)")
      }
      options.isa = isa
    }
    return options
  }
}
