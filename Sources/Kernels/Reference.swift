/// The reference kernels: what each operator computes, in the plainest loops that say it.
///
/// They are the specification the fast kernels are tested against, the fallback where there is no
/// fast kernel, and the baseline benchmarks quote. They are never optimised. Sums of floats are
/// kept in `Double`, so that a reference result is within a rounding of the exact one.
///
/// Conventions: activations are NHWC and row-major; pointers are valid for the extents given, which
/// the caller has checked; output and input do not overlap unless a function says it may.
public enum Reference {}

extension Reference {
  /// Clamps to an activation's interval. A NaN stays a NaN, as in TensorFlow Lite.
  @inline(__always)
  static func clamp<Value: Comparable>(_ value: Value, _ bounds: ClosedRange<Value>) -> Value {
    // In this order of arguments both comparisons are false for a NaN, which keeps it.
    Swift.min(Swift.max(value, bounds.lowerBound), bounds.upperBound)
  }
}
