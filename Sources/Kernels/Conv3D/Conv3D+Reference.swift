/// One axis of a window: output `i` reads the input at `i · stride − padding + k · dilation`.
public struct WindowAxis: Sendable, Hashable {
  public var input, kernel, stride, dilation, output, padding: Int

  public init(input: Int, kernel: Int, stride: Int, dilation: Int, output: Int, padding: Int) {
    self.input = input
    self.kernel = kernel
    self.stride = stride
    self.dilation = dilation
    self.output = output
    self.padding = padding
  }

  /// Where tap `k` of output `i` reads; `nil` outside the input.
  @inline(__always)
  func place(_ i: Int, _ k: Int) -> Int? {
    let place = i * stride - padding + k * dilation
    return place >= 0 && place < input ? place : nil
  }
}

/// The extents of a 3-D convolution.
public struct Convolution3DShape: Sendable, Hashable {
  public var batch, inputChannels, outputChannels: Int
  public var depth, height, width: WindowAxis

  public init(
    batch: Int, inputChannels: Int, outputChannels: Int, depth: WindowAxis, height: WindowAxis,
    width: WindowAxis
  ) {
    self.batch = batch
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.depth = depth
    self.height = height
    self.width = width
  }
}

extension Reference {
  /// CONV_3D of `[batch, depth, height, width, channels]`.
  ///
  /// - `filter`: `[depth, height, width, inputChannels, outputChannels]` — unlike in two dimensions,
  ///   the output channel is innermost.
  public static func conv3D(
    input: UnsafePointer<Float>, filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, shape: Convolution3DShape, activation: ClosedRange<Float>
  ) {
    let (d, h, w) = (shape.depth, shape.height, shape.width)
    var target = output
    for n in 0..<shape.batch {
      for i in 0..<d.output * h.output * w.output {
        let (z, y, x) = (i / (h.output * w.output), i / w.output % h.output, i % w.output)
        for o in 0..<shape.outputChannels {
          var sum = 0.0
          for tap in 0..<d.kernel * h.kernel * w.kernel {
            let (kz, ky, kx) = (
              tap / (h.kernel * w.kernel), tap / w.kernel % h.kernel, tap % w.kernel
            )
            guard let iz = d.place(z, kz), let iy = h.place(y, ky), let ix = w.place(x, kx)
            else { continue }
            let pixel = ((n * d.input + iz) * h.input + iy) * w.input + ix
            for c in 0..<shape.inputChannels {
              let weight = filter[(tap * shape.inputChannels + c) * shape.outputChannels + o]
              sum += Double(input[pixel * shape.inputChannels + c]) * Double(weight)
            }
          }
          if let bias { sum += Double(bias[o]) }
          target[o] = clamp(Float(sum), activation)
        }
        target += shape.outputChannels
      }
    }
  }
}
