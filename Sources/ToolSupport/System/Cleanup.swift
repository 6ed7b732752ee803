import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What has to be done if a signal ends the process: temporary files removed, programs ended.
///
/// A signal's handler may neither allocate nor lock, so that everything lies in tables made beforehand.
package enum Cleanup {
  private static let capacity = 64

  // Made once and never freed; every access is atomic.

  /// Paths as C strings; zero where a place is free.
  nonisolated(unsafe) private static let files = table()
  /// Process numbers; zero where a place is free.
  nonisolated(unsafe) private static let processes = table()

  private static func table() -> UnsafeMutablePointer<Atomic<UInt>> {
    let table = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
    for place in 0..<capacity { (table + place).initialize(to: Atomic(0)) }
    return table
  }

  private static func enter(_ value: UInt, in table: UnsafeMutablePointer<Atomic<UInt>>) -> Int? {
    (0..<capacity).first {
      table[$0].compareExchange(
        expected: 0, desired: value, ordering: .acquiringAndReleasing
      ).exchanged
    }
  }

  // MARK: Entries

  /// A file that is to be removed unless the entry is taken back first.
  struct FileEntry {
    fileprivate let place: Int?
    fileprivate let path: UnsafeMutablePointer<CChar>?
  }

  static func enter(file path: String) -> FileEntry {
    let copy = SystemName.withCString(path) { strdup($0) }
    let place = copy.flatMap { enter(UInt(bitPattern: $0), in: files) }
    return FileEntry(place: place, path: copy)
  }

  static func leave(_ entry: FileEntry) {
    if let place = entry.place { files[place].store(0, ordering: .releasing) }
    free(entry.path)
  }

  /// A program that is to be ended; `gently`, so that it can clean up.
  static func enter(process: pid_t, gently: Bool) -> Int? {
    enter(UInt(process) | (gently ? gentle : 0), in: processes)
  }

  private static let gentle: UInt = 1 << 31

  static func leave(process place: Int?) {
    if let place { processes[place].store(0, ordering: .releasing) }
  }

  // MARK: Signals

  private static let isNoting = Atomic(false)
  private static let wasNoted = Atomic(false)

  package static let signals = [SIGINT, SIGTERM, SIGHUP]

  static var hasNoted: Bool { wasNoted.load(ordering: .relaxed) }

  /// From now on the first signal is noted, and only the second one ends the process.
  static func startNoting() {
    wasNoted.store(false, ordering: .relaxed)
    isNoting.store(true, ordering: .releasing)
  }

  static func stopNoting() { isNoting.store(false, ordering: .releasing) }

  /// Removes the files and ends the programs.
  private static func run() {
    for place in 0..<capacity {
      let process = processes[place].exchange(0, ordering: .acquiringAndReleasing)
      // Every child leads a group of its own.
      let isGentle = process & gentle != 0
      if process != 0 { kill(-pid_t(process & ~gentle), isGentle ? SIGINT : SIGKILL) }
    }
    for place in 0..<capacity {
      let path = files[place].exchange(0, ordering: .acquiringAndReleasing)
      if path != 0, let path = UnsafePointer<CChar>(bitPattern: path) { unlink(path) }
    }
  }

  private static func handle(_ number: Int32) {
    if isNoting.load(ordering: .acquiring), !wasNoted.exchange(true, ordering: .relaxed) { return }
    run()
    var usual = sigaction()
    sigemptyset(&usual.sa_mask)
    sigaction(number, &usual, nil)
    raise(number)
  }

  /// Handles the signals; gives what handled them before.
  @discardableResult
  package static func installHandlers() -> [sigaction] {
    // The tables are to exist before a handler looks at them.
    _ = (files, processes, hasNoted, isNoting.load(ordering: .relaxed))
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { Cleanup.handle($0) }
    #else
      action.__sigaction_handler.sa_handler = { Cleanup.handle($0) }
    #endif
    // No SA_RESTART: a read that waits for a frame is to return.
    return signals.map { number in
      var (before, ignored) = (sigaction(), false)
      sigaction(number, nil, &before)
      // What was told to ignore a signal, as `nohup` does, goes on ignoring it.
      #if canImport(Darwin)
        ignored = unsafeBitCast(before.__sigaction_u.__sa_handler, to: Int.self) == 1
      #else
        ignored = unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
      #endif
      if !ignored { sigaction(number, &action, nil) }
      return before
    }
  }

  static func restoreHandlers(_ before: [sigaction]) {
    for (number, action) in zip(signals, before) {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}
