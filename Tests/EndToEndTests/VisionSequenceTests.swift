import EndToEndSupport
import FaceKit
import ImageCodecs
import TestSupport
import Testing

@Suite(
  "Vision: tracking on sequences",
  .enabled(if: VisionDoor.available, Comment(rawValue: VisionDoor.reason)))
struct VisionSequenceTests {
  private func sequence(_ id: String) throws -> CorpusSequence {
    try #require(Tasks.sequences.first { $0.id == id })
  }

  /// The faces of each frame.
  private func follow(
    _ id: String, _ mode: VisionFaceDetectorPerformanceMode
  ) throws -> [[VisionFace]] {
    let sequence = try sequence(id)
    let detector = VisionDoor.detector {
      $0.isTrackingEnabled = true
      $0.performanceMode = mode
    }
    return try (0..<sequence.count).map { index in
      let image = VisionImage(
        image: try MPImage(contentsOf: Corpus.url(sequence.frame(index)).path))
      image.metadata = VisionImageMetadata()
      image.metadata?.timestampInMilliseconds = index * sequence.timestampStepMs
      let faces = try detector.results(in: image)
      #expect(Set(faces.map(\.trackingID)).count == faces.count, "\(id), frame \(index)")
      return faces
    }
  }

  /// Numbers count up and are not given again once others have come after them and a second has passed.
  private func check(_ frames: [[VisionFace]], _ id: String) {
    var highest = -1
    var lastSeen: [Int: Int] = [:]
    for (index, faces) in frames.enumerated() {
      for number in faces.map(\.trackingID).sorted() {
        if let last = lastSeen[number] {
          #expect(index - last <= 16, "\(id), frame \(index): \(number) came back")
        } else {
          #expect(number == highest + 1, "\(id), frame \(index)")
          highest = number
        }
        lastSeen[number] = index
      }
    }
  }

  @Test(
    "one face through motion, zoom and turning: one number",
    arguments: ["pan-zoom-rotate", "signing-no"], VisionFaceDetectorPerformanceMode.allCases)
  func motion(_ id: String, _ mode: VisionFaceDetectorPerformanceMode) throws {
    let frames = try follow(id, mode)
    check(frames, id)
    #expect(frames.allSatisfy { $0.contains { $0.trackingID == 0 } }, "\(id)")
    // To the detector the portrait's suit is a face of 0.58, if it sees it right.
    #expect(frames.count { $0.count > 1 } <= 4, "\(id)")
  }

  @Test(
    "two heads that turn: two numbers", arguments: VisionFaceDetectorPerformanceMode.allCases)
  func turning(_ mode: VisionFaceDetectorPerformanceMode) throws {
    let frames = try follow("heads-turning", mode)
    check(frames, "heads-turning")
    #expect(Set(frames.flatMap { $0.map(\.trackingID) }) == [0, 1])
  }

  @Test("a face that leaves and comes back later is another")
  func leaving() throws {
    let frames = try follow("leave-reenter", .fast)
    check(frames, "leave-reenter")
    let numbers = frames.map { $0.first?.trackID }
    #expect(numbers.first == .some(0) && numbers.last == .some(1), "\(numbers)")
  }

  @Test("a brief occlusion ends no track")
  func occlusion() throws {
    let frames = try follow("bright-occlude", .fast)
    check(frames, "bright-occlude")
    #expect(Set(frames.flatMap { $0.map(\.trackingID) }) == [0])
  }

  @Test(
    "faces that cross keep their numbers", arguments: VisionFaceDetectorPerformanceMode.allCases)
  func crossing(_ mode: VisionFaceDetectorPerformanceMode) throws {
    let frames = try follow("two-crossing", mode)
    check(frames, "two-crossing")
    let (first, last) = (try #require(frames.first { $0.count == 2 }), try #require(frames.last))
    #expect(last.count == 2)
    // Who was on the left is on the right in the end.
    func order(_ faces: [VisionFace]) -> [Int] {
      faces.sorted { $0.frame.midX < $1.frame.midX }.map(\.trackingID)
    }
    #expect(order(last) == order(first).reversed())
  }

  @Test("smoothing makes a still face steadier, and leaves numbers alone")
  func smoothing() throws {
    func jitter(_ smooths: Bool) throws -> Double {
      let detector = VisionDoor.detector {
        $0.isTrackingEnabled = true
        $0.landmarkMode = .all
        $0.smoothsTrackedFaces = smooths
      }
      let sequence = try sequence("signing-no")
      var places: [VisionPoint] = []
      for index in 0..<24 {
        let image = VisionImage(
          image: try MPImage(contentsOf: Corpus.url(sequence.frame(index)).path))
        let face = try #require(try detector.results(in: image).first)
        places.append(try #require(face.landmark(ofType: .noseBase)).position)
      }
      // The second difference is nothing for even motion.
      var sum = 0.0
      for k in 2..<places.count {
        let (a, b, c) = (places[k - 2], places[k - 1], places[k])
        sum += Double(abs(a.x - 2 * b.x + c.x) + abs(a.y - 2 * b.y + c.y))
      }
      return sum
    }
    #expect(try jitter(true) < jitter(false))
  }
}
