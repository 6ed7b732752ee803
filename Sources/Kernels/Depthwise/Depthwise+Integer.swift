import FaceKitTensor

/// Depthwise conv2d on 8-bit integers, bit for bit what `Reference.quantizedConvolution` gives.
///
/// All channels of a pixel are summed side by side, so that the compiler makes vector code of the loop;
/// it is the same on every tier.
public struct IntegerDepthwise: Sendable {
  let shape: ConvolutionShape
  let requantization: Requantization
  let isSigned: Bool
  /// `w − filterZero` as 16-bit values, `[tap][channel]`, then the bias; written in `init` only.
  private let storage: Storage
  private let biasOffset: Int

  private var channels: Int { shape.outputChannels }

  /// Widens the weights; `nil` for 16-bit activations and channel multipliers.
  ///
  /// - `constants`: 1HWO weights, int8 or uint8 as the input.
  public init?(
    shape: ConvolutionShape, inputType: ElementType, constants: IntegerConv2D.Constants,
    requantization: Requantization
  ) {
    guard inputType == .int8 || inputType == .uint8, shape.inputChannels == shape.outputChannels
    else { return nil }
    self.shape = shape
    self.requantization = requantization
    isSigned = inputType == .int8
    let count = shape.window.kernelHeight * shape.window.kernelWidth * shape.outputChannels
    biasOffset = (count * 2 + 63) & ~63
    storage = Storage(count: biasOffset + shape.outputChannels * 4)
    let weights = storage.base.assumingMemoryBound(to: Int16.self)
    for k in 0..<count {
      let value =
        isSigned
        ? Int32(constants.filter.load(fromByteOffset: k, as: Int8.self))
        : Int32(constants.filter.load(fromByteOffset: k, as: UInt8.self))
      weights[k] = Int16(truncatingIfNeeded: value &- requantization.filterZero)
    }
    if let bias = constants.bias {
      let target = (storage.base + biasOffset).assumingMemoryBound(to: Int32.self)
      for o in 0..<shape.outputChannels { target[o] = bias[o] }
    }
  }

  /// Output rows of all images together.
  public var rows: Int { shape.batch * shape.window.outputHeight }

  /// Multiply–accumulates of all images.
  public var multiplyAccumulates: Int {
    rows * shape.window.outputWidth * channels * shape.window.kernelHeight
      * shape.window.kernelWidth
  }

  /// Working memory of one thread: the sums of a pixel.
  public var scratchBytes: Int { channels * 4 }

  /// Computes output rows `rows`, counted through all images.
  public func run(
    rows: Range<Int>, from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    if isSigned {
      run(rows, input.assumingMemoryBound(to: Int8.self), output, scratch)
    } else {
      run(rows, input.assumingMemoryBound(to: UInt8.self), output, scratch)
    }
  }

  @inline(__always)
  private func run<Input: FixedWidthInteger>(
    _ rows: Range<Int>, _ input: UnsafePointer<Input>, _ output: UnsafeMutableRawPointer,
    _ scratch: UnsafeMutableRawPointer
  ) {
    let window = shape.window
    let (channels, zero) = (channels, Int16(truncatingIfNeeded: requantization.inputZero))
    let sums = scratch.assumingMemoryBound(to: Int32.self)
    let weights = UnsafePointer(storage.base.assumingMemoryBound(to: Int16.self))
    let bias = (storage.base + biasOffset).assumingMemoryBound(to: Int32.self)
    for row in rows {
      let (n, i) = (row / window.outputHeight, row % window.outputHeight)
      for j in 0..<window.outputWidth {
        sums.update(from: bias, count: channels)
        window.forEachTap(row: i, column: j) { ky, kx, y, x in
          let pixel = input + shape.input(n, y, x)
          let tap = weights + (ky * window.kernelWidth + kx) * channels
          for c in 0..<channels {
            let value = Int16(truncatingIfNeeded: pixel[c]) &- zero
            sums[c] &+= Int32(value) &* Int32(tap[c])
          }
        }
        let target = (output + shape.output(n, i, j)).assumingMemoryBound(to: UInt8.self)
        for c in 0..<channels {
          target[c] = UInt8(truncatingIfNeeded: requantization(sums[c], channel: c))
        }
      }
    }
  }
}
