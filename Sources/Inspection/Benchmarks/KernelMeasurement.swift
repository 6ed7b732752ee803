import ToolSupport

/// A case computed one way.
package struct KernelMeasurement: Equatable {
  package let key: String
  package let variant: String
  package let minimumUs: Double
  package let medianUs: Double
  package let operations: Int
  /// Largest difference from the reference, as a share of the reference's largest value.
  package let error: Double
  package let isCorrect: Bool
  /// Of the machine, for this variant's instructions.
  package let peakGflops: Double

  package var gflops: Double { minimumUs > 0 ? Double(operations) / (minimumUs * 1000) : 0 }
  package var peakShare: Double { gflops / peakGflops }

  package func json(what: String, models: [String], ratios: (reference: Double?, blas: Double?))
    -> JSON
  {
    .object([
      "what": .string(what), "kernel": .string(key), "variant": .string(variant),
      "minUs": .double(minimumUs), "medianUs": .double(medianUs), "gflops": .double(gflops),
      "peakShare": .double(peakShare), "error": .double(error), "correct": .bool(isCorrect),
      "timesReference": ratios.reference.map { .double($0) },
      "timesBLAS": ratios.blas.map { .double($0) },
      "models": .array(models.map { .string($0) }),
    ])
  }

  /// One line for a person.
  package func text(ratios: (reference: Double?, blas: Double?), verdict: BaselineVerdict?)
    -> String
  {
    var line = "  " + Formatting.left(variant, 10)
    guard isCorrect else {
      return line + "WRONG: off by \(error) of the largest value; not timed"
    }
    line += Formatting.right(Formatting.fixed(minimumUs, 1), 9) + " µs"
    if operations > 0 {
      line += Formatting.right(Formatting.fixed(gflops, 1), 8) + " GFLOP/s"
      line += Formatting.right(Formatting.fixed(100 * peakShare, 0), 5) + " % of peak"
    }
    if variant != "reference", let ratio = ratios.reference {
      line += Formatting.right(Formatting.fixed(ratio, 1), 8) + "× reference"
    }
    if variant != "blas", variant != "reference", let ratio = ratios.blas {
      line += Formatting.right(Formatting.fixed(ratio, 2), 7) + "× BLAS"
    }
    if let verdict {
      line +=
        "  \(verdict.kind.rawValue) (\(Formatting.fixed(verdict.ratio, 2))×, noise "
        + "\(Formatting.fixed(100 * verdict.noise, 0)) %)"
    }
    return line
  }

  /// How many times as fast as the reference and BLAS this variant is, among measurements of one case.
  package func ratios(
    among all: [KernelMeasurement]
  ) -> (reference: Double?, blas: Double?) {
    func ratio(_ name: String) -> Double? {
      guard let other = all.first(where: { $0.variant == name }), minimumUs > 0,
        other.minimumUs > 0
      else { return nil }
      return other.minimumUs / minimumUs
    }
    return (ratio("reference"), ratio("blas"))
  }
}
