import FaceKitTensor

/// What turns the integer sums of a quantised layer into its quantised output:
/// `clamp(sum · factor[o] + outputZero)`.
public struct Requantization: Sendable {
  /// Subtracted from every input and every weight.
  public var inputZero, filterZero: Int32
  public var outputZero: Int32
  /// `inputScale · filterScale / outputScale` for each output channel, or one for all.
  public var factors: [FixedPointFactor]
  public var activation: ClosedRange<Int>

  public init(
    inputZero: Int, filterZero: Int, outputZero: Int, factors: [FixedPointFactor],
    activation: ClosedRange<Int>
  ) {
    self.inputZero = Int32(inputZero)
    self.filterZero = Int32(filterZero)
    self.outputZero = Int32(outputZero)
    self.factors = factors
    self.activation = activation
  }

  @inline(__always)
  func factor(_ channel: Int) -> FixedPointFactor {
    factors.count == 1 ? factors[0] : factors[channel]
  }

  /// The output for a sum of 8-bit products.
  @inline(__always)
  public func callAsFunction(_ sum: Int32, channel: Int) -> Int {
    Reference.clamp(Int(factor(channel).multiply(sum)) + Int(outputZero), activation)
  }

  /// The output for a sum of 16-bit activations times 8-bit weights.
  @inline(__always)
  public func callAsFunction(wide sum: Int64, channel: Int) -> Int {
    Reference.clamp(Int(factor(channel).multiply(wide: sum)) + Int(outputZero), activation)
  }
}

/// The layers that share the arithmetic of `Reference.quantizedConvolution`.
public enum ConvolutionKind: Sendable, Hashable {
  case full, depthwise, transposed
}

/// Operands of a quantised convolution. Integers are of `inputType`; weights int8, or uint8 for uint8
/// inputs; the bias int32, or int64 for int16 inputs.
public struct QuantizedConvolutionOperands {
  public var input: UnsafeRawPointer
  public var filter: UnsafeRawPointer
  public var bias: UnsafeRawPointer?
  /// Whether the bias is int64.
  public var wideBias: Bool
  public var output: UnsafeMutableRawPointer
  public var inputType: ElementType

  public init(
    input: UnsafeRawPointer, filter: UnsafeRawPointer, bias: UnsafeRawPointer?, wideBias: Bool,
    output: UnsafeMutableRawPointer, inputType: ElementType
  ) {
    self.input = input
    self.filter = filter
    self.bias = bias
    self.wideBias = wideBias
    self.output = output
    self.inputType = inputType
  }

  @inline(__always)
  func bias(_ channel: Int) -> Int64 {
    guard let bias else { return 0 }
    return wideBias
      ? bias.load(fromByteOffset: channel * 8, as: Int64.self)
      : Int64(bias.load(fromByteOffset: channel * 4, as: Int32.self))
  }
}

extension Reference {
  /// CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV on integers:
  /// `acc = bias[o] + Σ (x − inputZero)(w − filterZero)`, then ``Requantization``. Padding counts as
  /// `inputZero`, that is, not at all.
  public static func quantizedConvolution(
    _ operands: QuantizedConvolutionOperands, kind: ConvolutionKind, shape: ConvolutionShape,
    requantization: Requantization
  ) {
    switch operands.inputType {
    case .int8: run(operands, kind, shape, requantization, Int8.self, Int8.self)
    case .uint8: run(operands, kind, shape, requantization, UInt8.self, UInt8.self)
    default: run(operands, kind, shape, requantization, Int16.self, Int8.self)
    }
  }

  private static func run<Input: FixedWidthInteger, Weight: FixedWidthInteger>(
    _ operands: QuantizedConvolutionOperands, _ kind: ConvolutionKind, _ shape: ConvolutionShape,
    _ requantization: Requantization, _: Input.Type, _: Weight.Type
  ) {
    let input = operands.input.assumingMemoryBound(to: Input.self)
    let filter = operands.filter.assumingMemoryBound(to: Weight.self)
    let output = operands.output.assumingMemoryBound(to: Input.self)
    let (zx, zw) = (Int64(requantization.inputZero), Int64(requantization.filterZero))
    // The maps the outputs lie on: a transposed convolution fills its window's input.
    let window = shape.window
    let isTransposed = kind == .transposed
    let height = isTransposed ? window.inputHeight : window.outputHeight
    let width = isTransposed ? window.inputWidth : window.outputWidth
    let depth = kind == .full ? shape.filterChannels : shape.inputChannels
    var index = 0
    for n in 0..<shape.batch {
      for i in 0..<height {
        for j in 0..<width {
          for o in 0..<shape.outputChannels {
            var sum = operands.bias(o)
            func add(_ x: UnsafePointer<Input>, _ w: UnsafePointer<Weight>, _ count: Int) {
              for c in 0..<count { sum &+= (Int64(x[c]) - zx) * (Int64(w[c]) - zw) }
            }
            func tap(_ ky: Int, _ kx: Int) -> Int { ky * window.kernelWidth + kx }
            let taps = window.kernelHeight * window.kernelWidth
            switch kind {
            case .full:
              let first = o / shape.outputsPerGroup * depth
              window.forEachTap(row: i, column: j) { ky, kx, y, x in
                add(
                  input + shape.input(n, y, x) + first,
                  filter + (o * taps + tap(ky, kx)) * depth, depth)
              }
            case .depthwise:
              let channel = o / (shape.outputChannels / shape.inputChannels)
              window.forEachTap(row: i, column: j) { ky, kx, y, x in
                add(
                  input + shape.input(n, y, x) + channel,
                  filter + tap(ky, kx) * shape.outputChannels + o, 1)
              }
            case .transposed:
              window.forEachSource(row: i, column: j) { ky, kx, y, x in
                let pixel = (n * window.outputHeight + y) * window.outputWidth + x
                add(input + pixel * depth, filter + (o * taps + tap(ky, kx)) * depth, depth)
              }
            }
            let value =
              Input.bitWidth == 16
              ? requantization(wide: sum, channel: o)
              : requantization(Int32(truncatingIfNeeded: sum), channel: o)
            output[index] = Input(truncatingIfNeeded: value)
            index += 1
          }
        }
      }
    }
  }
}
