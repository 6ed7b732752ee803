import FaceKitKernels
import TestSupport
import Testing

/// One convolution, its operands, and the reference's answer.
struct ConvolutionCase: Sendable, CustomStringConvertible {
  var height = 9
  var width = 9
  var inputs = 16
  var outputs = 16
  var kernel = 1
  var stride = 1
  var padding = 0
  var dilation = 1
  /// Rows and columns of padding after the map that those before it do not have.
  var trailing = 0

  var description: String {
    "\(height)×\(width)×\(inputs) → \(outputs), kernel \(kernel), stride \(stride), "
      + "padding \(padding) + \(trailing), dilation \(dilation)"
  }

  func grid() -> WindowGrid {
    func extent(_ input: Int) -> Int {
      (input + 2 * padding + trailing - (kernel - 1) * dilation - 1) / stride + 1
    }
    return WindowGrid(
      input: (height, width), kernel: (kernel, kernel), stride: (stride, stride),
      dilation: (dilation, dilation), output: (extent(height), extent(width)),
      padding: (padding, padding))
  }

  /// Extents around the tiles of every tier, and windows that leave the map on all sides.
  static let dense: [ConvolutionCase] = {
    var all: [ConvolutionCase] = []
    for width in [1, 3, 4, 5, 8, 9, 13] {
      all.append(ConvolutionCase(height: 2, width: width))
    }
    // Rows that end within a tile.
    for width in 10...16 {
      for (inputs, outputs) in [(16, 8), (16, 16), (9, 16)] {
        all.append(
          ConvolutionCase(height: 1, width: width, inputs: inputs, outputs: outputs))
      }
    }
    for outputs in [1, 7, 8, 9, 16, 17, 24, 31, 32, 48, 56, 64, 72, 97, 128] {
      all.append(ConvolutionCase(height: 2, width: 9, outputs: outputs))
    }
    for inputs in [1, 3, 15, 17, 33, 64] {
      all.append(ConvolutionCase(height: 2, width: 9, inputs: inputs, outputs: 24))
    }
    for (kernel, stride, padding, dilation) in [
      (2, 2, 0, 1), (3, 1, 1, 1), (3, 2, 1, 1), (3, 2, 0, 1), (5, 2, 2, 1), (3, 1, 2, 2),
      (5, 1, 4, 1),
    ] {
      all.append(
        ConvolutionCase(
          inputs: 3, outputs: 24, kernel: kernel, stride: stride, padding: padding,
          dilation: dilation))
      all.append(
        ConvolutionCase(
          inputs: 20, outputs: 40, kernel: kernel, stride: stride, padding: padding,
          dilation: dilation))
    }
    return all
  }()

  static let depthwise: [ConvolutionCase] = {
    var all: [ConvolutionCase] = []
    for width in Array(1...10) + [15, 16, 17, 24] {
      for (kernel, inputs) in [(3, 16), (5, 16), (3, 8)] {
        all.append(
          ConvolutionCase(
            height: 3, width: width, inputs: inputs, kernel: kernel, padding: kernel / 2))
        // Padded as SAME pads an even extent at stride 2.
        all.append(
          ConvolutionCase(
            height: 4, width: 2 * width, inputs: inputs, kernel: kernel, stride: 2,
            padding: (kernel - 2) / 2, trailing: 1))
      }
    }
    for channels in [1, 8, 9, 16, 24, 33] {
      all.append(ConvolutionCase(inputs: channels, kernel: 3, padding: 1))
      all.append(ConvolutionCase(inputs: channels, kernel: 3, stride: 2, padding: 1))
    }
    for (kernel, stride, padding, dilation) in [
      (5, 1, 2, 1), (5, 2, 2, 1), (3, 1, 2, 2), (1, 1, 0, 1), (7, 1, 3, 1), (2, 2, 0, 1),
    ] {
      all.append(
        ConvolutionCase(
          height: 12, width: 12, inputs: 20, kernel: kernel, stride: stride, padding: padding,
          dilation: dilation))
    }
    return all
  }()
}

/// Maps in both layouts, with guard values behind them.
struct GuardedMap {
  let map: BlockedMap
  var blocked: [Float]
  static let guardValue: Float = 12_345.5
  static let guardCount = 64

  init(_ map: BlockedMap, filledWith values: [Float]? = nil) {
    self.map = map
    blocked = [Float](
      repeating: GuardedMap.guardValue, count: map.floatCount + GuardedMap.guardCount)
    if let values { map.pack(from: values, to: &blocked) }
  }

  var rowMajor: [Float] {
    var values = [Float](repeating: 0, count: map.height * map.width * map.channels)
    map.unpack(from: blocked, to: &values)
    return values
  }

  var guardsAreIntact: Bool {
    blocked.suffix(GuardedMap.guardCount).allSatisfy { $0 == GuardedMap.guardValue }
  }

  /// Lanes beyond the last channel must be zero wherever a map is stored.
  var paddingIsZero: Bool {
    for y in 0..<map.height {
      for x in 0..<map.width {
        for channel in map.channels..<(map.blocks * channelBlock) {
          let block = channel / channelBlock
          let index =
            y * map.rowStride + block * map.blockStride + x * channelBlock
            + channel % channelBlock
          if blocked[index] != 0 { return false }
        }
      }
    }
    return true
  }
}

/// Ranges of the post-activations, as closed formulas.
func activated(_ values: [Float], _ activation: Epilogue, _ slopes: [Float]) -> [Float] {
  values.enumerated().map { index, value in
    switch activation {
    case .none: value
    case .clamp(let low, let high): min(max(value, low), high)
    case .prelu: value >= 0 ? value : value * slopes[index % slopes.count]
    }
  }
}

@Suite("Blocked convolutions")
struct BlockedConvolutionTests {
  @Test(
    "a dense convolution agrees with the reference on every tier",
    arguments: InstructionSet.available, ConvolutionCase.dense)
  func dense(isa: InstructionSet, item: ConvolutionCase) {
    for (layout, activation) in [
      (ConvInput.blocked, Epilogue.prelu), (.rowMajor, .clamp(low: 0, high: 0.5)),
      (.blocked, .none),
    ] {
      check(isa, item, layout, activation, hasResidual: false)
      check(isa, item, layout, activation, hasResidual: true)
    }
  }

  @Test(
    "weights that are used once and fit half precision are packed in it, and the sums stay",
    arguments: InstructionSet.available, [1, 8, 20, 64, 136])
  func halfPrecisionWeights(isa: InstructionSet, outputs: Int) {
    let item = ConvolutionCase(height: 1, width: 1, inputs: 37, outputs: outputs)
    var random = LinearCongruentialGenerator(named: "half \(outputs)")
    // Eighths, a subnormal and both zeros: half precision holds them all.
    var weights = random.floats(outputs * item.inputs).map { ($0 * 64).rounded() / 8 }
    weights.replaceSubrange(0..<3, with: [0x1p-24, -0.0, -65504])
    let exact = convolution(item, weights, isa)
    check(isa, item, .blocked, .none, hasResidual: true, weights: weights)
    // One weight that needs more bits, and all are packed as they are.
    weights[5] = 1 + 0x1p-12
    let full = convolution(item, weights, isa)
    #expect(isa == .baseline || 2 * exact.weightBytes == full.weightBytes)
    check(isa, item, .blocked, .none, hasResidual: false, weights: weights)
    // Where weights are used twice, reading them is not all the time there is.
    let twice = convolution(
      ConvolutionCase(height: 2, width: 1, inputs: 37, outputs: outputs),
      [Float](repeating: 0, count: weights.count), isa)
    #expect(twice.weightBytes == full.weightBytes)
  }

  private func convolution(
    _ item: ConvolutionCase, _ weights: [Float], _ isa: InstructionSet
  ) -> BlockedConv2D {
    BlockedConv2D(
      channels: (item.inputs, item.outputs), window: item.grid(), layout: .blocked,
      weights: weights, bias: nil, slopes: nil, epilogue: .none, isa: isa)
  }

  private func check(
    _ isa: InstructionSet, _ item: ConvolutionCase, _ layout: ConvInput,
    _ activation: Epilogue, hasResidual: Bool, weights given: [Float]? = nil
  ) {
    var random = LinearCongruentialGenerator(named: "\(item)")
    let window = item.grid()
    let depth = item.kernel * item.kernel * item.inputs
    let input = random.floats(item.height * item.width * item.inputs)
    let weights = given ?? random.floats(item.outputs * depth)
    let bias = random.floats(item.outputs)
    let slopes = random.floats(item.outputs)
    let pixels = window.outputHeight * window.outputWidth

    var expected = [Float](repeating: 0, count: pixels * item.outputs)
    let shape = ConvolutionShape(
      batch: 1, inputChannels: item.inputs, outputChannels: item.outputs,
      filterChannels: item.inputs, window: window)
    Reference.conv2D(
      input: input, filter: weights, bias: bias, output: &expected, shape: shape,
      activation: -Float.infinity...Float.infinity)
    // A residual with fewer channels reaches only the first ones.
    let residualChannels = max(1, item.outputs / 2)
    let residual = random.floats(pixels * residualChannels)
    for pixel in 0..<(hasResidual ? pixels : 0) {
      for channel in 0..<residualChannels {
        expected[pixel * item.outputs + channel] += residual[pixel * residualChannels + channel]
      }
    }
    expected = activated(expected, activation, slopes)

    let conv = BlockedConv2D(
      channels: (item.inputs, item.outputs), window: window, layout: layout, weights: weights,
      bias: bias, slopes: slopes, epilogue: activation, isa: isa)
    let source = GuardedMap(conv.input, filledWith: input)
    let residualMap = BlockedMap(
      height: conv.output.height, width: conv.output.width, channels: residualChannels)
    let added = GuardedMap(residualMap, filledWith: residual)
    var result = GuardedMap(conv.output)
    var scratch = [UInt8](repeating: 0, count: conv.scratchBytes + 64)
    added.blocked.withUnsafeBufferPointer { added in
      scratch.withUnsafeMutableBytes { scratch in
        conv.run(
          rows: 0..<conv.output.height, from: layout == .blocked ? source.blocked : input,
          to: &result.blocked,
          residual: hasResidual ? (residualMap, added.baseAddress!) : nil,
          scratch: scratch.baseAddress!)
      }
    }
    let largest = Double(weights.map { abs($0) }.max() ?? 1)
    let bound = Tolerance.sum(
      terms: depth + 2, magnitude: Double(depth) * max(1, largest) + 2)
    let context = "\(isa.rawValue) \(layout) \(activation) \(item)"
    #expect(departure(of: result.rowMajor, from: expected, within: bound, context) == nil)
    #expect(result.guardsAreIntact, "\(context)")
    #expect(result.paddingIsZero, "\(context)")
  }

  @Test(
    "a depthwise convolution agrees with the reference on every tier",
    arguments: InstructionSet.available, ConvolutionCase.depthwise)
  func depthwise(isa: InstructionSet, item: ConvolutionCase) {
    var random = LinearCongruentialGenerator(named: "depthwise \(item)")
    let window = item.grid()
    let taps = item.kernel * item.kernel
    let input = random.floats(item.height * item.width * item.inputs)
    let weights = random.floats(taps * item.inputs)
    let bias = random.floats(item.inputs)
    let slopes = random.floats(item.inputs)
    var expected = [Float](
      repeating: 0, count: window.outputHeight * window.outputWidth * item.inputs)
    Reference.depthwiseConv2D(
      input: input, filter: weights, bias: bias, output: &expected,
      shape: ConvolutionShape(
        batch: 1, inputChannels: item.inputs, outputChannels: item.inputs, filterChannels: 1,
        window: window), activation: -Float.infinity...Float.infinity)
    for activation in [Epilogue.none, .clamp(low: -0.25, high: 0.5), .prelu] {
      let conv = BlockedDepthwise(
        channels: item.inputs, window: window, weights: weights, bias: bias, slopes: slopes,
        epilogue: activation, isa: isa)
      let source = GuardedMap(conv.input, filledWith: input)
      var result = GuardedMap(conv.output)
      var scratch = [UInt8](repeating: 0, count: conv.scratchBytes + 64)
      scratch.withUnsafeMutableBytes { scratch in
        conv.run(
          rows: 0..<conv.output.height, from: source.blocked, to: &result.blocked,
          scratch: scratch.baseAddress!)
      }
      let context = "\(isa.rawValue) \(activation) \(item)"
      #expect(
        departure(
          of: result.rowMajor, from: activated(expected, activation, slopes),
          within: .sum(terms: taps + 1, magnitude: Double(taps + 1)), context) == nil)
      #expect(result.guardsAreIntact, "\(context)")
      #expect(result.paddingIsZero, "\(context)")
    }
  }

  @Test("every tier gives the same bits whatever rows are computed together")
  func rowsAreIndependent() {
    var random = LinearCongruentialGenerator(named: "rows")
    let item = ConvolutionCase(height: 7, width: 9, inputs: 20, outputs: 24, kernel: 3, padding: 1)
    let input = random.floats(item.height * item.width * item.inputs)
    let weights = random.floats(item.outputs * 9 * item.inputs)
    for isa in InstructionSet.available {
      let conv = BlockedConv2D(
        channels: (item.inputs, item.outputs), window: item.grid(), layout: .blocked,
        weights: weights, bias: nil, slopes: nil, epilogue: .none, isa: isa)
      let source = GuardedMap(conv.input, filledWith: input)
      var whole = GuardedMap(conv.output)
      var parts = GuardedMap(conv.output)
      var scratch = [UInt8](repeating: 0, count: conv.scratchBytes + 64)
      scratch.withUnsafeMutableBytes { scratch in
        conv.run(
          rows: 0..<7, from: source.blocked, to: &whole.blocked, scratch: scratch.baseAddress!)
        for range in [4..<7, 0..<1, 1..<4] {
          conv.run(
            rows: range, from: source.blocked, to: &parts.blocked, scratch: scratch.baseAddress!)
        }
      }
      #expect(whole.blocked == parts.blocked, "\(isa.rawValue)")
    }
  }
}
