import FaceKit
import ImageCodecs
import FaceKitModels
import Inspection
import ToolSupport

/// What a command has to say about one picture.
struct PictureResult {
  /// The members after `file`, `width` and `height`.
  let json: [JSON.Member]
  /// Lines for people.
  let text: String
  /// Made only if a drawing is wanted.
  let drawing: () throws -> FaceDrawing
}

/// Many pictures, one after another: each is decoded, handed to the command, and reported. One that fails is
/// reported, and the rest still done.
struct PictureBatch {
  private let files: [String]
  private let json: Bool
  private let console: Console
  private var output: PictureOutput?
  private var decoding = ImageDecodingOptions()

  static let options: [Option] =
    [
      Option("--sample", help: "the sample portrait, besides any files"),
      Option("--json", help: "one JSON object a line and picture"),
      Option(
        "--max-megapixels", value: "N", help: "refuse larger pictures, before reading them (100)"),
      Option("--models", value: "FOLDER", help: "where the models are"),
    ] + PictureOutput.options

  init(_ arguments: Arguments, _ console: Console, _ store: ModelStore) throws {
    var files = arguments.files
    if arguments.has("--sample") { files.insert(try store.sample(), at: 0) }
    guard !files.isEmpty else {
      throw UsageError(
        "no picture given", at: "facekit \(arguments.command)",
        advice: "name one, or give --sample; see `facekit \(arguments.command) -h`")
    }
    self.files = files
    self.console = console
    json = arguments.has("--json")
    output = try PictureOutput(arguments, files: files)
    if let limit = try arguments.integer("--max-megapixels", in: 1...100_000) {
      decoding.maximumPixels = limit * 1_000_000
    }
  }

  mutating func run(_ work: (MPImage) throws -> PictureResult) -> ToolStatus {
    let progress = ProgressBar(console, total: files.count)
    var status = ToolStatus.done
    for (index, file) in files.enumerated() where !console.isBroken {
      progress.show(index, file)
      do {
        let line = try one(file, work)
        progress.clear()
        console.print(line)
      } catch {
        progress.clear()
        status = .failed
        if json { console.print(PictureBatch.errorLine(file, error).text) }
        console.report(PictureBatch.placed(error, in: file))
      }
    }
    return status
  }

  private mutating func one(
    _ file: String, _ work: (MPImage) throws -> PictureResult
  ) throws -> String {
    let place = try output?.place(for: file)
    let image = try decoded(file)
    let result = try work(image)
    var saved = ""
    if let place {
      try output?.write(result.drawing(), to: place)
      let name = place.path == "-" ? "standard output" : SystemName.shown(place.path)
      saved = "\n  drawn to \(name)" + (place.note.map { " (\($0))" } ?? "")
    }
    if json {
      let head: [JSON.Member] = [
        .init(name: "file", value: .string(file)),
        .init(name: "width", value: .integer(image.width)),
        .init(name: "height", value: .integer(image.height)),
      ]
      return JSON.object(head + result.json).text
    }
    return "\(SystemName.shown(file)) (\(image.width)×\(image.height)): \(result.text)\(saved)"
  }

  private func decoded(_ file: String) throws -> MPImage {
    do {
      return try InputFile.withUTF8Path(file) { try MPImage(contentsOf: $0, options: decoding) }
    } catch var error as ImageError {
      // The name it was given by, not the one it was opened by.
      error.file = file
      throw error
    }
  }

  static func errorLine(_ file: String, _ error: any Error) -> JSON {
    [
      "file": .string(file),
      "error": ["code": .string(code(of: error)), "message": .string(String(describing: error))],
    ]
  }

  /// The class of the fault, as the rooms' errors name it.
  private static func code(of error: any Error) -> String {
    switch error {
    case let error as ImageError: error.code.rawValue
    case let error as FaceKitError: "\(error.code)"
    case let error as ModelError: error.code.rawValue
    case let error as ToolError: error.code
    default: "unknown"
    }
  }

  /// The error with the picture's name, where it does not say so itself.
  private static func placed(_ error: any Error, in file: String) -> any Error {
    guard let error = error as? FaceKitError else { return error }
    return ToolError(error, in: file)
  }
}
