import Synchronization
import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where results, errors and progress go. Tests give closures that collect.
struct Console: Sendable {
  /// Results: whole lines.
  let print: @Sendable (String) -> Void
  /// Errors: whole lines.
  let error: @Sendable (String) -> Void
  /// Progress: control characters and all. `nil` where nobody watches.
  let progress: (@Sendable (String) -> Void)?
  /// The error number of the first result that could not be written; 0 if all could. More work is then in vain.
  var fault: @Sendable () -> Int32 = { 0 }

  var isBroken: Bool { fault() != 0 }

  /// The process's own streams.
  static let standard = Console(
    print: { line in
      guard firstFault.load(ordering: .relaxed) == 0 else { return }
      let number = write(line + "\n", to: 1)
      if number != 0 { firstFault.store(number, ordering: .relaxed) }
    },
    error: { _ = write($0 + "\n", to: 2) },
    progress: standardProgress, fault: { firstFault.load(ordering: .relaxed) })

  private static let firstFault = Atomic<Int32>(0)

  private static var standardProgress: (@Sendable (String) -> Void)? {
    guard isatty(2) == 1 else { return nil }
    return { _ = write($0, to: 2) }
  }

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = SystemName.shownBytes(text)
    return text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// The same, with results among the messages: where standard output takes a file.
  var resultsAsMessages: Console {
    Console(print: error, error: error, progress: progress, fault: fault)
  }

  /// An error as the contract has it: `facekit: error: what — where — what to do`, in one line.
  func report(_ error: any Error) {
    let text = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    self.error("facekit: error: \(SystemName.shown(text))")
  }

  /// Says that results could not be written, unless it is only that their reader had enough.
  func reportFault() {
    let number = fault()
    guard number != 0, number != EPIPE else { return }
    report(
      ToolError(
        "unwritable", "the results cannot be written (\(systemMessage(number)))",
        at: "standard output", advice: "check where it leads, and the space there"))
  }
}
