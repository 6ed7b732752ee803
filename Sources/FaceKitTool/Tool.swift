import ToolSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `facekit <command> [options] <files>`.
@main
enum Tool {
  static func main() {
    holdStandardStreams()
    Cleanup.installHandlers()
    let status = run(words, console: .standard)
    exit(status.rawValue)
  }

  /// The words after the program's name, whatever bytes they have.
  private static var words: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { SystemName.decode(cString: $0) }
    }
  }

  /// Puts something in the place of a standard stream that is closed: the next file opened would take it, and
  /// results would be written into that. What is opened for reading cannot be written to, which is then said.
  private static func holdStandardStreams() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Everything but the process: what tests call.
  static func run(_ arguments: [String], console: Console) -> ToolStatus {
    let status = dispatch(arguments, console)
    guard console.isBroken else { return status }
    console.reportFault()
    return status == .usage ? .usage : .failed
  }

  private static func dispatch(_ arguments: [String], _ console: Console) -> ToolStatus {
    guard let name = arguments.first else {
      console.error(Help.overview)
      return .usage
    }
    if ["-h", "--help", "help"].contains(name) {
      if let topic = arguments.dropFirst().first, let command = Command.named(topic) {
        console.print(Help.page(command))
      } else {
        console.print(Help.overview)
      }
      return .done
    }
    if name == "--version" {
      console.print("facekit \(Tool.version)")
      return .done
    }
    do {
      guard let command = Command.named(name) else {
        throw UsageError(
          "there is no command '\(name)'", at: "command line", advice: "see `facekit -h`")
      }
      let rest = Array(arguments.dropFirst())
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) {
        console.print(Help.page(command))
        return .done
      }
      let parsed = try Arguments(parsing: rest, for: command)
      return try command.run(
        parsed, parsed.writesToStandardOutput ? console.resultsAsMessages : console)
    } catch let error as UsageError {
      console.report(error)
      return .usage
    } catch {
      console.report(error)
      return .failed
    }
  }

  static let version = "0.1.0"
}
