import EndToEndSupport
import FaceKit
import Foundation
import TestSupport
import Testing

/// Memory is counted for the whole process, so this runs by itself: `FACEKIT_SOAK=1 swift test --filter SoakTests`.
@Suite(
  "Soak",
  .enabled(
    if: Tasks.available && ProcessInfo.processInfo.environment["FACEKIT_SOAK"] != nil,
    "set FACEKIT_SOAK, and run it alone"))
struct SoakTests {
  @Test("20,000 frames of a live stream: memory is flat after the first 200")
  func liveStream() async throws {
    let image = try Tasks.image(CorpusManifest.load().image("astronaut"))
    let options = Tasks.landmarkerOptions()
    let (landmarker, results) = try FaceLandmarker.liveStream(options: options)
    var iterator = results.makeAsyncIterator()
    var settled = 0
    for frame in 0..<20_000 {
      try landmarker.detectAsync(image: image, timestampInMilliseconds: frame * 33)
      let result = try #require(await iterator.next()).get()
      try #require(result.faceLandmarks.count == 1 && result.timestampInMilliseconds == frame * 33)
      if frame == 200 { settled = AllocationProbe.residentKilobytes }
    }
    let growth = AllocationProbe.residentKilobytes - settled
    #expect(growth < 1024, "\(growth) KB")
    landmarker.close()
  }
}

/// The process's resident memory, as Linux counts it.
private enum AllocationProbe {
  static var isAvailable: Bool { residentKilobytes > 0 }

  static var residentKilobytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = Int(text.split(separator: " ").dropFirst().first ?? "")
    else { return 0 }
    return pages * 4
  }
}
