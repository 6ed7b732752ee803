/// The timestamps of a stream: strictly increasing, and small enough to count nanoseconds in 64 bits.
struct StreamClock: Sendable {
  private(set) var last: Int?

  static let limit = Int.max / 1_000_000

  /// Accepts a timestamp later than all before it; a rejected one leaves no trace.
  mutating func accept(_ timestamp: Int, taskName: String) throws(FaceKitError) {
    guard timestamp.magnitude <= UInt(StreamClock.limit) else {
      throw .invalid(
        "timestamp \(timestamp) ms", at: taskName,
        advice: "give milliseconds of at most \(StreamClock.limit)")
    }
    if let last, timestamp <= last {
      throw .invalid(
        "timestamp \(timestamp) ms is not later than \(last) ms of the frame before", at: taskName,
        advice: "timestamps must be monotonically increasing")
    }
    last = timestamp
  }
}
