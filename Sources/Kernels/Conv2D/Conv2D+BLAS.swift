/// conv2d and matrix products through BLAS, on row-major maps.
public struct BLASConv2D: Sendable {
  let shape: ConvolutionShape
  let bounds: ClosedRange<Float>
  let blas: BLAS

  /// `nil` for grouped convolutions, whose matrices are too small to be worth a call.
  public init?(shape: ConvolutionShape, activation: ClosedRange<Float>, blas: BLAS) {
    if shape.filterChannels != shape.inputChannels { return nil }
    self.shape = shape
    self.blas = blas
    bounds = activation
  }

  private var pixels: Int { shape.window.outputHeight * shape.window.outputWidth }
  private var depth: Int {
    shape.window.kernelHeight * shape.window.kernelWidth * shape.inputChannels
  }

  /// Bytes of the im2col matrix of one image; 0 for a 1×1 convolution, whose input is that matrix.
  public var scratchBytes: Int { shape.window.isPointwise ? 0 : pixels * depth * 4 }

  /// Computes all images.
  ///
  /// - `filter`: `[outputChannels, kernelHeight, kernelWidth, inputChannels]`.
  public func run(
    input: UnsafePointer<Float>, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer
  ) {
    for n in 0..<shape.batch {
      var columns = input + shape.input(n, 0, 0)
      if !shape.window.isPointwise {
        let matrix = scratch.assumingMemoryBound(to: Float.self)
        im2col(columns, matrix)
        columns = UnsafePointer(matrix)
      }
      BLASMatrixProduct(units: shape.outputChannels, depth: depth, activation: bounds, blas: blas)
        .run(
          rows: pixels, input: columns, weights: filter, bias: bias,
          output: output + shape.output(n, 0, 0))
    }
  }

  /// A row for each output pixel: its window, tap by tap, zeros outside the map.
  private func im2col(_ input: UnsafePointer<Float>, _ matrix: UnsafeMutablePointer<Float>) {
    let window = shape.window
    let channels = shape.inputChannels
    var row = matrix
    for i in 0..<window.outputHeight {
      for j in 0..<window.outputWidth {
        for ky in 0..<window.kernelHeight {
          let y = i * window.strideHeight - window.paddingTop + ky * window.dilationHeight
          for kx in 0..<window.kernelWidth {
            let x = j * window.strideWidth - window.paddingLeft + kx * window.dilationWidth
            if y < 0 || y >= window.inputHeight || x < 0 || x >= window.inputWidth {
              row.update(repeating: 0, count: channels)
            } else {
              row.update(from: input + (y * window.inputWidth + x) * channels, count: channels)
            }
            row += channels
          }
        }
      }
    }
  }
}

/// `y = act(x · wᵀ + b)` through BLAS.
public struct BLASMatrixProduct: Sendable {
  let units: Int
  let depth: Int
  let bounds: ClosedRange<Float>
  let blas: BLAS

  public init(units: Int, depth: Int, activation: ClosedRange<Float>, blas: BLAS) {
    self.units = units
    self.depth = depth
    self.blas = blas
    bounds = activation
  }

  /// - `weights`: `[units, depth]`, as TFLite has them.
  public func run(
    rows: Int, input: UnsafePointer<Float>, weights: UnsafePointer<Float>,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>
  ) {
    // The product is added to the bias, which saves a pass.
    for row in 0..<rows {
      if let bias {
        (output + row * units).update(from: bias, count: units)
      } else {
        (output + row * units).update(repeating: 0, count: units)
      }
    }
    blas.multiplyAdding(input, weights, into: output, m: rows, n: units, k: depth)
    if bounds.lowerBound == -.infinity && bounds.upperBound == .infinity { return }
    for i in 0..<(rows * units) {
      output[i] = min(max(output[i], bounds.lowerBound), bounds.upperBound)
    }
  }
}
