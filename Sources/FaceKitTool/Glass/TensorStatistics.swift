import FaceKitTensor

/// A tensor's values in a few numbers, and their histogram.
struct TensorStatistics: Equatable, Sendable {
  let count: Int
  let minimum: Float
  let maximum: Float
  let mean: Double
  let standardDeviation: Double
  /// Values that are exactly zero.
  let zeros: Int
  /// Values that are infinite or not a number; the other figures leave them out.
  let notFinite: Int
  /// Counts over equal intervals from minimum to maximum.
  let histogram: [Int]

  static let bins = 32

  /// `nil` if no value is finite.
  init?(_ values: [Float]) {
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

  var json: JSON {
    [
      "count": .integer(count), "min": .float(minimum), "max": .float(maximum),
      "mean": .double(mean), "std": .double(standardDeviation), "zeros": .integer(zeros),
      "notFinite": .integer(notFinite), "histogram": .array(histogram.map { .integer($0) }),
    ]
  }
}

extension Tensor {
  /// The values as single precision, dequantised where a scale is given; `nil` for types without
  /// numbers of a whole byte.
  func numbers(_ quantization: Quantization? = nil) -> [Float]? {
    let values: [Float]
    switch type {
    case .float32: return floats
    case .float16: return array(of: UInt16.self).map(Half.widen)
    case .float64: values = array(of: Double.self).map(Float.init)
    case .int8: values = array(of: Int8.self).map(Float.init)
    case .uint8, .bool: values = array(of: UInt8.self).map(Float.init)
    case .int16: values = array(of: Int16.self).map(Float.init)
    case .uint16: values = array(of: UInt16.self).map(Float.init)
    case .int32: values = array(of: Int32.self).map(Float.init)
    case .uint32: values = array(of: UInt32.self).map(Float.init)
    case .int64: values = array(of: Int64.self).map(Float.init)
    case .uint64: values = array(of: UInt64.self).map(Float.init)
    default: return nil
    }
    guard let quantization, quantization.isPerTensor else { return values }
    return values.map { ($0 - Float(quantization.zeroPoint)) * quantization.scale }
  }
}
