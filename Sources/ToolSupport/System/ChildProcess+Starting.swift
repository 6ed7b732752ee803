import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a program is started.
extension ChildProcess {
  struct SystemFailure: Error { let number: Int32 }

  /// Held from the making of a pipe until its child runs, so that no other child inherits its ends: one that
  /// did would keep the pipe open, and its end would never be seen.
  static let starting = Mutex(())

  /// Makes the pipe and starts the program; the result is its number and our end of the pipe.
  static func start(
    _ path: String, _ arguments: [String], _ connection: Connection, errors: Int32
  ) -> Result<(process: pid_t, pipe: Int32, notes: Int32), SystemFailure> {
    var ends: [Int32] = [0, 0]
    guard systemPipe(&ends) == 0 else { return .failure(SystemFailure(number: errno)) }
    var noteEnds: [Int32] = [-1, -1]
    if connection == .outputAndNotes, systemPipe(&noteEnds) != 0 {
      let number = errno
      for descriptor in ends { close(descriptor) }
      return .failure(SystemFailure(number: number))
    }
    for descriptor in ends + noteEnds + [errors] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    #if os(Linux)
      // F_SETPIPE_SZ: a megabyte instead of 64 KB means fewer changes between the programs. May fail.
      _ = fcntl(ends[0], 1031, Int32(1 << 20))
    #elseif canImport(Darwin)
      // What `write` does with a signal mask elsewhere.
      _ = fcntl(ends[1], F_SETNOSIGPIPE, 1)
    #endif
    let isOutput = connection == .output || connection == .outputAndNotes
    let (ours, theirs) = isOutput ? (ends[0], ends[1]) : (ends[1], ends[0])
    defer {
      close(theirs)
      if noteEnds[1] >= 0 { close(noteEnds[1]) }
    }
    let isShown = connection == .shown
    switch spawn(
      path, arguments, input: isOutput ? nil : theirs,
      output: isShown ? 1 : isOutput ? theirs : nil, errors: isShown ? 2 : errors,
      notes: noteEnds[1])
    {
    case .success(let process): return .success((process, ours, noteEnds[0]))
    case .failure(let failure):
      close(ours)
      if noteEnds[0] >= 0 { close(noteEnds[0]) }
      return .failure(failure)
    }
  }

  private static func spawn(
    _ path: String, _ arguments: [String], input: Int32?, output: Int32?, errors: Int32,
    notes: Int32
  ) -> Result<pid_t, SystemFailure> {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, source) in [(Int32(0), input), (1, output), (2, errors)] {
      if source == descriptor { continue }
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, descriptor)
      } else {
        posix_spawn_file_actions_addopen(
          &actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }

    // Last: the descriptors above may have this number here.
    if notes >= 0 { posix_spawn_file_actions_adddup2(&actions, notes, 3) }

    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: Ctrl-C is then ours alone, and the encoder can still be told what to do with it.
    // Signals as a fresh program has them, whatever this one ignores.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Threads of queues and of test runners block signals, and a child would go on doing so.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var words: [UnsafeMutablePointer<CChar>?] =
      ([path] + arguments).map {
        SystemName.withCString($0) { strdup($0) }
      } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let result = SystemName.withCString(path) {
      posix_spawn(&process, $0, &actions, &attributes, &words, environ)
    }
    return result == 0 ? .success(process) : .failure(SystemFailure(number: result))
  }

  static func fault(_ path: String, _ number: Int32) -> ToolError {
    ToolError(
      "program", "the program cannot be started (\(systemMessage(number)))", at: path,
      advice: "check that it can be run by hand")
  }
}

// The name that the class's own property hides.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
