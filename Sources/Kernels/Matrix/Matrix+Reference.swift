extension Reference {
  /// FULLY_CONNECTED: `output[r, o] = act(Σ input[r, k] · weights[o, k] + bias[o])`.
  public static func fullyConnected(
    input: UnsafePointer<Float>, weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, rows: Int, depth: Int, units: Int,
    activation: ClosedRange<Float>
  ) {
    for row in 0..<rows {
      let x = input + row * depth
      for unit in 0..<units {
        let w = weights + unit * depth
        var sum = 0.0
        for k in 0..<depth { sum += Double(x[k]) * Double(w[k]) }
        if let bias { sum += Double(bias[unit]) }
        output[row * units + unit] = clamp(Float(sum), activation)
      }
    }
  }

  /// One matrix product `[rows, depth] · [depth, columns]`, either side stored transposed or not.
  public static func matrixProduct(
    _ a: UnsafePointer<Float>, isTransposed aTransposed: Bool, _ b: UnsafePointer<Float>,
    isTransposed bTransposed: Bool, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int,
    columns: Int
  ) {
    let (aRow, aStep) = aTransposed ? (1, rows) : (depth, 1)
    let (bColumn, bStep) = bTransposed ? (depth, 1) : (1, columns)
    for i in 0..<rows {
      for j in 0..<columns {
        var sum = 0.0
        for k in 0..<depth {
          sum += Double(a[i * aRow + k * aStep]) * Double(b[j * bColumn + k * bStep])
        }
        output[i * columns + j] = Float(sum)
      }
    }
  }

  /// BATCH_MATMUL: a matrix product for each pair of matrices. Loop operands count whole matrices.
  public static func batchMatrixProduct(
    _ a: UnsafePointer<Float>, isTransposed aTransposed: Bool, _ b: UnsafePointer<Float>,
    isTransposed bTransposed: Bool, output: UnsafeMutablePointer<Float>, rows: Int, depth: Int,
    columns: Int, loop: StridedLoop
  ) {
    let (count, step) = (loop.rowCount, loop.rowStrides)
    loop.forEachRow { first in
      for i in 0..<count {
        let matrix = first &+ step &* i
        matrixProduct(
          a + matrix[0] * rows * depth, isTransposed: aTransposed,
          b + matrix[1] * depth * columns, isTransposed: bTransposed,
          output: output + matrix[2] * rows * columns, rows: rows, depth: depth, columns: columns)
      }
    }
  }
}
