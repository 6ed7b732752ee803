/// Ctrl-C, and what `kill` sends, turned into a question that is asked between two frames.
///
/// The first one is noted; the second one ends the program, and everything that it started.
package enum Interruption {
  package static var isRequested: Bool { Cleanup.hasNoted }

  /// Runs `body` with signals noted instead of obeyed.
  package static func noting<Value>(_ body: () throws -> Value) rethrows -> Value {
    Cleanup.startNoting()
    let before = Cleanup.installHandlers()
    defer {
      Cleanup.restoreHandlers(before)
      Cleanup.stopNoting()
    }
    return try body()
  }
}
