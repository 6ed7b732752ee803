import Testing

@testable import FaceKit

@Suite("One Euro smoothing")
struct SmoothingTests {
  /// A face of three points, moved by an offset in pixels of a 100×100 picture.
  private func face(_ offset: Float) -> [NormalizedLandmark] {
    [(10, 10), (50, 90), (90, 30)].map { (x: Float, y: Float) in
      NormalizedLandmark(x: (x + offset) / 100, y: y / 100, z: offset / 100)
    }
  }

  private func smooth(
    _ smoother: inout LandmarkSmoother, _ offset: Float, ms: Int64
  ) -> [NormalizedLandmark] {
    smoother.smooth(face(offset), imageWidth: 100, imageHeight: 100, time: ms * 1_000_000)
  }

  @Test("the first frame passes raw")
  func first() {
    var smoother = LandmarkSmoother()
    #expect(smooth(&smoother, 3, ms: 40) == face(3))
  }

  @Test("the second frame follows the formula, with the frequency of its interval")
  func formula() {
    var smoother = LandmarkSmoother()
    _ = smooth(&smoother, 0, ms: 40)
    let result = smooth(&smoother, 1, ms: 80)
    // f = 25; object scale 80; d = 1/80·25; its low-pass with α(1) starts at 0.
    let f = 25.0
    let alpha1 = 1 / (1 + f / (2 * Double.pi))
    let speed = alpha1 * (1.0 / 80 * f)
    let cutoff = 0.05 + 80 * speed
    let alpha = 1 / (1 + f / (2 * Double.pi * cutoff))
    #expect(abs(Double(result[0].x) * 100 - (10 + alpha)) < 1e-4)
    #expect(abs(Double(result[0].z) * 100 - alpha) < 1e-4)
    #expect(abs(result[0].y - 0.1) < 1e-6)
  }

  @Test("a timestamp of 0 leaves the frequency at 30")
  func zeroStamp() {
    var early = LandmarkSmoother()
    _ = smooth(&early, 0, ms: 0)
    let second = smooth(&early, 1, ms: 1000)
    let alpha1 = 1 / (1 + 30 / (2 * Double.pi))
    let cutoff = 0.05 + 80 * alpha1 * 30 / 80
    let alpha = 1 / (1 + 30 / (2 * Double.pi * cutoff))
    #expect(abs(Double(second[0].x) * 100 - (10 + alpha)) < 1e-4)
  }

  @Test("a frame that is not later passes unchanged and leaves no trace")
  func notLater() {
    var smoother = LandmarkSmoother()
    _ = smooth(&smoother, 0, ms: 40)
    var other = smoother
    #expect(smooth(&smoother, 5, ms: 40) == face(5))
    #expect(smooth(&smoother, 1, ms: 80) == smooth(&other, 1, ms: 80))
  }

  @Test("a face without an extent passes unchanged")
  func pointFace() {
    var smoother = LandmarkSmoother()
    let points = [NormalizedLandmark](repeating: NormalizedLandmark(x: 0.5, y: 0.5, z: 0), count: 3)
    for ms in 1...3 {
      let result = smoother.smooth(
        points, imageWidth: 100, imageHeight: 100, time: Int64(ms) * 1_000_000)
      #expect(result == points)
    }
  }

  @Test("still faces stay still, and jitter is damped")
  func damping() {
    var smoother = LandmarkSmoother()
    var last = face(0)
    for frame in 0..<60 {
      last = smooth(&smoother, frame % 2 == 0 ? 0.05 : -0.05, ms: Int64(frame * 33))
    }
    #expect(abs(last[0].x * 100 - 10) < 0.03)
  }

  // MARK: Tracks

  private struct Stream {
    var regions = RegionTracker(.faceMesh)
    var smoother = TrackSmoother()
  }

  private func tracked(_ offset: Float, track: Int?) -> MeshedFace {
    var landmarks = [NormalizedLandmark](
      repeating: NormalizedLandmark(x: (30 + offset) / 100, y: 0.3, z: 0), count: 478)
    landmarks[263] = NormalizedLandmark(x: (60 + offset) / 100, y: 0.3, z: 0)
    landmarks[152] = NormalizedLandmark(x: (45 + offset) / 100, y: 0.8, z: 0)
    let rect = NormalizedRect(centerX: 0.45, centerY: 0.5, width: 0.6, height: 0.6)
    return MeshedFace(
      region: TrackedRegion(rect: rect, trackID: track, detectionScore: 0.9), landmarks: landmarks,
      presence: 1)
  }

  private func step(
    _ tracker: inout Stream, _ faces: [MeshedFace], ms: Int, shares: Bool
  ) -> [MeshedFace] {
    var faces = faces
    tracker.regions.update(
      &faces, imageWidth: 100, imageHeight: 100, timestampInMilliseconds: ms)
    tracker.smoother.smooth(
      &faces, imageWidth: 100, imageHeight: 100,
      nanoseconds: TrackSmoother.nanoseconds(milliseconds: ms), sharesFilter: shares)
    return faces
  }

  @Test("tracks are numbered from 1, stay with their face, and are not used again")
  func trackIDs() {
    var tracker = Stream()
    let first = step(
      &tracker, [tracked(0, track: nil), tracked(9, track: nil)], ms: 0, shares: false)
    #expect(first.map(\.trackID) == [1, 2])
    let second = step(
      &tracker, [tracked(9, track: 2), tracked(300, track: nil)], ms: 33, shares: false)
    #expect(second.map(\.trackID) == [2, 3])
    #expect(tracker.regions.regions.map(\.trackID) == [2, 3])
    #expect((0.5...1).contains(second[0].trackingScore ?? 0))
  }

  @Test(
    "a face that reappears within half a second, or within five frames, has its number; later a new one",
    arguments: [(1, 33, 1), (14, 33, 1), (16, 33, 2), (4, 200, 1), (5, 200, 2)])
  func returning(missedFrames: Int, step interval: Int, expected: Int) {
    var tracker = Stream()
    var time = 0
    #expect(step(&tracker, [tracked(0, track: nil)], ms: time, shares: false)[0].trackID == 1)
    for _ in 0..<missedFrames {
      time += interval
      _ = step(&tracker, [], ms: time, shares: false)
    }
    let back = step(&tracker, [tracked(1, track: nil)], ms: time + interval, shares: false)
    #expect(back[0].trackID == expected)
  }

  @Test("a face that is tracked keeps its number over a pause of any length")
  func pause() {
    var tracker = Stream()
    _ = step(&tracker, [tracked(0, track: nil)], ms: 0, shares: false)
    let later = step(&tracker, [tracked(0, track: 1)], ms: 60_000, shares: false)
    #expect(later[0].trackID == 1)
    let next = step(&tracker, [tracked(300, track: nil)], ms: 60_033, shares: false)
    #expect(next[0].trackID == 2)
    #expect(step(&tracker, [tracked(0, track: nil)], ms: 60_066, shares: false)[0].trackID == 1)
  }

  @Test("a frame without a face discards the filters")
  func reset() {
    var tracker = Stream()
    _ = step(&tracker, [tracked(0, track: nil)], ms: 33, shares: true)
    _ = step(&tracker, [], ms: 66, shares: true)
    let back = step(&tracker, [tracked(7, track: nil)], ms: 99, shares: true)
    #expect(back[0].landmarks == tracked(7, track: nil).landmarks)
  }

  @Test("each track has its own filter, or all share one as the reference does")
  func filters() {
    var own = Stream()
    _ = step(&own, [tracked(0, track: nil)], ms: 33, shares: false)
    let fresh = step(&own, [tracked(300, track: nil)], ms: 66, shares: false)
    #expect((fresh[0].landmarks == tracked(300, track: nil).landmarks) as Bool)
    var shared = Stream()
    _ = step(&shared, [tracked(0, track: nil)], ms: 33, shares: true)
    let followed = step(&shared, [tracked(7, track: nil)], ms: 66, shares: true)
    #expect((followed[0].landmarks != tracked(7, track: nil).landmarks) as Bool)
  }
}
