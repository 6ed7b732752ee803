import FaceKitTensor

extension Reference {
  /// SOFTMAX of each row: `exp(β (x − max)) / Σ`.
  public static func softmax(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int,
    beta: Float
  ) {
    forEachRow(input, output, rows, depth) { x, y in
      let largest = maximum(x, depth)
      var sum = 0.0
      for i in 0..<depth { sum += Elementary.exp(Double(beta) * (Double(x[i]) - largest)) }
      for i in 0..<depth {
        y[i] = Float(Elementary.exp(Double(beta) * (Double(x[i]) - largest)) / sum)
      }
    }
  }

  /// LOG_SOFTMAX of each row: `x − max − ln Σ exp(x − max)`.
  public static func logSoftmax(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int
  ) {
    forEachRow(input, output, rows, depth) { x, y in
      let largest = maximum(x, depth)
      var sum = 0.0
      for i in 0..<depth { sum += Elementary.exp(Double(x[i]) - largest) }
      let logarithm = Elementary.log(sum)
      for i in 0..<depth { y[i] = Float(Double(x[i]) - largest - logarithm) }
    }
  }

  /// L2_NORMALIZATION of each row: `x / max(√Σx², 10⁻⁶)`.
  public static func l2Normalize(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int
  ) {
    forEachRow(input, output, rows, depth) { x, y in
      var sum = 0.0
      for i in 0..<depth { sum += Double(x[i]) * Double(x[i]) }
      let norm = Swift.max(sum.squareRoot(), 1e-6)
      for i in 0..<depth { y[i] = Float(Double(x[i]) / norm) }
    }
  }

  /// LOCAL_RESPONSE_NORMALIZATION along the channels: `x · (bias + α Σx²)^(−β)`, the sum over channels
  /// `c − radius ..< c + radius`. That the upper end is excluded is TensorFlow Lite's habit.
  public static func localResponseNormalize(
    input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int,
    radius: Int, bias: Float, alpha: Float, beta: Float
  ) {
    forEachRow(input, output, rows, depth) { x, y in
      for c in 0..<depth {
        var sum = 0.0
        for k in Swift.max(0, c - radius)..<Swift.max(0, Swift.min(depth, c + radius)) {
          sum += Double(x[k]) * Double(x[k])
        }
        let base = Double(bias) + Double(alpha) * sum
        y[c] = Float(Double(x[c]) * Elementary.pow(base, -Double(beta)))
      }
    }
  }

  @inline(__always)
  private static func forEachRow(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ rows: Int,
    _ depth: Int, _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    for row in 0..<rows { body(input + row * depth, output + row * depth) }
  }

  private static func maximum(_ x: UnsafePointer<Float>, _ count: Int) -> Double {
    var largest = -Double.infinity
    for i in 0..<count where Double(x[i]) > largest { largest = Double(x[i]) }
    return largest
  }
}

extension Reference {
  /// SOFTMAX of int8 or uint8 rows: `e_c = exponentials[max − q_c]`, and the output is
  /// `round(e_c / (Σe · outputScale)) + outputZero`.
  ///
  /// - `exponentials`: `exp(−scale · β · d)` for the 256 distances d from a row's maximum.
  public static func quantizedSoftmax(
    type: ElementType, input: UnsafeRawPointer, output: UnsafeMutableRawPointer, rows: Int,
    depth: Int, exponentials: [Float], outputScale: Float, outputZero: Int
  ) {
    for row in 0..<rows {
      let first = row * depth
      var largest = Int.min
      for c in 0..<depth { largest = Swift.max(largest, integer(input, type, first + c) ?? 0) }
      var sum: Float = 0
      for c in 0..<depth { sum += exponentials[largest - (integer(input, type, first + c) ?? 0)] }
      let inverse = 1 / (sum * outputScale)
      for c in 0..<depth {
        let e = exponentials[largest - (integer(input, type, first + c) ?? 0)]
        store(Int(roundHalfAway(e * inverse)) + outputZero, output, type, first + c)
      }
    }
  }
}
