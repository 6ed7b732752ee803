#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program running beside this one, with a pipe into it or out of it.
///
/// Its error messages go to a file without a name, not to a second pipe: a pipe that nobody reads while the
/// other one is waited for would stop both programs for good. Whatever happens, it is waited for: a child that
/// is still running when its last reference goes is killed.
package final class ChildProcess {
  /// What is connected to pipes: the program's input, its output, or its output and descriptor 3. Other streams
  /// read from and write to nowhere, but for ``shown``: the program reads from a pipe, and says what it has to
  /// say on this one's own standard streams.
  package enum Connection { case input, output, outputAndNotes, shown }

  private let process: pid_t
  /// Our end of the pipe; -1 once closed.
  private var pipe: Int32
  /// Our end of the pipe from the program's descriptor 3; -1 if there is none.
  private var notes: Int32
  /// What was read of it beyond the last line.
  private var noteBytes: [UInt8] = []
  private let messages: UnsafeMutablePointer<FILE>
  private var status: Int32?
  /// Where the program is entered to be ended with this one.
  private var entry: Int?

  /// Starts the program at `path`.
  ///
  /// - Throws: ``ToolError`` if it cannot be started.
  package init(_ path: String, _ arguments: [String], connecting connection: Connection)
    throws(ToolError)
  {
    guard let messages = tmpfile() else { throw ChildProcess.fault(path, errno) }
    let started = ChildProcess.starting.withLock { _ in
      ChildProcess.start(path, arguments, connection, errors: fileno(messages))
    }
    switch started {
    case .success(let child): (process, pipe, notes) = child
    case .failure(let failure):
      fclose(messages)
      throw ChildProcess.fault(path, failure.number)
    }
    self.messages = messages
    // A program that speaks for itself also cleans up after itself.
    entry = Cleanup.enter(process: process, gently: connection == .shown)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      wait()
    }
    fclose(messages)
  }

  /// The path of a program in the folders of `PATH`. Relative ones are passed over: what happens to lie in
  /// the working folder is never run.
  package static func locate(
    _ program: String, path: String? = Environment.value("PATH")
  ) -> String? {
    (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
      .first(where: FileStatus.isExecutable)
  }

  // MARK: The pipe

  /// How a read ended.
  package enum Reading: Equatable { case complete, ended(count: Int), interrupted }

  /// Reads until `bytes` is full, the program has nothing more to say, or `isInterrupted` after a signal.
  package func read(
    into bytes: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool
  ) -> Reading {
    var count = 0
    while count < bytes.count {
      let result = systemRead(pipe, bytes.baseAddress! + count, bytes.count - count)
      if result > 0 {
        count += result
      } else if result < 0 && errno == EINTR {
        if isInterrupted() { return .interrupted }
      } else {
        return .ended(count: count)
      }
    }
    return .complete
  }

  /// All that the program says; `nil` if `isInterrupted` after a signal.
  package func readAll(isInterrupted: () -> Bool = { false }) -> [UInt8]? {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch block.withUnsafeMutableBytes({ read(into: $0, isInterrupted: isInterrupted) }) {
      case .complete: all += block
      case .ended(let count): return all + block[..<count]
      case .interrupted: return nil
      }
    }
  }

  /// The next line that the program wrote to its descriptor 3; `nil` at the end, or if none comes within a second:
  /// a program that waits for its output to be read may never write it.
  package func nextNote() -> String? {
    while true {
      if let end = noteBytes.firstIndex(of: 0x0A) {
        defer { noteBytes.removeSubrange(...end) }
        return String(decoding: noteBytes[..<end], as: UTF8.self)
      }
      var waiting = pollfd(fd: notes, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 1000) > 0 else { return nil }
      var block = [UInt8](repeating: 0, count: 4096)
      let count = block.withUnsafeMutableBytes { systemRead(notes, $0.baseAddress!, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      noteBytes += block[..<count]
    }
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: Whether the program took them; it does not if it has ended.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    #if os(Linux)
      // A reader that has ended is a failed write, and not the end of this program. Only for this thread and
      // this write: where standard output is a pipe, the signal keeps its meaning.
      var (pipeSignal, mask) = (sigset_t(), sigset_t())
      sigemptyset(&pipeSignal)
      sigaddset(&pipeSignal, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipeSignal, &mask)
      defer {
        var noWait = timespec()
        while sigtimedwait(&pipeSignal, nil, &noWait) < 0 && errno == EINTR {}
        pthread_sigmask(SIG_SETMASK, &mask, nil)
      }
    #endif
    var rest = bytes
    while !rest.isEmpty {
      let count = systemWrite(pipe, rest.baseAddress!, rest.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }

  /// Closes the pipe: end of input, or no interest in more output.
  package func closePipe() {
    if pipe >= 0 { close(pipe) }
    if notes >= 0 { close(notes) }
    (pipe, notes) = (-1, -1)
  }

  // MARK: Ending

  package func signal(_ number: Int32) {
    if status == nil { kill(process, number) }
  }

  /// Closes the pipe and waits for the program's end.
  ///
  /// - Returns: Its exit status; the negative number of the signal that ended it, if one did.
  @discardableResult
  package func wait() -> Int32 {
    closePipe()
    if let status { return status }
    // First only looked at: until it is taken off the list, its number must not go to another process.
    var seen = siginfo_t()
    while waitid(P_PID, id_t(process), &seen, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    Cleanup.leave(process: entry)
    entry = nil
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 && errno == EINTR {}
    let signal = state & 0x7F
    let status = signal == 0 ? state >> 8 & 0xFF : -signal
    self.status = status
    return status
  }

  /// The last lines of the program's error messages, as one; empty if it had nothing to say. ffmpeg puts the part
  /// of it and an address before each: `[matroska @ 0x55e4aa8c7c80] `, which helps nobody.
  package func lastMessages(_ count: Int = 2) -> String {
    fflush(messages)
    fseek(messages, 0, SEEK_END)
    fseek(messages, max(0, ftell(messages) - 4096), SEEK_SET)
    var block = [UInt8](repeating: 0, count: 4096)
    let length = fread(&block, 1, block.count, messages)
    return String(decoding: block[..<length], as: UTF8.self)
      .split(whereSeparator: \.isNewline).suffix(count).map { line in
        guard line.hasPrefix("["), line.contains(" @ 0x"), let end = line.firstRange(of: "] ")
        else { return line }
        return line[end.upperBound...]
      }.joined(separator: "; ")
  }
}

// Names that the class's own methods hide.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, bytes, count)
}
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, bytes, count)
}
