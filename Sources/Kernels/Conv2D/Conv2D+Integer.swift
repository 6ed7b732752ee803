import FaceKitTensor

/// conv2d on 8-bit integers through dot products, bit for bit what `Reference.quantizedConvolution`
/// gives: the same sums modulo 2³² and the same requantisation.
///
/// Each output pixel's window is gathered into a patch, a patch is multiplied with packed weights. Two
/// formats of both:
/// - `IntegerFactors.i16`: `x − inputZero` and `w − filterZero`, for every instruction set;
/// - `IntegerFactors.u8i8`: `x + 128` and `w`, where weights have no zero point and the processor
///   multiplies bytes; what the offset adds to a sum is taken off the bias.
public struct IntegerConv2D: Sendable {
  /// Operands that do not change from run to run.
  public struct Constants {
    /// OHWI weights, int8 or uint8 as the input.
    public var filter: UnsafeRawPointer
    /// One for each output channel; `nil` for zeros.
    public var bias: UnsafePointer<Int32>?

    public init(filter: UnsafeRawPointer, bias: UnsafePointer<Int32>?) {
      self.filter = filter
      self.bias = bias
    }
  }

  let shape: ConvolutionShape
  let requantization: Requantization
  let isSigned: Bool
  let factors: IntegerFactors
  let kernel: Microkernels.Kernel<IntegerGEMMArguments>
  /// Weights, then the bias; written in `init` and never again.
  private let storage: Storage
  private let biasOffset: Int
  private let panels: Int
  private let depth: Int
  private let groups: Int

  /// Pixels whose patches are gathered before they are multiplied: enough for the largest tile, few
  /// enough to stay in the first-level cache.
  private static let chunk = 32
  /// Packed weights may take this many bytes more than four times the file's, because a filter of one
  /// channel is padded to sixteen; and a thread's patches and sums may take this many each. Beyond lie
  /// only shapes made to exhaust memory.
  private static let allowance = 1 << 20

  /// Packs the weights; `nil` where these kernels do not apply: groups, 16-bit activations, or a filter
  /// whose packed form is out of proportion.
  ///
  /// - `features`: what kernels may require beyond the instruction set itself; tests leave some out.
  public init?(
    shape: ConvolutionShape, inputType: ElementType, constants: Constants,
    requantization: Requantization, isa: InstructionSet,
    features: CPUFeatures = .current
  ) {
    guard inputType == .int8 || inputType == .uint8, shape.filterChannels == shape.inputChannels
    else { return nil }
    self.shape = shape
    self.requantization = requantization
    isSigned = inputType == .int8
    depth = shape.window.kernelHeight * shape.window.kernelWidth * shape.inputChannels
    panels = (shape.outputChannels + integerPanelWidth - 1) / integerPanelWidth
    let takesBytes = isSigned && requantization.filterZero == 0
    let kernels = Microkernels.running(isa).integerGEMM
    guard
      let chosen = kernels.first(where: {
        features.isSuperset(of: $0.requires) && ($0.factors == .i16 || takesBytes)
      })
    else { return nil }
    (factors, kernel) = (chosen.factors, chosen.kernel)
    groups = (depth + factors.valuesInGroup - 1) / factors.valuesInGroup
    biasOffset = panels * groups * integerPanelWidth * 4
    let chunk = min(Self.chunk, shape.window.outputWidth)
    guard biasOffset <= 4 * shape.outputChannels * depth + Self.allowance,
      chunk * groups * 4 <= Self.allowance, chunk * panels * integerPanelWidth * 4 <= Self.allowance
    else { return nil }
    storage = Storage(count: biasOffset + panels * integerPanelWidth * 4)
    pack(constants)
  }

  /// Whether these kernels take a convolution of 8-bit values in either format: no groups, and packed
  /// weights, patches and sums in proportion to what the file holds.
  public static func takes(_ shape: ConvolutionShape) -> Bool {
    let depth = shape.window.kernelHeight * shape.window.kernelWidth * shape.inputChannels
    let panels = (shape.outputChannels + integerPanelWidth - 1) / integerPanelWidth
    // 16-bit values take the most memory.
    let groups = (depth + 1) / 2
    let chunk = min(Self.chunk, shape.window.outputWidth)
    return shape.filterChannels == shape.inputChannels
      && panels * groups * integerPanelWidth * 4 <= 4 * shape.outputChannels * depth + allowance
      && chunk * groups * 4 <= allowance && chunk * panels * integerPanelWidth * 4 <= allowance
  }

  private func pack(_ constants: Constants) {
    let bias = (storage.base + biasOffset).assumingMemoryBound(to: Int32.self)
    let words = storage.base.assumingMemoryBound(to: Int16.self)
    let bytes = storage.base.assumingMemoryBound(to: Int8.self)
    let zero = requantization.filterZero
    let offset = requantization.inputZero &+ 128
    for o in 0..<shape.outputChannels {
      let lane = o % integerPanelWidth
      let panel = o / integerPanelWidth * groups * integerPanelWidth
      var sum: Int32 = 0
      for k in 0..<depth {
        let value =
          isSigned
          ? Int32(constants.filter.load(fromByteOffset: o * depth + k, as: Int8.self))
          : Int32(constants.filter.load(fromByteOffset: o * depth + k, as: UInt8.self))
        let size = factors.valuesInGroup
        let index = (panel + k / size * integerPanelWidth + lane) * size + k % size
        switch factors {
        case .i16: words[index] = Int16(truncatingIfNeeded: value &- zero)
        case .u8i8: bytes[index] = Int8(truncatingIfNeeded: value)
        }
        sum &+= value
      }
      bias[o] = constants.bias?[o] ?? 0
      if factors == .u8i8 { bias[o] &-= offset &* sum }
    }
  }

  /// Output rows of all images together.
  public var rows: Int { shape.batch * shape.window.outputHeight }

  /// Multiply–accumulates of all images.
  public var multiplyAccumulates: Int {
    rows * shape.window.outputWidth * shape.outputChannels * depth
  }

  private var chunk: Int { min(Self.chunk, shape.window.outputWidth) }
  private var patchBytes: Int { (chunk * groups * 4 + 63) & ~63 }

  /// Working memory of one thread.
  public var scratchBytes: Int { patchBytes + chunk * panels * integerPanelWidth * 4 }

  /// Computes output rows `rows`, counted through all images.
  public func run(
    rows: Range<Int>, from input: UnsafeRawPointer, to output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    let width = shape.window.outputWidth
    let sums = (scratch + patchBytes).assumingMemoryBound(to: Int32.self)
    var call = IntegerGEMMArguments(
      patches: UnsafePointer(scratch.assumingMemoryBound(to: Int32.self)), pixels: 0,
      groups: groups, weights: UnsafePointer(storage.base.assumingMemoryBound(to: Int32.self)),
      panels: panels,
      bias: UnsafePointer((storage.base + biasOffset).assumingMemoryBound(to: Int32.self)),
      output: sums)
    for row in rows {
      let (n, i) = (row / shape.window.outputHeight, row % shape.window.outputHeight)
      let target = output + row * width * shape.outputChannels
      var x = 0
      while x < width {
        call.pixels = min(chunk, width - x)
        for pixel in 0..<call.pixels {
          let patch = scratch + pixel * groups * 4
          switch (factors, isSigned) {
          case (.u8i8, _): gatherBytes(input, n, i, x + pixel, patch)
          case (.i16, true): gatherWords(input, n, i, x + pixel, patch, Int8.self)
          case (.i16, false): gatherWords(input, n, i, x + pixel, patch, UInt8.self)
          }
        }
        kernel(&call)
        store(sums, call.pixels, target + x * shape.outputChannels)
        x += call.pixels
      }
    }
  }

  /// One patch of `x + 128`; outside the image lies `inputZero`.
  private func gatherBytes(
    _ input: UnsafeRawPointer, _ n: Int, _ i: Int, _ j: Int, _ patch: UnsafeMutableRawPointer
  ) {
    let target = patch.assumingMemoryBound(to: UInt8.self)
    let outside = UInt8(truncatingIfNeeded: requantization.inputZero &+ 128)
    forEachRun(n, i, j) { start, source, count in
      if let source {
        let from = (input + source).assumingMemoryBound(to: UInt8.self)
        let target = target + start
        for c in 0..<count { target[c] = from[c] ^ 0x80 }
      } else {
        (target + start).update(repeating: outside, count: count)
      }
    }
    for k in depth..<(groups * 4) { target[k] = 0 }
  }

  /// One patch of `x − inputZero`; outside the image lies 0.
  @inline(__always)
  private func gatherWords<Input: FixedWidthInteger>(
    _ input: UnsafeRawPointer, _ n: Int, _ i: Int, _ j: Int, _ patch: UnsafeMutableRawPointer,
    _: Input.Type
  ) {
    let target = patch.assumingMemoryBound(to: Int16.self)
    let zero = Int16(truncatingIfNeeded: requantization.inputZero)
    forEachRun(n, i, j) { start, source, count in
      if let source {
        let from = (input + source).assumingMemoryBound(to: Input.self)
        let target = target + start
        for c in 0..<count { target[c] = Int16(truncatingIfNeeded: from[c]) &- zero }
      } else {
        (target + start).update(repeating: 0, count: count)
      }
    }
    for k in depth..<(groups * 2) { target[k] = 0 }
  }

  /// Calls `body` for each run of contiguous values in a patch: where it starts there, where in the
  /// input (`nil`: outside the image), and how long it is.
  @inline(__always)
  private func forEachRun(
    _ n: Int, _ i: Int, _ j: Int, _ body: (_ start: Int, _ source: Int?, _ count: Int) -> Void
  ) {
    let window = shape.window
    let channels = shape.inputChannels
    let left = j * window.strideWidth - window.paddingLeft
    // A kernel row that lies in the image is one run.
    let isRun =
      window.dilationWidth == 1 && left >= 0 && left + window.kernelWidth <= window.inputWidth
    for ky in 0..<window.kernelHeight {
      let y = i * window.strideHeight - window.paddingTop + ky * window.dilationHeight
      let start = ky * window.kernelWidth * channels
      if y < 0 || y >= window.inputHeight {
        body(start, nil, window.kernelWidth * channels)
      } else if isRun {
        body(start, shape.input(n, y, left), window.kernelWidth * channels)
      } else {
        for kx in 0..<window.kernelWidth {
          let x = left + kx * window.dilationWidth
          let isInside = x >= 0 && x < window.inputWidth
          body(start + kx * channels, isInside ? shape.input(n, y, x) : nil, channels)
        }
      }
    }
  }

  private func store(
    _ sums: UnsafePointer<Int32>, _ pixels: Int, _ target: UnsafeMutableRawPointer
  ) {
    let bytes = target.assumingMemoryBound(to: UInt8.self)
    for pixel in 0..<pixels {
      let sums = sums + pixel * panels * integerPanelWidth
      let bytes = bytes + pixel * shape.outputChannels
      for o in 0..<shape.outputChannels {
        bytes[o] = UInt8(truncatingIfNeeded: requantization(sums[o], channel: o))
      }
    }
  }
}
