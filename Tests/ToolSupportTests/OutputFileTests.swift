import Foundation
import TestSupport
import Testing

@testable import ToolSupport

@Suite("Files that are written")
struct OutputFileTests {
  private let folder = try! TestFolder()

  private func write(
    _ text: String, _ name: String, protecting inputs: [String] = []
  ) throws(ToolError) {
    try OutputFile.write(
      Array(text.utf8), to: folder.path + "/" + name, protecting: ProtectedFiles(inputs))
  }

  private func writeHalf(to file: OutputFile) throws {
    let bytes = Array("half".utf8)
    try bytes.withUnsafeBytes { (pointer: UnsafeRawBufferPointer) throws -> Void in
      try file.write(pointer)
    }
  }

  @Test("a file is there when it is whole, and replaces one of its name")
  func replaces() throws {
    try write("first", "a.txt")
    chmod(folder.path + "/a.txt", 0o640)
    try write("second", "a.txt")
    #expect(try folder.bytes("a.txt") == Array("second".utf8))
    #expect(try folder.names == ["a.txt"])
    var status = stat()
    #expect(stat(folder.path + "/a.txt", &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test("until then what stood there stays, and nothing is left behind")
  func discards() throws {
    try write("first", "a.txt")
    do {
      let file = try OutputFile(folder.path + "/a.txt", protecting: ProtectedFiles())
      try writeHalf(to: file)
      #expect(try folder.names.count == 2)
      #expect(try folder.bytes("a.txt") == Array("first".utf8))
    }
    #expect(try folder.names == ["a.txt"] && folder.bytes("a.txt") == Array("first".utf8))
  }

  @Test("an input is not replaced, whatever leads to it: its name, a link, a second name")
  func inputs() throws {
    let input = try folder.file("in.png", [1, 2, 3])
    symlink("in.png", folder.path + "/link.png")
    link(input, folder.path + "/hard.png")
    for name in [
      "in.png", "link.png", "hard.png", "../\(folder.path.split(separator: "/").last!)/in.png",
    ] {
      let error = #expect(throws: ToolError.self) { try write("x", name, protecting: [input]) }
      #expect(error?.what == "the output is the input", "\(name)")
    }
    #expect(try folder.bytes("in.png") == [1, 2, 3])
    #expect(try folder.names == ["hard.png", "in.png", "link.png"])
  }

  @Test("what is no regular file is refused, not replaced")
  func special() throws {
    mkfifo(folder.path + "/pipe.png", 0o600)
    mkdir(folder.path + "/folder.png", 0o700)
    symlink("nowhere", folder.path + "/dangling.png")
    for (path, word) in [
      (folder.path + "/pipe.png", "pipe"), (folder.path + "/folder.png", "folder"),
      (folder.path + "/dangling.png", "link"), ("/dev/null", "device"), ("/dev/full", "device"),
    ] {
      let error = #expect(throws: ToolError.self) {
        try OutputFile.write([1], to: path, protecting: ProtectedFiles())
      }
      #expect(error?.what.contains(word) == true, "\(path): \(error?.what ?? "")")
    }
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    #expect(try folder.names == ["dangling.png", "folder.png", "pipe.png"])
  }

  @Test("a link stays one, and its file is replaced")
  func links() throws {
    _ = try folder.file("real.txt", Array("old".utf8))
    symlink("real.txt", folder.path + "/link.txt")
    try write("new", "link.txt")
    #expect(try folder.bytes("real.txt") == Array("new".utf8))
    var status = stat()
    #expect(lstat(folder.path + "/link.txt", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test("nothing that somebody put at a foreseeable name is written through or lost")
  func planted() throws {
    _ = try folder.file("victim.txt", Array("precious".utf8))
    _ = try folder.file("own.png.part", Array("mine".utf8))
    symlink("victim.txt", folder.path + "/out.png.part")
    try write("new", "out.png")
    try write("new", "own.png")
    #expect(try folder.bytes("victim.txt") == Array("precious".utf8))
    #expect(try folder.bytes("own.png.part") == Array("mine".utf8))
    #expect(try folder.bytes("out.png") == Array("new".utf8))
  }

  @Test("a place that cannot be written is said, with the reason")
  func unwritable() {
    let error = #expect(throws: ToolError.self) { try write("x", "no/such/folder/a.txt") }
    #expect(error?.code == "unwritable" && error?.what.contains("No such file") == true)
  }
}

@Suite("Files that are read")
struct InputFileTests {
  @Test("pipes, devices and folders are refused at once")
  func special() throws {
    let folder = try TestFolder()
    mkfifo(folder.path + "/pipe", 0o600)
    for (path, word) in [
      (folder.path + "/pipe", "pipe"), (folder.path, "folder"), ("/dev/zero", "device"),
    ] {
      let error = #expect(throws: ToolError.self) { try InputFile.check(path, what: "video") }
      #expect(error?.what == "this is a \(word), not a video")
    }
    #expect(throws: ToolError.self) { try InputFile.check(folder.path + "/none", what: "video") }
    let file = try folder.file("file", [1, 2, 3])
    #expect(try InputFile.prefix(file, count: 2) == [1, 2])
    #expect(try InputFile.prefix(file, count: 9) == [1, 2, 3])
  }

  @Test("a name that is no text leads to its file")
  func bytes() throws {
    let folder = try TestFolder()
    let name = folder.path + "/" + SystemName.decode([0x63, 0xE9])
    try OutputFile.write([7], to: name, protecting: ProtectedFiles())
    #expect(FileStatus.isReadable(name) && !SystemName.isUTF8(name))
    #expect(try Folder.names(folder.path) == [SystemName.decode([0x63, 0xE9])])
    let bytes = try InputFile.withUTF8Path(name) { path in
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(bytes == [7])
    unlink(SystemName.encode(name).map { CChar(bitPattern: $0) } + [0])
  }
}

@Suite("Names as the system has them")
struct SystemNameTests {
  @Test("every name comes back byte by byte")
  func roundTrip() {
    var generator = SplitMix(seed: 7)
    var names: [[UInt8]] = [
      Array("plain".utf8), Array("é漢🙂".utf8), [0xE9], [0x63, 0xE9, 0x2E], [0xC3],
      [0xF0, 0x9F, 0x99],
      [0xED, 0xA0, 0x80], Array("\u{10FFE9}".utf8), Array("\u{10FF00}".utf8), [0xFF, 0xFE],
    ]
    for _ in 0..<500 {
      names.append(
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in
          UInt8.random(in: 1...255, using: &generator)
        })
    }
    for name in names { #expect(SystemName.encode(SystemName.decode(name)) == name, "\(name)") }
  }

  @Test("what is printed is text, in one line, whatever a name holds")
  func shown() {
    #expect(SystemName.shown(SystemName.decode([0x63, 0x61, 0x66, 0xE9])) == "caf\\xe9")
    #expect(SystemName.shown("a\u{1B}[2Jb\nc") == "a\\x1b[2Jb\\x0ac")
    #expect(SystemName.shown("a\u{202E}b") == "a\\u{202e}b")
    #expect(SystemName.shown("é漢 🙂") == "é漢 🙂")
    #expect(JSON.string(SystemName.decode([0xE9])).text == #""\\xe9""#)
  }
}

/// A generator with a seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

@Suite("Programs that are run", .serialized)
struct ChildProcessTests {
  @Test("programs of the working folder are not run, whatever PATH says")
  func locate() throws {
    let folder = try TestFolder()
    let program = try folder.file("program", Array("#!/bin/sh\n".utf8))
    chmod(program, 0o755)
    #expect(ChildProcess.locate("program", path: "/nowhere:\(folder.path)") == program)
    for path in ["", ".", "bin:..", "./bin"] {
      #expect(ChildProcess.locate("sh", path: path) == nil)
    }
  }

  @Test("output and notes come apart, and the status is told")
  func notes() throws {
    let child = try ChildProcess(
      "/bin/sh", ["-c", "echo one >&3; printf out; echo two >&3; echo bad >&2; exit 3"],
      connecting: .outputAndNotes)
    #expect(child.readAll() == Array("out".utf8))
    #expect(child.nextNote() == "one" && child.nextNote() == "two" && child.nextNote() == nil)
    #expect(child.wait() == 3 && child.lastMessages() == "bad")
  }

  @Test("a program that nobody waits for any more is ended")
  func ended() throws {
    let folder = try TestFolder()
    do {
      _ = try ChildProcess(
        "/bin/sh", ["-c", "sleep 2; echo late > \(folder.path)/late"], connecting: .output)
    }
    Thread.sleep(forTimeInterval: 2.5)
    #expect(try folder.names.isEmpty)
  }
}
