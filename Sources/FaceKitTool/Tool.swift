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
    let status = run(Array(CommandLine.arguments.dropFirst()), console: .standard)
    exit(status.rawValue)
  }

  /// Everything but the process: what tests call.
  static func run(_ arguments: [String], console: Console) -> ToolStatus {
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
      return try command.run(Arguments(parsing: rest, for: command), console)
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
