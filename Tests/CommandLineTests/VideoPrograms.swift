import Foundation
import Testing
import ToolSupport

@testable import FaceKitTool

/// ffmpeg and ffprobe, where they are.
let programs = try? FFmpeg()

func runProgram(_ program: String, _ words: [String]) throws -> String {
  let child = try ChildProcess(program, words, connecting: .output)
  let output = String(decoding: child.readAll() ?? [], as: UTF8.self)
  #expect(child.wait() == 0, "\(child.lastMessages())")
  return output
}

func ffmpeg(_ words: [String]) throws {
  _ = try runProgram(programs!.ffmpeg, ["-v", "error", "-nostdin", "-y"] + words)
}

/// The member of the first stream of a kind, as text.
func ask(_ file: String, _ stream: String, _ member: String) throws -> String {
  try runProgram(
    programs!.ffprobe,
    [
      "-v", "error", "-select_streams", stream, "-show_entries", "stream=\(member)", "-of",
      "default=nokey=1:noprint_wrappers=1", "-count_packets", file,
    ]
  ).trimmingCharacters(in: .whitespacesAndNewlines)
}
