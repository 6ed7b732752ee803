import Dispatch
import Testing

@testable import FaceKit

/// A pipeline that answers with what it was given, as fast as its gate lets it.
private final class FakePipeline: TaskPipeline {
  let gate: Gate
  private var frames = 0
  init(_ gate: Gate = Gate()) { self.gate = gate }

  func reset() { frames = 0 }

  func process(
    _ image: MPImage, timestampInMilliseconds: Int?
  ) throws(FaceKitError) -> Int {
    gate.pass()
    if image.width == 13 {
      throw FaceKitError(.internalError, "thirteen", at: "test", advice: "none")
    }
    frames += 1
    // Width 3 asks how many frames it remembers.
    return image.width == 3 ? frames : timestampInMilliseconds ?? -1
  }
}

/// Holds frames back until it is opened, and tells when one has come.
private final class Gate: Sendable {
  private let isHolding = Guarded(false)
  private let arrived = DispatchSemaphore(value: 0)
  private let open = DispatchSemaphore(value: 0)

  func hold() { isHolding.withLock { $0 = true } }
  func waitForArrival() { arrived.wait() }
  func release() {
    isHolding.withLock { $0 = false }
    open.signal()
  }
  func pass() {
    if isHolding.withLock({ $0 }) {
      arrived.signal()
      open.wait()
    }
  }
}

/// Collects what is delivered.
private final class Inbox: Sendable {
  let values = Guarded<[(outcome: Result<Int, FaceKitError>, timestamp: Int)]>([])
  let finished = Guarded(0)
  let delivered = DispatchSemaphore(value: 0)

  var receiver: TaskRunner<Int>.Receiver {
    .init(
      deliver: { outcome, timestamp in
        self.values.withLock { $0.append((outcome, timestamp)) }
        self.delivered.signal()
      },
      finish: { self.finished.withLock { $0 += 1 } })
  }

  var timestamps: [Int] { values.withLock { $0.map(\.timestamp) } }
}

@Suite("Running modes")
struct TaskRunnerTests {
  private let image: MPImage
  private let bad: MPImage

  init() throws {
    image = try Scene.noise(width: 2, height: 2, format: .gray)
    bad = try Scene.noise(width: 13, height: 2, format: .gray)
  }

  private func runner(
    _ mode: RunningMode, gate: Gate = Gate(), inbox: Inbox? = nil
  ) -> TaskRunner<Int> {
    TaskRunner(FakePipeline(gate), mode: mode, taskName: "Fake", receiver: inbox?.receiver)
  }

  @Test("each mode has its method, and the others say which")
  func wrongMode() throws {
    let still = runner(.image)
    #expect(try still.process(image) == -1)
    let error = #expect(throws: FaceKitError.self) {
      try still.process(image, timestampInMilliseconds: 1)
    }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.description
        == """
        detect(videoFrame:timestampInMilliseconds:) is for running mode video, but this task's is image \
        — Fake — call detect(image:), or set runningMode to .video
        """)
    #expect(throws: FaceKitError.self) { try still.enqueue(image, timestampInMilliseconds: 1) }
    // Still usable.
    #expect(try still.process(image) == -1)
    #expect(throws: FaceKitError.self) { try runner(.video).process(image) }
    #expect(throws: FaceKitError.self) { try runner(.liveStream).process(image) }
  }

  @Test("timestamps must increase; a rejected one leaves no trace")
  func timestamps() throws {
    let video = runner(.video)
    #expect(try video.process(image, timestampInMilliseconds: 5) == 5)
    for wrong in [5, 4, -1, .max, .min] {
      let error = #expect(throws: FaceKitError.self) {
        try video.process(image, timestampInMilliseconds: wrong)
      }
      #expect(error?.code == .invalidArgument)
    }
    #expect(try video.process(image, timestampInMilliseconds: 6) == 6)
  }

  @Test(
    "a burst is answered for the first and the last frame, in order, with the rest counted as dropped"
  )
  func burst() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    let live = runner(.liveStream, gate: gate, inbox: inbox)
    try live.enqueue(image, timestampInMilliseconds: 0)
    gate.waitForArrival()
    for timestamp in 1..<20 { try live.enqueue(image, timestampInMilliseconds: timestamp) }
    #expect(inbox.timestamps.isEmpty, "calls return before anything is processed")
    gate.release()
    inbox.delivered.wait()
    inbox.delivered.wait()
    #expect(inbox.timestamps == [0, 19])
    #expect(live.droppedFrames == 18)
    live.close()
    #expect(inbox.timestamps == [0, 19])
  }

  @Test(
    "a slow receiver makes frames drop: none is processed while it works, and only the newest waits"
  )
  func slowReceiver() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    let live = TaskRunner(
      FakePipeline(), mode: .liveStream, taskName: "Fake",
      receiver: .init { outcome, timestamp in
        inbox.receiver.deliver(outcome, timestamp)
        gate.pass()
      })
    try live.enqueue(image, timestampInMilliseconds: 0)
    gate.waitForArrival()
    for timestamp in 1...9 { try live.enqueue(image, timestampInMilliseconds: timestamp) }
    #expect(inbox.timestamps == [0] && live.droppedFrames == 8)
    gate.release()
    inbox.delivered.wait()
    inbox.delivered.wait()
    #expect(inbox.timestamps == [0, 9])
    live.close()
  }

  @Test("a dropped frame's timestamp still counts")
  func droppedStampsCount() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    let live = runner(.liveStream, gate: gate, inbox: inbox)
    for timestamp in [10, 20, 30] { try live.enqueue(image, timestampInMilliseconds: timestamp) }
    #expect(throws: FaceKitError.self) { try live.enqueue(image, timestampInMilliseconds: 25) }
    gate.release()
    live.close()
  }

  @Test("every processed frame has one result, errors included, and a failure ends nothing")
  func errors() throws {
    let inbox = Inbox()
    let live = runner(.liveStream, inbox: inbox)
    for (timestamp, frame) in [image, bad, image].enumerated() {
      try live.enqueue(frame, timestampInMilliseconds: timestamp)
      inbox.delivered.wait()
    }
    let outcomes = inbox.values.withLock { $0.map(\.outcome) }
    #expect(try outcomes[0].get() == 0 && outcomes[2].get() == 2)
    #expect(throws: FaceKitError.self) { try outcomes[1].get() }
    live.close()
  }

  @Test("closing waits for the frame in processing, delivers nothing more, and ends later calls")
  func closing() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    let live = runner(.liveStream, gate: gate, inbox: inbox)
    try live.enqueue(image, timestampInMilliseconds: 0)
    gate.waitForArrival()
    try live.enqueue(image, timestampInMilliseconds: 1)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { gate.release() }
    live.close()
    #expect(inbox.timestamps.isEmpty)
    #expect(inbox.finished.withLock { $0 } == 1)
    let error = #expect(throws: FaceKitError.self) {
      try live.enqueue(image, timestampInMilliseconds: 2)
    }
    #expect(error?.code == .failedPrecondition)
    live.close()
    #expect(inbox.finished.withLock { $0 } == 1)
    let still = runner(.image)
    still.close()
    #expect(throws: FaceKitError.self) { try still.process(image) }
  }

  @Test(
    "closing waits for a picture or a video's frame that another thread is processing",
    arguments: [RunningMode.image, .video])
  func closingWaits(_ mode: RunningMode) throws {
    let gate = Gate()
    gate.hold()
    let task = runner(mode, gate: gate)
    let image = image
    let isReleased = Guarded(false)
    let outcome = Guarded<Result<Int, FaceKitError>?>(nil)
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let result = Result { () throws(FaceKitError) in
        mode == .image
          ? try task.process(image) : try task.process(image, timestampInMilliseconds: 7)
      }
      outcome.withLock { $0 = result }
      ended.signal()
    }
    gate.waitForArrival()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
      isReleased.withLock { $0 = true }
      gate.release()
    }
    task.close()
    #expect(isReleased.withLock { $0 }, "close() returned while the call was running")
    ended.wait()
    // The call that was running has its answer; later ones have none.
    #expect(try outcome.withLock { $0 }?.get() == (mode == .image ? -1 : 7))
    #expect(throws: FaceKitError.self) {
      _ =
        mode == .image
        ? try task.process(image) : try task.process(image, timestampInMilliseconds: 8)
    }
  }

  @Test("a reset forgets frames and timestamps, and the task goes on")
  func reset() throws {
    let counting = try Scene.noise(width: 3, height: 2, format: .gray)
    let video = runner(.video)
    #expect(try video.process(counting, timestampInMilliseconds: 500) == 1)
    #expect(try video.process(counting, timestampInMilliseconds: 600) == 2)
    video.reset()
    #expect(try video.process(counting, timestampInMilliseconds: 0) == 1)
    #expect(throws: FaceKitError.self) { try video.process(counting, timestampInMilliseconds: 0) }
  }

  @Test("a reset of a live stream drops the waiting frame, and takes new timestamps")
  func liveReset() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    let live = runner(.liveStream, gate: gate, inbox: inbox)
    try live.enqueue(image, timestampInMilliseconds: 100)
    gate.waitForArrival()
    try live.enqueue(image, timestampInMilliseconds: 200)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { gate.release() }
    live.reset()
    #expect(live.droppedFrames == 1)
    inbox.delivered.wait()
    try live.enqueue(image, timestampInMilliseconds: 0)
    inbox.delivered.wait()
    #expect(inbox.timestamps == [100, 0])
    live.close()
  }

  @Test("a delegate may close the task it is called by")
  func closingFromDelegate() throws {
    let box = Guarded<TaskRunner<Int>?>(nil)
    let done = DispatchSemaphore(value: 0)
    let live = TaskRunner(
      FakePipeline(), mode: .liveStream, taskName: "Fake",
      receiver: .init { _, _ in
        box.withLock { $0 }?.close()
        done.signal()
      })
    box.withLock { $0 = live }
    try live.enqueue(image, timestampInMilliseconds: 0)
    #expect(done.wait(timeout: .now() + 10) == .success)
    box.withLock { $0 = nil }
  }

  @Test("thousands of frames from several threads arrive in order, none twice")
  func load() throws {
    let inbox = Inbox()
    let live = runner(.liveStream, inbox: inbox)
    let next = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<2000 {
        // Taking a stamp and handing it in are one step, or threads would overtake each other.
        next.withLock { stamp in
          try? live.enqueue(image, timestampInMilliseconds: stamp)
          stamp += 1
        }
      }
    }
    // The last frame is never dropped.
    while inbox.timestamps.last != 7999 { inbox.delivered.wait() }
    let stamps = inbox.timestamps
    #expect(stamps == stamps.sorted() && Set(stamps).count == stamps.count)
    #expect(stamps.count + live.droppedFrames == 8000)
    live.close()
  }

  @Test("letting go of a task with frames in flight is safe")
  func deinitInFlight() throws {
    let (gate, inbox) = (Gate(), Inbox())
    gate.hold()
    do {
      let live = runner(.liveStream, gate: gate, inbox: inbox)
      try live.enqueue(image, timestampInMilliseconds: 0)
      gate.waitForArrival()
      live.stopAccepting()
    }
    gate.release()
    #expect(inbox.delivered.wait(timeout: .now() + 0.05) == .timedOut)
  }

  @Test("asynchronous calls give the same answers, and a cancelled task gets none")
  func asynchronous() async throws {
    let still = runner(.image)
    let image = image
    let answer = try await still.onQueue { () throws(FaceKitError) in try still.process(image) }
    #expect(answer == -1)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await still.onQueue { () throws(FaceKitError) in try still.process(image) }
    }
    task.cancel()
    let error = await #expect(throws: FaceKitError.self) { _ = try await task.value }
    #expect(error?.code == .cancelled)
  }
}
