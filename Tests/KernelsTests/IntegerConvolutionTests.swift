import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitKernels

/// Integer convolutions against the reference: not one bit may differ.
@Suite("Integer convolution")
struct IntegerConvolutionTests {
  /// Operands of one case, values over the whole range of their type.
  struct Operands {
    let shape: ConvolutionShape
    let type: ElementType
    let input: [UInt8]
    let filter: [UInt8]
    let bias: [Int32]
    let requantization: Requantization

    init(
      _ example: ConvolutionCase, type: ElementType, zeros: (input: Int, filter: Int),
      isDepthwise: Bool = false
    ) {
      var generator = LinearCongruentialGenerator(named: "\(example) \(type.name) \(zeros)")
      let grid = example.grid()
      let outputs = isDepthwise ? example.inputs : example.outputs
      shape = ConvolutionShape(
        batch: 2, inputChannels: example.inputs, outputChannels: outputs,
        filterChannels: isDepthwise ? 1 : example.inputs, window: grid)
      self.type = type
      func bytes(_ count: Int) -> [UInt8] {
        generator.ints(count, 0, 255).map { UInt8($0) }
      }
      input = bytes(2 * example.height * example.width * example.inputs)
      let depth = example.kernel * example.kernel * (isDepthwise ? 1 : example.inputs)
      var filter = bytes(outputs * depth)
      // The extremes, where 16 bits would saturate: −128 and 127, or 0 and 255.
      for k in 0..<depth { filter[k] = type == .int8 ? 0x80 : 0xFF }
      self.filter = filter
      bias = generator.ints(outputs, -100_000, 100_000).map { Int32($0) }
      let factors = (0..<outputs).map { _ in
        FixedPointFactor(Double(generator.float(0.5, 1.5)) / Double(200 * depth))
      }
      requantization = Requantization(
        inputZero: zeros.input, filterZero: zeros.filter, outputZero: type == .int8 ? 3 : 120,
        factors: factors, activation: type == .int8 ? -120...127 : 2...255)
    }

    func depthwise() -> [UInt8] {
      run { input, filter, bias, output in
        let conv = IntegerDepthwise(
          shape: shape, inputType: type, constants: .init(filter: filter, bias: bias),
          requantization: requantization)!
        let scratch = Storage(count: conv.scratchBytes)
        conv.run(rows: 0..<conv.rows, from: input, to: output, scratch: scratch.base)
      }
    }

    func reference(_ kind: ConvolutionKind = .full) -> [UInt8] {
      run { input, filter, bias, output in
        Reference.quantizedConvolution(
          QuantizedConvolutionOperands(
            input: input, filter: filter, bias: UnsafeRawPointer(bias), wideBias: false,
            output: output, inputType: type),
          kind: kind, shape: shape, requantization: requantization)
      }
    }

    /// The answer, and what the weights were packed as.
    func dots(_ isa: InstructionSet, features: CPUFeatures) throws -> ([UInt8], IntegerFactors) {
      var factors: IntegerFactors?
      let output = run { input, filter, bias, output in
        guard
          let conv = IntegerConv2D(
            shape: shape, inputType: type, constants: .init(filter: filter, bias: bias),
            requantization: requantization, isa: isa, features: features)
        else { return }
        factors = conv.factors
        let scratch = Storage(count: conv.scratchBytes)
        scratch.base.initializeMemory(as: UInt8.self, repeating: 0xAA, count: conv.scratchBytes)
        conv.run(rows: 0..<conv.rows, from: input, to: output, scratch: scratch.base)
      }
      return (output, try #require(factors))
    }

    private func run(
      _ body: (
        UnsafeRawPointer, UnsafeRawPointer, UnsafePointer<Int32>, UnsafeMutableRawPointer
      ) -> Void
    ) -> [UInt8] {
      let window = shape.window
      var output = [UInt8](
        repeating: 0x55,
        count: shape.batch * window.outputHeight * window.outputWidth * shape.outputChannels)
      input.withUnsafeBytes { input in
        filter.withUnsafeBytes { filter in
          bias.withUnsafeBufferPointer { bias in
            output.withUnsafeMutableBytes { output in
              body(
                input.baseAddress!, filter.baseAddress!, bias.baseAddress!, output.baseAddress!)
            }
          }
        }
      }
      return output
    }
  }

  @Test("int8 is the reference bit for bit, in both formats", arguments: InstructionSet.available)
  func int8(isa: InstructionSet) throws {
    for example in ConvolutionCase.dense {
      for zero in [-128, -5, 127] {
        let operands = Operands(example, type: .int8, zeros: (zero, 0))
        let expected = operands.reference()
        for features in [CPUFeatures.current, isa.requires] {
          let (actual, factors) = try operands.dots(isa, features: features)
          #expect(actual == expected, "\(example), \(isa), zero \(zero), \(factors)")
          let multipliesBytes = isa.rawValue == "avx512" && features.contains(.avx512VNNI)
          #expect(factors == (multipliesBytes ? .u8i8 : .i16))
        }
      }
    }
  }

  @Test(
    "uint8, with zero points on both sides, is the reference bit for bit",
    arguments: InstructionSet.available)
  func uint8(isa: InstructionSet) throws {
    for example in ConvolutionCase.dense {
      for zeros in [(0, 0), (128, 130), (255, 255)] {
        let operands = Operands(example, type: .uint8, zeros: zeros)
        let (actual, _) = try operands.dots(isa, features: .current)
        #expect(actual == operands.reference(), "\(example), \(isa), zeros \(zeros)")
      }
    }
  }

  @Test("depthwise is the reference bit for bit", arguments: [ElementType.int8, .uint8])
  func depthwise(type: ElementType) {
    for example in ConvolutionCase.depthwise {
      let operands = Operands(
        example, type: type, zeros: type == .int8 ? (-128, 0) : (7, 130), isDepthwise: true)
      #expect(operands.depthwise() == operands.reference(.depthwise), "\(example)")
    }
  }

  @Test(
    "shapes whose packed weights, patches or sums would be out of proportion are declined",
    arguments: [(1, 1 << 20, 1), (17, 1 << 15, 32), (1 << 15, 1, 32), (1 << 19, 1, 1)])
  func declined(outputs: Int, depth: Int, width: Int) {
    let window = WindowGrid(
      input: (1, width), kernel: (1, 1), stride: (1, 1), output: (1, width), padding: (0, 0))
    let shape = ConvolutionShape(
      batch: 1, inputChannels: depth, outputChannels: outputs, filterChannels: depth,
      window: window)
    let filter = [UInt8](repeating: 1, count: outputs * depth)
    let requantization = Requantization(
      inputZero: 0, filterZero: 0, outputZero: 0, factors: [FixedPointFactor(1)],
      activation: -128...127)
    filter.withUnsafeBytes { bytes in
      let conv = IntegerConv2D(
        shape: shape, inputType: .int8,
        constants: .init(filter: bytes.baseAddress!, bias: nil), requantization: requantization,
        isa: .baseline)
      #expect(conv == nil)
    }
  }
}
