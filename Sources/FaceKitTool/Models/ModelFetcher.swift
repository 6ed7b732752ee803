import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `Resources/fetch_models.py`, the same program that `tools/setup` runs.
enum ModelFetcher {
  /// Fetches what is missing into `cache`, looking in `folder` first, if one is given.
  ///
  /// - Returns: whether everything is there now; the program itself has said what is not.
  /// - Throws: where Python cannot be started.
  static func fetch(to cache: String, from folder: String?) throws(ToolError) -> Bool {
    var words = [
      "python3", "-c", String(decoding: PackageResources.fetch_models_py, as: UTF8.self),
      "--list", "-", "--cache", cache,
    ]
    if let folder { words += ["--from", folder] }
    return try run(words, input: PackageResources.models_json) == 0
  }

  /// Starts a program found on PATH with `input` as its standard input, and waits for its exit status.
  private static func run(_ words: [String], input: [UInt8]) throws(ToolError) -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw fault(words[0], errno) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addclose(&actions, ends[1])

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let status = posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    close(ends[0])
    guard status == 0 else {
      close(ends[1])
      throw fault(words[0], status)
    }
    // The list is smaller than a pipe's buffer, so this cannot block for long.
    _ = input.withUnsafeBytes { write(ends[1], $0.baseAddress!, $0.count) }
    close(ends[1])
    var state: Int32 = 0
    while waitpid(child, &state, 0) < 0 && errno == EINTR {}
    // The low seven bits are the signal that ended it, if any.
    return state & 0x7F == 0 ? state >> 8 & 0xFF : -1
  }

  private static func fault(_ program: String, _ number: Int32) -> ToolError {
    ToolError(
      "fetch", "\(program) cannot be started (\(String(cString: strerror(number))))", at: "PATH",
      advice: "install Python 3, or copy the models into a folder and name it with --models")
  }
}
