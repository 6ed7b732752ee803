import Foundation
import Testing
import ToolSupport

@testable import FaceKitTool

private let command = Command(
  name: "try", summary: "", synopsis: "",
  options: [
    Option("-o", "--output", value: "PATH", help: ""), Option("--json", help: ""),
    Option("--level", value: "X", help: ""), Option("--input", value: "NAME=FILE", help: ""),
  ]
) { _, _ in .done }

private func parse(_ words: String...) throws(UsageError) -> Arguments {
  try Arguments(parsing: words, for: command)
}

@Suite("Arguments")
struct ArgumentsTests {
  @Test("options, values and files come in any order")
  func order() throws {
    let arguments = try parse("a.jpg", "--json", "-o", "out.png", "b.jpg", "--level=0.5")
    #expect(arguments.files == ["a.jpg", "b.jpg"])
    #expect(arguments.has("--json"))
    #expect(arguments.string("--output") == "out.png")
    #expect(try arguments.number("--level", in: 0...1) == 0.5)
  }

  @Test("a value may hold an equals sign, and repeated options keep all values")
  func values() throws {
    let arguments = try parse("--input", "a=x.npy", "--input=b=y.npy")
    #expect(arguments.strings("--input") == ["a=x.npy", "b=y.npy"])
  }

  @Test("two dashes end the options; a lone dash and negative numbers are not options")
  func dashes() throws {
    #expect(try parse("--", "--json", "-o").files == ["--json", "-o"])
    #expect(try parse("-", "-3").files == ["-", "-3"])
  }

  @Test("mistakes say what, where and what to do")
  func mistakes() {
    func message(_ words: String...) -> String? {
      do throws(UsageError) {
        _ = try Arguments(parsing: words, for: command)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(message("--jsn") == "there is no option '--jsn' — facekit try — see `facekit try -h`")
    #expect(
      message("-o") == "the option '-o' needs a value (PATH) — facekit try — see `facekit try -h`")
    #expect(
      message("--json=1")
        == "the option '--json' takes no value — facekit try — give '--json' alone")
  }

  @Test(
    "numbers outside their range, and what is no number, are refused",
    arguments: ["1.5", "nan", "x", ""])
  func numbers(text: String) throws {
    let arguments = try parse("--level", text)
    #expect(throws: UsageError.self) { try arguments.number("--level", in: 0...1) }
    #expect(throws: UsageError.self) { try arguments.integer("--level", in: 1...9) }
  }
}

@Suite("The tool")
struct ToolTests {
  /// What a call prints and returns.
  private func call(_ words: String...) -> (status: ToolStatus, output: [String], errors: [String])
  {
    let record = Record()
    let status = Tool.run(words, console: record.console)
    return (status, record.output, record.errors)
  }

  @Test("help is printed for the tool and for each command")
  func help() {
    #expect(call("-h").status == .done)
    #expect(call().status == .usage)
    for command in Command.all {
      let page = call(command.name, "-h")
      #expect(page.status == .done && page.errors.isEmpty)
      #expect(page.output.first?.hasPrefix("usage: facekit \(command.name)") == true)
      #expect(call("-h").output.first?.contains(command.name) == true)
      // A terminal's width.
      for line in page.output.joined(separator: "\n").split(separator: "\n") {
        #expect(line.count <= 110, "\(command.name): \(line)")
      }
    }
  }

  @Test("mistakes of usage give one line and status 2")
  func usage() {
    for words in [
      ["nonsense"], ["detect"], ["detect", "--nonsense"], ["landmarks", "--faces", "0", "x.jpg"],
      ["landmarks", "--detection-confidence", "1.5", "x.jpg"],
      ["detect", "--confidence", "1.5", "x.jpg"],
      ["detect", "--isa", "mmx", "x.jpg"], ["run"], ["bench"], ["bench", "model"],
      ["models", "burn"],
    ] {
      let record = Record()
      #expect(Tool.run(words, console: record.console) == .usage, "\(words)")
      #expect(record.output.isEmpty && record.errors.count == 1, "\(words): \(record.errors)")
      let parts = record.errors.first?.components(separatedBy: " — ") ?? []
      #expect(parts.count == 3 && parts[0].hasPrefix("facekit: error: "), "\(record.errors)")
    }
  }

  @Test("the JSON form of an error names the file, a code and the message")
  func errorLine() {
    let error = ToolError("notFound", "no such file", at: "a.jpg", advice: "check the path")
    #expect(
      PictureBatch.errorLine("a.jpg", error).text
        == #"{"file": "a.jpg", "error": {"code": "notFound", "message": "no such file — a.jpg — check the path"}}"#
    )
  }

  @Test("no progress is drawn without a terminal, and none for a single picture")
  func progress() {
    let record = Record()
    ProgressBar(record.console, total: 5).show(2, "a.jpg")
    #expect(record.progress.isEmpty)
    ProgressBar(record.terminal, total: 1).show(0, "a.jpg")
    #expect(record.progress.isEmpty)
    ProgressBar(record.terminal, total: 4).show(2, "a.jpg")
    #expect(record.progress.last?.contains("2/4 a.jpg") == true)
  }
}
