import Foundation

// libFuzzer with the driver that FACEKIT_FUZZ names; arguments are libFuzzer's own. The environment
// chooses, because libFuzzer starts itself again with its own arguments to minimise a finding.
// `Fuzz --write-seeds FOLDER` writes small sound files to start from instead.

/// What one driver does with bytes. Errors are as good as answers; only traps, sanitizer reports,
/// slowness and big allocations are findings.
typealias Driver = @Sendable (UnsafeRawBufferPointer) -> Void

/// The drivers by name.
let drivers: [String: Driver] = [
  "model": readModel,
  "session": runModel,
  "file": runFile,
  "layers": compareLayers,
  "bundle": readBundle,
  "options": readOptions,
  "metadata": readMetadata,
  "image": decodeImage,
  "npy": readArray,
  "planted": plantedFault,
]

let chosen: Driver? = drivers[ProcessInfo.processInfo.environment["FACEKIT_FUZZ"] ?? ""]

/// libFuzzer links its own `main` too, which calls this; ours comes first and does the same.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen?(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

typealias TestOneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_extern(c, "LLVMFuzzerRunDriver")
func runLibFuzzer(
  _ argc: UnsafeMutablePointer<CInt>,
  _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: TestOneInput
) -> CInt

if CommandLine.arguments.dropFirst().first == "--write-seeds", CommandLine.arguments.count == 3 {
  try writeSeeds(to: URL(fileURLWithPath: CommandLine.arguments[2], isDirectory: true))
  exit(0)
}
guard chosen != nil else {
  FileHandle.standardError.write(
    Data("FACEKIT_FUZZ must be one of \(drivers.keys.sorted().joined(separator: ", "))\n".utf8))
  exit(2)
}
var argumentCount = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runLibFuzzer(&argumentCount, &arguments, fuzzOne))
