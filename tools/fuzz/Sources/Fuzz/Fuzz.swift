import Foundation

/// What one driver does with bytes. Errors are as good as answers; only traps, sanitizer reports,
/// slowness and big allocations are findings.
typealias Driver = @Sendable (UnsafeRawBufferPointer) -> Void

/// The drivers by the name that FACEKIT_FUZZ chooses.
let drivers: [String: Driver] = [
  "model": readModel,
  "session": runModel,
  "bundle": readBundle,
  "options": readOptions,
  "metadata": readMetadata,
  "image": decodeImage,
  "npy": readArray,
]

private let chosen: Driver = {
  let name = ProcessInfo.processInfo.environment["FACEKIT_FUZZ"] ?? ""
  guard let driver = drivers[name] else {
    FileHandle.standardError.write(
      Data("FACEKIT_FUZZ must be one of \(drivers.keys.sorted().joined(separator: ", "))\n".utf8))
    exit(2)
  }
  return driver
}()

/// libFuzzer's entry point.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
