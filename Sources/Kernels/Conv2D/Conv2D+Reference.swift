/// The extents of a 2-D convolution.
public struct ConvolutionShape: Sendable, Hashable {
  public var batch: Int
  public var inputChannels: Int
  public var outputChannels: Int
  /// Input channels that each output channel reads: all of them, or those of its group.
  public var filterChannels: Int
  public var window: WindowGrid

  public init(
    batch: Int, inputChannels: Int, outputChannels: Int, filterChannels: Int,
    window: WindowGrid
  ) {
    self.batch = batch
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.filterChannels = filterChannels
    self.window = window
  }

  /// Output channels that share a group of input channels.
  var outputsPerGroup: Int { outputChannels / (inputChannels / filterChannels) }

  /// Index of channel 0 of an input pixel.
  @inline(__always)
  func input(_ n: Int, _ y: Int, _ x: Int) -> Int {
    ((n * window.inputHeight + y) * window.inputWidth + x) * inputChannels
  }

  /// Index of channel 0 of an output pixel.
  @inline(__always)
  func output(_ n: Int, _ y: Int, _ x: Int) -> Int {
    ((n * window.outputHeight + y) * window.outputWidth + x) * outputChannels
  }
}

extension Reference {
  /// CONV_2D: `output[n,i,j,o] = act(bias[o] + Σ input[n,y,x,g·Cf + c] · filter[o,ky,kx,c])`.
  ///
  /// - `filter`: `[outputChannels, kernelHeight, kernelWidth, filterChannels]`.
  /// - `bias`: One value for each output channel; `nil` for none.
  public static func conv2D(
    input: UnsafePointer<Float>, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, shape: ConvolutionShape,
    activation: ClosedRange<Float>
  ) {
    let window = shape.window
    let depth = shape.filterChannels
    for n in 0..<shape.batch {
      for i in 0..<window.outputHeight {
        for j in 0..<window.outputWidth {
          for o in 0..<shape.outputChannels {
            let firstChannel = o / shape.outputsPerGroup * depth
            var sum = 0.0
            window.forEachTap(row: i, column: j) { ky, kx, y, x in
              let pixel = input + shape.input(n, y, x) + firstChannel
              let taps = filter + ((o * window.kernelHeight + ky) * window.kernelWidth + kx) * depth
              for c in 0..<depth { sum += Double(pixel[c]) * Double(taps[c]) }
            }
            if let bias { sum += Double(bias[o]) }
            output[shape.output(n, i, j) + o] = clamp(Float(sum), activation)
          }
        }
      }
    }
  }
}
