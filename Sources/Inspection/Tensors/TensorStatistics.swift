import ToolSupport

/// A tensor's values in a few numbers, and their histogram.
package struct TensorStatistics: Equatable, Sendable {
  package let count: Int
  package let minimum: Float
  package let maximum: Float
  package let mean: Double
  package let standardDeviation: Double
  /// Values that are exactly zero.
  package let zeros: Int
  /// Values that are infinite or not a number; the other figures leave them out.
  package let notFinite: Int
  /// Counts over equal intervals from minimum to maximum.
  package let histogram: [Int]

  package static let bins = 32

  /// `nil` if no value is finite.
  package init?(_ values: [Float]) {
    var (low, high) = (Float.infinity, -Float.infinity)
    var (sum, zeros, finite) = (0.0, 0, 0)
    for value in values where value.isFinite {
      low = min(low, value)
      high = max(high, value)
      sum += Double(value)
      finite += 1
      if value == 0 { zeros += 1 }
    }
    guard finite > 0 else { return nil }
    let mean = sum / Double(finite)
    // The second pass costs little and cancels nothing, unlike E[x²] − E[x]².
    var squares = 0.0
    var histogram = [Int](repeating: 0, count: TensorStatistics.bins)
    let scale = high > low ? Double(TensorStatistics.bins) / (Double(high) - Double(low)) : 0
    for value in values where value.isFinite {
      squares += (Double(value) - mean) * (Double(value) - mean)
      let bin = Int((Double(value) - Double(low)) * scale)
      histogram[min(bin, TensorStatistics.bins - 1)] += 1
    }
    count = values.count
    minimum = low
    maximum = high
    self.mean = mean
    standardDeviation = (squares / Double(finite)).squareRoot()
    self.zeros = zeros
    notFinite = values.count - finite
    self.histogram = histogram
  }

  package var json: JSON {
    [
      "count": .integer(count), "min": .float(minimum), "max": .float(maximum),
      "mean": .double(mean), "std": .double(standardDeviation), "zeros": .integer(zeros),
      "notFinite": .integer(notFinite), "histogram": .array(histogram.map { .integer($0) }),
    ]
  }
}
