import Foundation
import TestSupport
import Testing

@testable import FaceKitModels

/// What the hostile files cost in memory. Measured of the whole process, so this suite must run alone:
/// `tools/test-hostile` asks for it.
@Suite(
  "Memory for hostile files", .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["FACEKIT_MEASURE_MEMORY"] != nil
      && Conformance.isAvailable, "runs alone, by tools/test-hostile"))
struct HostileMemoryTests {
  /// A figure of /proc/self/status in bytes; `nil` where there is no such file.
  private static func status(_ key: String) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
  }

  @Test("no file takes more than 200 MB")
  func peak() throws {
    var worst = (bytes: 0, file: "")
    for file in HostileTests.all {
      for backend in [Backend.reference, .automatic] {
        // Writing 5 makes the peak start again from what is resident now.
        guard let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try reset.write(contentsOf: Data("5".utf8))
        let before = try #require(Self.status("VmRSS"))
        _ = try HostileTests.run(file, backend: backend)
        let grown = try #require(Self.status("VmHWM")) - before
        #expect(grown < 200 << 20, "\(file): \(grown >> 20) MB")
        if grown > worst.bytes { worst = (grown, "\(file)") }
      }
    }
    print("hostile files: at most \(worst.bytes >> 10) KB, by \(worst.file)")
  }
}
