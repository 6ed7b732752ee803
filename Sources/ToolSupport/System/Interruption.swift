import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C, and what `kill` sends, turned into a question that is asked between two frames.
///
/// The first one is noted; the second one ends the program as usual.
package enum Interruption {
  private static let wasAsked = Atomic(false)

  private static let signals = [SIGINT, SIGTERM]

  package static var isRequested: Bool { wasAsked.load(ordering: .relaxed) }

  /// Runs `body` with signals noted instead of obeyed.
  package static func noting<Value>(_ body: () throws -> Value) rethrows -> Value {
    // Also makes sure that the flag exists before a handler, which may not allocate, touches it.
    wasAsked.store(false, ordering: .relaxed)
    var note = sigaction()
    #if canImport(Darwin)
      note.__sigaction_u.__sa_handler = { _ in Interruption.wasAsked.store(true, ordering: .relaxed)
      }
    #else
      note.__sigaction_handler.sa_handler = { _ in
        Interruption.wasAsked.store(true, ordering: .relaxed)
      }
    #endif
    // No SA_RESTART: a read that waits for a frame is to return.
    note.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))

    var before: [sigaction] = []
    for number in signals {
      var old = sigaction()
      sigaction(number, &note, &old)
      before.append(old)
    }
    defer {
      for (index, number) in signals.enumerated() { sigaction(number, &before[index], nil) }
    }
    return try body()
  }
}
