/// How far one tensor is from another.
package struct TensorComparison: Equatable {
  package let count: Int
  package let largestDifference: Double
  /// Place of the largest difference, row-major.
  package let place: Int
  /// The largest value of the reference.
  package let scale: Double
  /// Root mean square of the differences.
  package let rms: Double

  /// As a share of the reference's largest value; absolute where that is tiny.
  package var relative: Double { largestDifference / max(scale, 1e-2) }

  package func departs(beyond tolerance: Double) -> Bool { !(relative <= tolerance) }

  /// - Precondition: as many values as reference values.
  package init(_ values: [Float], reference: [Float]) {
    precondition(values.count == reference.count)
    var (worst, place, scale, squares) = (0.0, 0, 0.0, 0.0)
    for index in values.indices {
      let (a, b) = (Double(values[index]), Double(reference[index]))
      if b.isFinite { scale = max(scale, abs(b)) }
      // Equal infinities, and NaN in both, are agreement.
      if a == b || (a.isNaN && b.isNaN) { continue }
      let difference = (a - b).isNaN ? Double.infinity : abs(a - b)
      squares += difference * difference
      if difference > worst { (worst, place) = (difference, index) }
    }
    count = values.count
    largestDifference = worst
    self.place = place
    self.scale = scale
    rms = values.isEmpty ? 0 : (squares / Double(values.count)).squareRoot()
  }
}
