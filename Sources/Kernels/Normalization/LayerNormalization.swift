/// `(x − mean) / √(variance + ε) · γ` for each row.
///
/// - `input`, `output`: `rows` × `width`; may be the same.
/// - `scale`: γ, one for each column.
public func layerNormalization(
  rows: Int, width: Int, _ input: UnsafePointer<Float>, scale: UnsafePointer<Float>,
  epsilon: Float, _ output: UnsafeMutablePointer<Float>
) {
  // Sixteen partial sums, so that the compiler may add in vectors, and always in the same order.
  let lanes = 16
  for row in 0..<rows {
    let x = input + row * width
    let y = output + row * width
    var sums = SIMD16<Float>()
    var i = 0
    while i + lanes <= width {
      sums += UnsafeRawPointer(x + i).loadUnaligned(as: SIMD16<Float>.self)
      i += lanes
    }
    var total = sums.sum()
    while i < width {
      total += x[i]
      i += 1
    }
    let mean = total / Float(width)

    var squares = SIMD16<Float>()
    i = 0
    while i + lanes <= width {
      let difference = UnsafeRawPointer(x + i).loadUnaligned(as: SIMD16<Float>.self) - mean
      squares += difference * difference
      i += lanes
    }
    var variance = squares.sum()
    while i < width {
      variance += (x[i] - mean) * (x[i] - mean)
      i += 1
    }
    let factor = 1 / (variance / Float(width) + epsilon).squareRoot()
    for i in 0..<width { y[i] = (x[i] - mean) * factor * scale[i] }
  }
}
