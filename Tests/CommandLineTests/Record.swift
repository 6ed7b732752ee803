import Synchronization

@testable import FaceKitTool

/// A console that remembers.
final class Record: Sendable {
  private let lines = Mutex<(output: [String], errors: [String], progress: [String])>(([], [], []))

  var output: [String] { lines.withLock { $0.output } }
  var errors: [String] { lines.withLock { $0.errors } }
  var progress: [String] { lines.withLock { $0.progress } }

  var console: Console {
    Console(
      print: { line in self.lines.withLock { $0.output.append(line) } },
      error: { line in self.lines.withLock { $0.errors.append(line) } }, progress: nil)
  }

  var terminal: Console {
    Console(
      print: console.print, error: console.error,
      progress: { text in self.lines.withLock { $0.progress.append(text) } })
  }
}
