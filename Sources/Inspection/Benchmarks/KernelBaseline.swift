import FaceKitModels
import ToolSupport

/// The measurements of an earlier `facekit bench kernels --json`.
package struct KernelBaseline {
  private let times: [String: (minimum: Double, median: Double)]

  /// - Throws: ``ToolError`` if a line of the file is no measurement.
  package init(_ path: String) throws(ToolError) {
    let bytes: [UInt8]
    do throws(ModelError) {
      bytes = try MappedFile.open(path).array(of: UInt8.self)
    } catch {
      throw ToolError(error, in: path)
    }
    var times: [String: (minimum: Double, median: Double)] = [:]
    for (number, line) in bytes.split(separator: 0x0A).enumerated() {
      guard let entry = try? JSON(parsing: line), let key = entry["kernel"]?.string,
        let variant = entry["variant"]?.string, let minimum = entry["minUs"]?.number,
        let median = entry["medianUs"]?.number
      else {
        throw ToolError(
          "baseline", "this is no measurement", at: "\(path), line \(number + 1)",
          advice: "give the output of `facekit bench kernels --json`")
      }
      times[variant + " " + key] = (minimum, median)
    }
    self.times = times
  }

  /// How a measurement compares with the earlier one; `nil` where there is none.
  package func verdict(of one: KernelMeasurement) -> BaselineVerdict? {
    // The reference is no candidate, and its few rounds would not tell noise from change.
    guard one.variant != "reference", one.minimumUs > 0,
      let old = times[one.variant + " " + one.key]
    else { return nil }
    return BaselineVerdict(old: old, new: (one.minimumUs, one.medianUs))
  }
}

/// Two measurements of one kernel, at two commits.
package struct BaselineVerdict: Equatable {
  package enum Kind: String { case faster, slower, same }

  package let kind: Kind
  /// Old time over new: above 1 is faster.
  package let ratio: Double
  /// What the measurements themselves vary by; a smaller change says nothing.
  package let noise: Double

  /// Compares fastest runs. How far the medians lie above them says how restless the machine was.
  package init(old: (minimum: Double, median: Double), new: (minimum: Double, median: Double)) {
    func spread(_ time: (minimum: Double, median: Double)) -> Double {
      time.minimum > 0 ? time.median / time.minimum - 1 : 0
    }
    noise = max(0.03, min(0.5, max(spread(old), spread(new))))
    ratio = new.minimum > 0 ? old.minimum / new.minimum : 1
    kind = ratio > 1 + noise ? .faster : ratio < 1 / (1 + noise) ? .slower : .same
  }

  package var json: JSON {
    [
      "baselineRatio": .double(ratio), "noise": .double(noise), "verdict": .string(kind.rawValue),
    ]
  }
}
