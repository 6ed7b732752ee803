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

  static let standard = Console(
    print: { write($0 + "\n", to: 1) },
    error: { write($0 + "\n", to: 2) },
    progress: standardProgress)

  private static var standardProgress: (@Sendable (String) -> Void)? {
    guard isatty(2) == 1 else { return nil }
    return { write($0, to: 2) }
  }

  /// An error as the contract has it: `facekit: error: what — where — what to do`, in one line.
  func report(_ error: any Error) {
    let text = String(describing: error).split(whereSeparator: \.isNewline).joined(separator: " ")
    self.error("facekit: error: \(text)")
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, rest.count > 0 {
        #if canImport(Darwin)
          let count = Darwin.write(descriptor, base, rest.count)
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, base, rest.count)
        #else
          let count = Glibc.write(descriptor, base, rest.count)
        #endif
        if count < 0 && errno == EINTR { continue }
        // A closed pipe or a full disk: there is nobody left to tell.
        if count <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }
}

/// `[████████░░░░] 8/12 name`, redrawn in place, on a terminal only.
struct ProgressBar {
  private let console: Console
  private let total: Int
  private static let width = 24

  /// A bar for `total` steps; nothing is drawn for a single one.
  init(_ console: Console, total: Int) {
    self.console = console
    self.total = total
  }

  func show(_ done: Int, _ name: String) {
    guard total > 1, let progress = console.progress else { return }
    let filled = ProgressBar.width * min(done, total) / total
    let bar =
      String(repeating: "█", count: filled)
      + String(repeating: "░", count: ProgressBar.width - filled)
    progress("\r\u{1B}[K[\(bar)] \(done)/\(total) \(name.suffix(40))")
  }

  /// Takes the bar away, before other output and at the end.
  func clear() {
    if total > 1 { console.progress?("\r\u{1B}[K") }
  }
}
