/// Statistics of repeated runs, in milliseconds.
package struct Timing: Equatable, Sendable {
  package let minimum: Double
  package let median: Double
  package let percentile95: Double

  /// - Precondition: at least one time, in nanoseconds, each of `runs` runs.
  package init(_ nanoseconds: [UInt64], runs: Int = 1) {
    let sorted = nanoseconds.sorted().map { Double($0) / 1e6 / Double(runs) }
    minimum = sorted[0]
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    // Nearest rank: the smallest time that 95 % of the runs do not exceed.
    percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
  }
}
