/// How far a value may be from the reference.
///
/// An element passes if it equals the reference, both are NaN, or `|x − r| ≤ absolute + relative·|r| +
/// ofLargest·max|r|`, computed in double precision.
public struct Tolerance: Sendable, Hashable {
  public var absolute: Double
  /// Share of the element's own magnitude.
  public var relative: Double
  /// Share of the largest finite magnitude in the whole reference.
  public var ofLargest: Double

  public init(absolute: Double = 0, relative: Double = 0, ofLargest: Double = 0) {
    self.absolute = absolute
    self.relative = relative
    self.ofLargest = ofLargest
  }

  /// Equal, up to the sign of zero.
  public static let exact = Tolerance()

  /// What the design asks of every output of a model against LiteRT.
  public static let litert = Tolerance(absolute: 1e-6, ofLargest: 1e-4)

  /// The bound that holds for a sum of `terms` products in any order: `k · 2⁻²³ · Σ|aᵢbᵢ|`.
  public static func sum(terms: Int, magnitude: Double) -> Tolerance {
    Tolerance(absolute: Double(terms) * 0x1p-23 * magnitude)
  }

  public static func absolute(_ bound: Double) -> Tolerance { Tolerance(absolute: bound) }
}

/// The worst element of a comparison that failed. Compare with `nil`: the expectation then prints
/// where, how much, and what was allowed.
public struct Departure: Sendable, Equatable, CustomStringConvertible {
  public var context: String
  /// Index of the worst element in row-major order; -1 where the counts differ.
  public var index: Int
  public var actual: Double
  public var expected: Double
  public var bound: Double
  public var failures: Int
  public var count: Int

  public var description: String {
    if index < 0 {
      return "\(context): \(Int(actual)) elements instead of \(Int(expected))"
    }
    return """
      \(context): \(failures) of \(count) elements depart; the worst, [\(index)], is \(actual) \
      instead of \(expected), off by \(abs(actual - expected)) where \(bound) is allowed
      """
  }
}

/// Compares element by element and gives the worst one, or `nil` if all are within the tolerance.
///
/// `context` is what a reader of the failure needs: the case, its seed, the tier.
public func departure<Value: BinaryFloatingPoint>(
  of actual: [Value], from expected: [Value], within tolerance: Tolerance,
  _ context: @autoclosure () -> String
) -> Departure? {
  departure(
    of: actual, from: expected, within: tolerance, value: { Double($0) }, context: context)
}

/// Compares integers element by element; differences are taken in double precision.
public func departure<Value: BinaryInteger>(
  of actual: [Value], from expected: [Value], within tolerance: Tolerance = .exact,
  _ context: @autoclosure () -> String
) -> Departure? {
  departure(
    of: actual, from: expected, within: tolerance, value: { Double($0) }, context: context)
}

private func departure<Value: Equatable>(
  of actual: [Value], from expected: [Value], within tolerance: Tolerance,
  value: (Value) -> Double, context: () -> String
) -> Departure? {
  guard actual.count == expected.count else {
    return Departure(
      context: context(), index: -1, actual: Double(actual.count),
      expected: Double(expected.count), bound: 0, failures: 1, count: expected.count)
  }
  var largest = 0.0
  if tolerance.ofLargest > 0 {
    for element in expected {
      let magnitude = abs(value(element))
      if magnitude.isFinite { largest = max(largest, magnitude) }
    }
  }
  let floor = tolerance.absolute + tolerance.ofLargest * largest
  var worst: Departure?
  var worstExcess = -Double.infinity
  var failures = 0
  for index in expected.indices where actual[index] != expected[index] {
    let (x, r) = (value(actual[index]), value(expected[index]))
    if x.isNaN && r.isNaN { continue }
    let bound = r.isFinite ? floor + tolerance.relative * abs(r) : 0
    let distance = abs(x - r)
    if distance <= bound { continue }
    failures += 1
    // A NaN on one side only, or an infinity, is worse than any number.
    let excess = distance.isNaN ? .infinity : distance - bound
    if worst == nil || excess > worstExcess {
      worstExcess = excess
      worst = Departure(
        context: "", index: index, actual: x, expected: r, bound: bound, failures: 0,
        count: expected.count)
    }
  }
  worst?.context = context()
  worst?.failures = failures
  return worst
}

/// Largest absolute difference, for reports and for bounds on a whole.
public func largestDifference(_ a: [Float], _ b: [Float]) -> Double {
  var largest = 0.0
  for (x, y) in zip(a, b) { largest = max(largest, abs(Double(x) - Double(y))) }
  return largest
}

/// Euclidean norm, in double precision.
public func l2Norm(_ values: [Float]) -> Double {
  var sum = 0.0
  for value in values { sum += Double(value) * Double(value) }
  return sum.squareRoot()
}
