import FaceKit
import Foundation
import ImageCodecs
import TestSupport
import Testing
import ToolSupport

@testable import FaceKitTool

@Suite("Where drawings go")
struct PictureOutputTests {
  private let folder = try! TestFolder()

  private func output(
    _ target: String, count: Int, format: PictureFormat? = nil, overwrites: Bool = false
  ) throws -> PictureOutput {
    try PictureOutput(
      target, count: count, format: format, overwrites: overwrites, command: "detect")
  }

  @Test("several pictures go to a folder under distinct names, in their own formats")
  func severalPictures() throws {
    let target = folder.path + "/drawn"
    let jpeg = try folder.file("photo.JPG", [0xFF, 0xD8, 0xFF, 0xE0])
    let png = try folder.file("x.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var output = try output(target, count: 3)
    #expect(try output.place(for: jpeg) == .init(path: target + "/photo.JPG", format: .jpeg))
    #expect(try output.place(for: png) == .init(path: target + "/x.png", format: .png))
    #expect(try output.place(for: png).path == target + "/x-2.png")
    let other = try output.place(for: "a/y.webp")
    #expect(other.path == target + "/y.png" && other.note?.contains("as PNG") == true)
    #expect(try output.place(for: ".hidden").path == target + "/.hidden.png")
    var chosen = try self.output(target, count: 2, format: .jpeg)
    #expect(try chosen.place(for: png) == .init(path: target + "/x.jpg", format: .jpeg))
  }

  @Test("a file that stands in the folder is replaced only if that is said")
  func standing() throws {
    let png = try folder.file("x.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var output = try output(folder.path, count: 1)
    let error = #expect(throws: ToolError.self) { try output.place(for: png) }
    #expect(error?.code == "exists" && error?.place == png)
    var overwriting = try self.output(folder.path, count: 1, overwrites: true)
    #expect(try overwriting.place(for: png).path == png)
  }

  @Test(
    "a name that says no format that is written is refused",
    arguments: ["x.gif", "x.pdf", "x", "x.mp4", "/dev/null", "folder.png/x", ".png"])
  func noFormat(_ name: String) {
    #expect(throws: UsageError.self) { try output(name, count: 1) }
  }

  @Test("the format comes from the name, or from --format where the name has none")
  func format() throws {
    for (name, chosen, format) in [
      ("a.png", nil, PictureFormat.png), ("a.PNG", nil, .png), ("a.jpeg", nil, .jpeg),
      ("a", PictureFormat.jpeg, .jpeg), ("a.jpg", .jpeg, .jpeg),
    ] {
      var output = try output(folder.path + "/" + name, count: 1, format: chosen)
      #expect(try output.place(for: "in.webp").format == format)
    }
    #expect(throws: UsageError.self) { try output("a.jpg", count: 1, format: .png) }
    #expect(throws: UsageError.self) { try output("out.png", count: 2) }
    #expect(throws: UsageError.self) { try output("-", count: 2) }
    #expect(throws: ToolError.self) { try output("/no/such/folder/at/all/", count: 2) }
  }
}

/// The tool as a program: what only a process of its own shows.
@Suite(
  "Results of the program",
  .enabled(
    if: ModelFiles.isAvailable && BuiltTool.path != nil,
    "needs models, and facekit beside the tests"))
struct ProgramTests {
  private let folder = try! TestFolder()
  private let picture: String

  init() throws {
    picture = try folder.file(
      "in.ppm", Array("P6 64 64 255\n".utf8) + [UInt8](repeating: 90, count: 12288))
  }

  /// Runs a line of the shell in the folder, in which `$F` is the tool.
  private func shell(_ line: String) throws -> (status: Int32, output: String, errors: String) {
    let words = [
      "-c", "cd \"$1\"; F=\"$0\"; M=\"--models $2\"; \(line)", BuiltTool.path!, folder.path,
      ModelFiles.folder.path,
    ]
    let child = try ChildProcess("/bin/sh", words, connecting: .output)
    let output = String(decoding: child.readAll() ?? [], as: UTF8.self)
    return (child.wait(), output, child.lastMessages(9))
  }

  @Test(
    "results that cannot be written are an error of every command",
    arguments: [
      "detect $M in.ppm", "landmarks $M --json in.ppm", "-h", "--version", "models list $M",
      "inspect $2/face_detector.tflite", "detect $M in.ppm -o -",
    ])
  func fullDisk(_ words: String) throws {
    let full = try shell("$F \(words) > /dev/full")
    #expect(full.status == 1 && full.errors.contains("cannot be written"), "\(full)")
    let closed = try shell("$F \(words) >&-")
    #expect(closed.status == 1 && closed.errors.contains("cannot be written"), "\(closed)")
  }

  @Test("a closed standard output takes no file in its place")
  func closedDescriptor() throws {
    #expect(try shell("$F detect $M in.ppm -o out.png >&-").status == 1)
    #expect(try MPImage(contentsOf: folder.path + "/out.png").width == 256)
  }

  @Test("a reader that has enough is no error to speak of")
  func brokenPipe() throws {
    let result = try shell("(trap '' PIPE; $F models list $M; echo $? > status) | true; cat status")
    #expect(!result.errors.contains("cannot be written"), "\(result)")
  }

  @Test("names that are not UTF-8 are read, written and shown")
  func namesOfBytes() throws {
    let result = try shell(
      "n=$(printf 'caf\\351.ppm'); cp in.ppm \"$n\"; $F detect $M \"$n\" -o \"$(printf 'o\\351.png')\""
    )
    #expect(result.status == 0 && result.output.contains("caf\\xe9.ppm (64×64)"), "\(result)")
    #expect(result.output.contains("drawn to o\\xe9.png"))
    let name = SystemName.decode([0x6F, 0xE9] + Array(".png".utf8))
    #expect(try Folder.names(folder.path).contains(name))
    let json = try shell("$F detect $M --json \"$(printf 'no\\351.ppm')\"")
    #expect(json.status == 1)
    #expect(try JSON(parsing: json.output.utf8)["file"]?.string == "no\\xe9.ppm")
    _ = try shell("rm -f *.ppm *.png")
  }

  @Test("a pipe as an input is an error at once", arguments: ["detect", "video", "inspect", "run"])
  func pipe(_ command: String) throws {
    mkfifo(folder.path + "/pipe", 0o600)
    let models = ["detect", "video"].contains(command) ? "$M" : ""
    let result = try shell("timeout 20 $F \(command) \(models) pipe")
    #expect(result.status == 1 && result.errors.contains("pipe"), "\(result)")
  }

  @Test("nothing is left behind by a program that is ended while it writes")
  func ended() throws {
    // The reader never reads: the tool stands still with a file of its own begun, if anywhere.
    let result = try shell(
      "mkdir d; $F run $2/face_landmarks_detector.tflite --random 1 --all-tensors --output-dir d & "
        + "sleep 0.3; kill -TERM $!; wait $!; ls -A d | grep -c facekit-")
    #expect(
      result.output.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("0"), "\(result)")
  }

  @Test("of several inputs none is replaced by a drawing in their folder, even with --overwrite")
  func folderOfInputs() throws {
    let before = try folder.bytes("in.ppm")
    let bytes = try ImageEncoder.png(
      MPImage(copying: [UInt8](repeating: 9, count: 3 * 64), width: 8, height: 8, format: .rgb))
    for name in ["a.png", "b.png"] { _ = try folder.file(name, bytes) }
    for options in ["", "--overwrite"] {
      let result = try shell("$F detect $M a.png b.png -o . \(options); echo $?")
      #expect(result.output.hasSuffix("1\n") && !result.output.contains("drawn"), "\(result)")
      #expect(result.errors.contains("the output is the input"), "\(result)")
      #expect(try folder.bytes("a.png") == bytes && folder.bytes("b.png") == bytes)
    }
    #expect(try folder.bytes("in.ppm") == before)
  }

  @Test("a model that changed in the cache is noticed before it is used")
  func changedModel() throws {
    // Outside the checkout, so that the cache is the user's.
    let result = try shell(
      """
      ln "$F" fk || cp "$F" fk; mkdir -p c/facekit/models; cp $2/face_detector.tflite c/facekit/models
      export XDG_CACHE_HOME=$PWD/c; unset FACEKIT_MODELS
      ./fk detect in.ppm; echo $?; ls c/facekit
      printf X | dd of=c/facekit/models/face_detector.tflite bs=1 seek=9000 conv=notrunc 2> /dev/null
      ./fk detect in.ppm; echo $?
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("verified.json") && lines.contains("0"), "\(result)")
    #expect(lines.last == "1" && result.errors.contains("its SHA-256 is another"), "\(result)")
  }

  @Test("fetching runs no code of the working folder")
  func fetch() throws {
    for name in ["glob", "json", "zipfile", "tempfile", "hashlib", "argparse"] {
      _ = try folder.file(name + ".py", Array("open('executed', 'w').write('x')\n".utf8))
    }
    _ = try shell("XDG_CACHE_HOME=/nonexistent timeout 60 $F models fetch --models $2")
    #expect(try !folder.names.contains("executed"))
  }
}

@Suite("Models and their folders")
struct ModelStoreTests {
  private let folder = try! TestFolder()

  @Test("a folder that was named and lacks the model is an error, not a reason to look elsewhere")
  func named() {
    let store = ModelStore(folder: folder.path)
    let error = #expect(throws: ToolError.self) { try store.model("face_landmarker.task") }
    #expect(error?.what.contains("--models") == true && error?.place == folder.path)
  }

  @Test("a file is verified again when its size or a time of it changes")
  func verified() throws {
    let file = try folder.file("model", [1, 2, 3])
    let listed = ModelList.File(
      name: "model", kind: "model", what: "", bytes: 3, sha256: String(repeating: "0", count: 64))
    let memory = VerifiedFiles(folder.path + "/verified.json")
    #expect(!memory.knows(file, listed))
    memory.remember(file, listed)
    #expect(memory.knows(file, listed))
    Thread.sleep(forTimeInterval: 0.02)
    _ = try folder.file("model", [1, 2, 4])
    #expect(!memory.knows(file, listed))
    memory.remember(file, listed)
    let renewed = ModelList.File(
      name: "model", kind: "model", what: "", bytes: 3, sha256: String(repeating: "1", count: 64))
    #expect(memory.knows(file, listed) && !memory.knows(file, renewed))
  }
}
