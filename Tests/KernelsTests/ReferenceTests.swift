import Foundation
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitKernels

/// The reference kernels against results worked out by hand, and against properties that a wrong
/// index or a wrong border would break.
@Suite("Reference kernels")
struct ReferenceTests {
  static func grid(
    input: (Int, Int), kernel: (Int, Int), stride: (Int, Int) = (1, 1),
    dilation: (Int, Int) = (1, 1), output: (Int, Int), padding: (Int, Int) = (0, 0)
  ) -> WindowGrid {
    WindowGrid(
      input: input, kernel: kernel, stride: stride, dilation: dilation, output: output,
      padding: padding)
  }

  @Test("a 2×2 convolution with a border, by hand")
  func convolution() {
    // A 3×3 image of 1…9, padded by one row and column in front.
    let shape = ConvolutionShape(
      batch: 1, inputChannels: 1, outputChannels: 2, filterChannels: 1,
      window: Self.grid(input: (3, 3), kernel: (2, 2), output: (3, 3), padding: (1, 1)))
    let image = (1...9).map(Float.init)
    var output = [Float](repeating: .nan, count: 18)
    Reference.conv2D(
      input: image, filter: [1, 10, 100, 1000, 0, 0, 0, -1], bias: [0.5, 0], output: &output,
      shape: shape, activation: -4...10_000)
    let first = stride(from: 0, to: 18, by: 2).map { output[$0] }
    // Top left sees 1 under its last tap alone; the last output sees 5, 6, 8, 9.
    #expect(first == [1000.5, 2100.5, 3200.5, 4010.5, 5421.5, 6532.5, 7040.5, 8754.5, 9865.5])
    let second = stride(from: 1, to: 18, by: 2).map { output[$0] }
    #expect(second == [-1, -2, -3, -4, -4, -4, -4, -4, -4])
  }

  @Test("groups and depth multipliers read their own channels")
  func groups() {
    let window = Self.grid(input: (1, 1), kernel: (1, 1), output: (1, 1))
    var output = [Float](repeating: .nan, count: 4)
    Reference.conv2D(
      input: [1, 10, 100, 1000], filter: [1, 1, 1, 2, 3, 1, 0, 1], bias: nil, output: &output,
      shape: ConvolutionShape(
        batch: 1, inputChannels: 4, outputChannels: 4, filterChannels: 2, window: window),
      activation: -Float.infinity...Float.infinity)
    #expect(output == [11, 21, 1300, 1000])
    Reference.depthwiseConv2D(
      input: [1, 10], filter: [1, 2, 3, 4], bias: nil, output: &output,
      shape: ConvolutionShape(
        batch: 1, inputChannels: 2, outputChannels: 4, filterChannels: 1, window: window),
      activation: -Float.infinity...Float.infinity)
    #expect(output == [1, 2, 30, 40])
  }

  @Test("a transposed convolution is the adjoint: ⟨conv x, y⟩ = ⟨x, convᵀ y⟩")
  func adjoint() {
    var random = LinearCongruentialGenerator(named: "adjoint")
    for (stride, padding) in [(1, 1), (2, 0), (2, 1), (3, 1)] {
      let window = Self.grid(
        input: (7, 9), kernel: (3, 3), stride: (stride, stride),
        output: ((7 + 2 * padding - 3) / stride + 1, (9 + 2 * padding - 3) / stride + 1),
        padding: (padding, padding))
      let forward = ConvolutionShape(
        batch: 2, inputChannels: 3, outputChannels: 4, filterChannels: 3, window: window)
      var backward = forward
      (backward.inputChannels, backward.outputChannels) = (4, 3)
      let x = random.floats(2 * 7 * 9 * 3)
      let y = random.floats(2 * window.outputHeight * window.outputWidth * 4)
      let filter = random.floats(4 * 9 * 3)
      // [4, taps, 3] becomes [3, taps, 4].
      var turned = [Float](repeating: 0, count: filter.count)
      for o in 0..<4 {
        for tap in 0..<9 {
          for c in 0..<3 { turned[(c * 9 + tap) * 4 + o] = filter[(o * 9 + tap) * 3 + c] }
        }
      }
      let unbounded = -Float.infinity...Float.infinity
      var convolved = [Float](repeating: .nan, count: y.count)
      Reference.conv2D(
        input: x, filter: filter, bias: nil, output: &convolved, shape: forward,
        activation: unbounded)
      var transposed = [Float](repeating: .nan, count: x.count)
      Reference.transposeConv2D(
        input: y, filter: turned, bias: nil, output: &transposed, shape: backward,
        activation: unbounded)
      let left = zip(convolved, y).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      let right = zip(x, transposed).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(left - right) < 1e-4, "stride \(stride), padding \(padding)")
    }
  }

  @Test("padding counts neither in an average nor as a maximum")
  func pools() {
    let shape = PoolShape(
      batch: 1, channels: 1,
      window: Self.grid(
        input: (2, 2), kernel: (2, 2), output: (2, 2), padding: (0, 0)))
    let image: [Float] = [-1, -2, -3, -6]
    var output = [Float](repeating: .nan, count: 4)
    let unbounded = -Float.infinity...Float.infinity
    Reference.averagePool(input: image, output: &output, shape: shape, activation: unbounded)
    #expect(output == [-3, -4, -4.5, -6])
    Reference.maxPool(input: image, output: &output, shape: shape, activation: unbounded)
    #expect(output == [-1, -2, -3, -6])
    Reference.l2Pool(input: image, output: &output, shape: shape, activation: unbounded)
    #expect(output[3] == 6)
  }

  @Test("strided loops visit every element once, in every operand")
  func stridedLoop() {
    for extents in [[], [1], [3], [2, 3, 4], [2, 1, 3], [0, 3], [2, 3, 1, 2, 2]] {
      let strides = rowMajor(extents)
      let turned = rowMajor(extents.reversed()).reversed()
      let loop = StridedLoop(extents: extents, strides: [strides, [Int](turned)])
      var first: [Int] = []
      var second = Set<Int>()
      loop.forEachRow { row in
        for i in 0..<loop.rowCount {
          let place = row &+ loop.rowStrides &* i
          first.append(place[0])
          second.insert(place[1])
        }
      }
      let count = extents.reduce(1, *)
      #expect(first == [Int](0..<count), "\(extents)")
      #expect(second == Set(0..<count), "\(extents)")
    }
    // A contiguous operand is one row, whatever its rank.
    #expect(StridedLoop(extents: [2, 3, 4], strides: [[12, 4, 1]]).rowCount == 24)
  }

  private func rowMajor(_ extents: some Collection<Int>) -> [Int] {
    Shape([Int](extents)).strides
  }

  @Test("elements of every width move", arguments: [1, 2, 4, 8, 16])
  func copies(width: Int) {
    let source = (0..<UInt8(6 * width)).map { $0 }
    var turned = [UInt8](repeating: 255, count: source.count)
    var back = turned
    // [2, 3] to [3, 2] and back.
    Reference.copy(
      StridedCopy(extents: [3, 2], source: [1, 3], destination: [2, 1], width: width),
      from: source, to: &turned)
    Reference.copy(
      StridedCopy(extents: [2, 3], source: [1, 2], destination: [3, 1], width: width),
      from: turned, to: &back)
    #expect(back == source)
    #expect(turned[width] == UInt8(3 * width))
  }

  @Test("a fixed-point factor is the real one to 2⁻³¹, and rounds as TensorFlow Lite does")
  func fixedPoint() {
    for value in [1.0, 0.5, 0.75, 1e-3, 3.7e-7, 1.999999999, 123.456, 0x1p-33, 0] {
      let factor = FixedPointFactor(value)
      let stored = Double(factor.multiplier) * Foundation.pow(2, Double(factor.shift - 31))
      #expect(abs(stored - value) <= value * 0x1p-31 + 0x1p-33, "\(value)")
    }
    let half = FixedPointFactor(0.5)
    // The product rounds halves up, the shift away from zero.
    #expect([-3, -2, -1, 0, 1, 2, 3].map { half.multiply($0) } == [-1, -1, 0, 0, 1, 1, 2])
    let shifted = [-3, -2, -1, 0, 1, 2, 3].map { FixedPointFactor.roundingShift($0, by: 1) }
    #expect(shifted == [-2, -1, -1, 0, 1, 1, 2])
    var random = LinearCongruentialGenerator(named: "fixed point")
    for _ in 0..<2000 {
      let x = Int32(random.int(-1_000_000, 1_000_000))
      let value = Double(random.float(0.0001, 0.99))
      let exact = Double(x) * value
      // Two roundings: at most one unit.
      #expect(abs(Double(FixedPointFactor(value).multiply(x)) - exact) <= 1)
    }
    #expect(FixedPointFactor.doublingHighMultiply(.min, .min) == .max)
  }

  @Test("floor and rounding agree with the C library, signs of zero included")
  func rounding() {
    var values: [Float] = [
      0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999997, -0.49999997, 8_388_607.5, 8_388_609,
      -8_388_607.5, 1e30, -1e30, .infinity, -.infinity, 0.9999999,
    ]
    var random = LinearCongruentialGenerator(named: "rounding")
    values += random.floats(1000, -100, 100)
    for x in values {
      for (ours, theirs) in [
        (Reference.floor(x), Foundation.floor(x)),
        (Reference.roundHalfToEven(x), x.rounded(.toNearestOrEven)),
        (Reference.roundHalfAway(x), x.rounded(.toNearestOrAwayFromZero)),
        (UnaryFunction.ceil(x), Foundation.ceil(x)),
      ] {
        #expect(ours == theirs && ours.sign == theirs.sign, "\(x): \(ours), not \(theirs)")
      }
    }
    #expect(Reference.floor(.nan).isNaN && Reference.roundHalfAway(.nan).isNaN)
  }

  @Test("functions said to keep zero do")
  func keepsZero() {
    let functions: [UnaryFunction] = [
      .clamp(0...6), .clamp(1...2), .leakyRelu(slope: 0.1), .elu, .gelu, .geluTanh, .hardSwish,
      .logistic, .tanh, .exp, .log, .sin, .cos, .sqrt, .rsqrt, .square, .negate, .absolute, .sign,
      .floor, .ceil, .round,
    ]
    for function in functions { #expect(function.keepsZero == (function(0) == 0), "\(function)") }
  }

  @Test("clamps keep NaN")
  func clampsKeepNaN() {
    #expect(UnaryFunction.clamp(0...6)(.nan).isNaN)
    #expect(UnaryFunction.clamp(0...6)(9) == 6 && UnaryFunction.clamp(0...6)(-9) == 0)
  }

  @Test("remainders have the divisor's sign and are exact")
  func floorModulo() {
    let loop = StridedLoop(extents: [6], strides: [[1], [1], [1]])
    var output = [Float](repeating: .nan, count: 6)
    Reference.binary(
      .floorModulo, [7, -7, 7, -7, 1e30, 6], [3, 3, -3, -3, 7, 2], output: &output, loop: loop,
      activation: -Float.infinity...Float.infinity)
    let large = Float(Foundation.fmod(Double(Float(1e30)), 7))
    #expect(output == [1, 2, -2, -1, large, 0])
  }

  @Test("integer division by zero is reported, the most negative quotient wraps")
  func integerDivision() {
    let loop = StridedLoop(extents: [2], strides: [[1], [1], [1]])
    var output: [Int32] = [9, 9]
    let whole = Int.min...Int.max
    func divide(_ a: [Int32], _ b: [Int32], _ function: BinaryFunction) -> Bool {
      Reference.binary(
        function, integers: .int32, a, b, output: &output, loop: loop, activation: whole)
    }
    #expect(!divide([1, 2], [1, 0], .divide))
    #expect(divide([.min, -7], [-1, 2], .divide) && output == [.min, -3])
    #expect(divide([-7, 7], [2, -2], .floorDivide) && output == [-4, -4])
    #expect(divide([-7, 7], [2, -2], .floorModulo) && output == [1, -1])
  }

  @Test("soft-max rows sum to 1 and do not mind a common offset")
  func softmax() {
    let input: [Float] = [1, 2, 3, 1001, 1002, 1003]
    var output = [Float](repeating: .nan, count: 6)
    Reference.softmax(input: input, output: &output, rows: 2, depth: 3, beta: 1)
    #expect(output[0...2].elementsEqual(output[3...5]))
    #expect(abs(output[0...2].reduce(0, +) - 1) < 1e-6)
    Reference.logSoftmax(input: input, output: &output, rows: 2, depth: 3)
    #expect(abs(output[2] + 0.40760597) < 1e-6)
  }

  @Test("a reduction folds the axes it is told to")
  func reductions() {
    let input = (0..<24).map(Float.init)
    for axes in [
      [true, false, false], [false, true, false], [true, false, true], [true, true, true],
    ] {
      let reduction = Reduction(extents: [2, 3, 4], isFolded: axes)
      let kept = zip([2, 3, 4], axes).map { $1 ? 1 : $0 }
      var expected = [Float](repeating: 0, count: kept.reduce(1, *))
      for i in 0..<2 {
        for j in 0..<3 {
          for k in 0..<4 {
            let place =
              ((axes[0] ? 0 : i) * kept[1] + (axes[1] ? 0 : j)) * kept[2] + (axes[2] ? 0 : k)
            expected[place] += input[(i * 3 + j) * 4 + k]
          }
        }
      }
      var output = [Float](repeating: .nan, count: expected.count)
      Reference.reduce(.sum, input: input, output: &output, reduction: reduction)
      #expect(output == expected, "\(axes)")
    }
  }

  @Test("of equal elements the first is the top and the argument")
  func ties() {
    let input: [Float] = [1, 5, 3, 5, 5, 0]
    var values = [Float](repeating: .nan, count: 4)
    var indices = [Int32](repeating: -1, count: 4)
    #expect(
      Reference.topK(
        type: .float32, input: input, values: &values, indices: &indices, rows: 1, count: 6, k: 4))
    #expect(values == [5, 5, 5, 3] && indices == [1, 3, 4, 2])
    var place: [Int32] = [-1]
    #expect(
      Reference.argument(
        isMaximum: true, type: .float32, input: input, output: &place, outputType: .int32,
        outer: 1, count: 6, inner: 1))
    #expect(place == [1])
  }

  @Test("the k largest are the head of the sorted row", arguments: [1, 2, 5, 16, 40])
  func topK(k: Int) {
    var random = LinearCongruentialGenerator(named: "top \(k)")
    // Few distinct values, so that ties abound.
    let input = (0..<80).map { _ in Int32(random.int(0, 9)) }
    var (values, indices) = (
      [Int32](repeating: -1, count: 2 * k), [Int32](repeating: -1, count: 2 * k)
    )
    #expect(
      Reference.topK(
        type: .int32, input: input, values: &values, indices: &indices, rows: 2, count: 40, k: k))
    for row in 0..<2 {
      let sorted = (0..<40).sorted { (input[40 * row + $0], $1) > (input[40 * row + $1], $0) }
      #expect(indices[(row * k)..<(row * k + k)].elementsEqual(sorted[..<k].map(Int32.init)))
    }
  }

  @Test("top-k of NaN gives indices that exist")
  func topOfNaN() {
    var values = [Float](repeating: 0, count: 3)
    var indices = [Int32](repeating: -1, count: 3)
    _ = Reference.topK(
      type: .float32, input: [Float.nan, .nan, .nan], values: &values, indices: &indices, rows: 1,
      count: 3, k: 3)
    #expect(indices.allSatisfy { 0 <= $0 && $0 < 3 })
  }

  @Test("an index outside its tensor is reported, not followed")
  func gatherOutOfRange() {
    let shape = GatherShape(batch: 1, outer: 1, extent: 3, indices: 1, blockBytes: 4)
    var output: [Float] = [0]
    for index in [Int32(-1), 3, .max, .min] {
      #expect(
        !Reference.gather(
          shape, input: [Float(1), 2, 3], indices: [index], type: .int32, output: &output))
    }
    #expect(
      Reference.gather(
        shape, input: [Float(1), 2, 3], indices: [Int32(2)], type: .int32, output: &output))
    #expect(output == [3])
  }

  @Test("casts truncate, saturate, and turn NaN into 0")
  func casts() {
    let input: [Float] = [1.9, -1.9, 300, -300, .nan, .infinity]
    var bytes = [UInt8](repeating: 9, count: 6)
    #expect(Reference.cast(from: .float32, input, to: .uint8, &bytes, count: 6))
    #expect(bytes == [1, 0, 255, 0, 0, 255])
    var wide = [Int64](repeating: 9, count: 6)
    #expect(Reference.cast(from: .float32, input, to: .int64, &wide, count: 6))
    #expect(wide == [1, -1, 300, -300, 0, .max])
    let truths: [Float] = [0, -0.0, 2, -2, .nan, 1]
    var truth = [UInt8](repeating: 9, count: 6)
    #expect(Reference.cast(from: .float32, truths, to: .bool, &truth, count: 6))
    #expect(truth == [0, 0, 1, 1, 1, 1])
    #expect(!Reference.cast(from: .string, input, to: .uint8, &bytes, count: 1))
  }

  @Test("resizing to the same extents copies")
  func resizeIdentity() {
    var random = LinearCongruentialGenerator(named: "resize")
    let image = random.floats(5 * 4 * 3)
    for (align, half) in [(false, false), (true, false), (false, true)] {
      let axis = { (n: Int) in
        ResizeAxis(input: n, output: n, alignCorners: align, halfPixelCenters: half)
      }
      var output = [Float](repeating: .nan, count: image.count)
      Reference.resizeBilinear(
        input: image, output: &output, batch: 1, channels: 3, vertical: axis(5),
        horizontal: axis(4))
      #expect(output == image)
      Reference.resizeNearest(
        input: image, output: &output, batch: 1, pixelBytes: 12, vertical: axis(5),
        horizontal: axis(4))
      #expect(output == image)
    }
  }

  @Test("half-pixel centres put the first sample a quarter before the first pixel")
  func resizePlaces() {
    let half = ResizeAxis(input: 4, output: 8, alignCorners: false, halfPixelCenters: true)
    // Clamped at the border, where both neighbours are the same pixel.
    #expect(half.bilinear(0).low == 0 && half.bilinear(0).high == 0)
    #expect(half.bilinear(1) == (0, 1, 0.25))
    #expect(half.bilinear(7).low == 3 && half.bilinear(7).high == 3)
    let corners = ResizeAxis(input: 4, output: 7, alignCorners: true, halfPixelCenters: false)
    #expect(corners.bilinear(6) == (3, 3, 0) && corners.bilinear(3) == (1, 2, 0.5))
  }

  @Test("the identity transform samples every pixel at its centre")
  func transformIdentity() {
    let image = (0..<24).map(Float.init)
    let identity: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    var output = [Float](repeating: .nan, count: 24)
    Reference.transformBilinear(
      input: image, height: 3, width: 4, channels: 2, transform: identity, output: &output,
      outputHeight: 3, outputWidth: 4)
    #expect(output == image)
    var shifted = identity
    shifted[3] = 1
    Reference.transformBilinear(
      input: image, height: 3, width: 4, channels: 2, transform: shifted, output: &output,
      outputHeight: 3, outputWidth: 4)
    // One pixel to the left, and nothing beyond the edge.
    #expect(output[0...1].elementsEqual(image[2...3]) && output[6...7].elementsEqual([0, 0]))
  }

  @Test("a frame around landmarks maps its corners to their turned box")
  func landmarkFrame() {
    // A square of side 2 around (10, 20), its lower edge level: no rotation.
    let landmarks: [Float] = [9, 21, 0, 11, 21, 0, 9, 19, 0, 11, 19, 0]
    let framing = LandmarkFraming(
      leftIndex: 0, rightIndex: 1, targetAngle: 0, outputHeight: 16, outputWidth: 16, scaleX: 1,
      scaleY: 1, subset: [0, 1, 2, 3])
    var transform = [Float](repeating: .nan, count: 16)
    Reference.landmarksToTransform(landmarks: landmarks, framing: framing, transform: &transform)
    var corners = [Float](repeating: .nan, count: 4)
    Reference.transformLandmarks(
      landmarks: [0, 0, 16, 16], transform: transform, output: &corners, count: 2, dimensions: 2)
    #expect(zip(corners, [9, 19, 11, 21]).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test("a max-unpool puts back what its pool took")
  func unpool() {
    let shape = PoolShape(
      batch: 1, channels: 1,
      window: Self.grid(input: (4, 4), kernel: (2, 2), stride: (2, 2), output: (2, 2)))
    let image: [Float] = [1, 2, 3, 4, 8, 7, 6, 5, 0, 9, 0, 0, 0, 0, 0, 3]
    var (maxima, places) = ([Float](repeating: 0, count: 4), [Float](repeating: 0, count: 4))
    Reference.maxPoolWithArgument(
      input: image, output: &maxima, places: &places, shape: shape,
      activation: -Float.infinity...Float.infinity)
    #expect(maxima == [8, 6, 9, 3] && places.map { Int($0) } == [2, 2, 1, 3])
    var output = [Float](repeating: .nan, count: 16)
    Reference.maxUnpool(input: maxima, places: places, output: &output, shape: shape)
    #expect(output == [0, 0, 0, 0, 8, 0, 6, 0, 0, 9, 0, 0, 0, 0, 0, 3])
    // Places that are no places are dropped.
    Reference.maxUnpool(
      input: maxima, places: [.nan, -1, 1e9, 0], output: &output, shape: shape)
    #expect(output.reduce(0, +) == 3)
  }
}
