import FaceKitKernels
import TestSupport
import Testing

@Suite("Element-wise and pooling kernels")
struct ElementwiseKernelTests {
  @Test("addition with a clamp is exact on every tier", arguments: [1, 15, 16, 17, 64, 101])
  func addition(count: Int) {
    var random = LinearCongruentialGenerator(named: "add \(count)")
    let (a, b) = (random.floats(count), random.floats(count))
    let expected = zip(a, b).map { min(max($0 + $1, 0), 0.75) }
    for isa in InstructionSet.available {
      var output = [Float](repeating: 7, count: count + 16)
      ElementwiseMap(operation: .add, epilogue: .clamp(low: 0, high: 0.75), isa: isa)
        .run(count: count, a, b, &output)
      #expect(Array(output.prefix(count)) == expected, "\(isa.rawValue)")
      #expect(output.suffix(16).allSatisfy { $0 == 7 }, "\(isa.rawValue) wrote beyond its end")
    }
  }

  @Test("PReLU multiplies negatives by their channel's slope, in both layouts")
  func prelu() {
    var random = LinearCongruentialGenerator(named: "prelu")
    let map = BlockedMap(height: 3, width: 5, channels: 20)
    let values = random.floats(3 * 5 * 20)
    let slopes = random.floats(20)
    let expected = activated(values, .prelu, slopes)
    for isa in InstructionSet.available {
      let kernel = ElementwiseMap(operation: .copy, epilogue: .prelu, isa: isa)
      var rowMajor = [Float](repeating: 0, count: values.count)
      kernel.runRowMajor(
        count: values.count, channels: 20, values, values, &rowMajor, slopes: slopes)
      #expect(rowMajor == expected)
      let source = GuardedMap(map, filledWith: values)
      var result = GuardedMap(map)
      kernel.runBlocked(
        map, rows: 3, source.blocked, source.blocked, &result.blocked,
        slopes: slopes + [Float](repeating: 0, count: 12))
      #expect(result.rowMajor == expected, "\(isa.rawValue)")
    }
  }

  @Test(
    "max pooling clips its window to the map",
    arguments: [(2, 2, 0), (3, 2, 1), (3, 1, 1), (2, 1, 0)])
  func maxPool(kernel: Int, stride: Int, padding: Int) {
    var random = LinearCongruentialGenerator(named: "pool")
    var item = ConvolutionCase(height: 7, width: 9, inputs: 20, kernel: kernel)
    item.stride = stride
    item.padding = padding
    let window = item.grid()
    let input = random.floats(7 * 9 * 20)
    var expected = [Float](repeating: 0, count: window.outputHeight * window.outputWidth * 20)
    Reference.maxPool(
      input: input, output: &expected,
      shape: PoolShape(batch: 1, channels: 20, window: window),
      activation: -Float.infinity...Float.infinity)
    for isa in InstructionSet.available {
      let pool = BlockedPool(
        channels: 20, window: window, bounds: -Float.infinity...Float.infinity, isa: isa)
      let source = GuardedMap(pool.input, filledWith: input)
      var result = GuardedMap(pool.output)
      var scratch = [UInt8](repeating: 0, count: pool.scratchBytes + 64)
      scratch.withUnsafeMutableBytes { scratch in
        pool.run(
          rows: 0..<pool.output.height, from: source.blocked, to: &result.blocked,
          scratch: scratch.baseAddress!)
      }
      #expect(result.rowMajor == expected, "\(isa.rawValue)")
      #expect(result.guardsAreIntact)
    }
  }
}
