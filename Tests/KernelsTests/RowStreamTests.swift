import FaceKitKernels
import TestSupport
import Testing

@Suite("Row streams")
struct RowStreamTests {
  /// Channels of the map and of the bottleneck, rows and columns.
  static let sizes = [
    (16, 8, 9, 9), (32, 16, 8, 12), (24, 24, 5, 7), (40, 20, 2, 2), (16, 16, 1, 1),
    // Few enough for narrow rows.
    (16, 5, 6, 20), (7, 8, 5, 16), (20, 3, 3, 4),
  ]

  struct Layers {
    var expand: BlockedConv2D
    var depthwise: BlockedDepthwise
    var project: BlockedConv2D

    init(_ size: (Int, Int, Int, Int), stride: Int = 1, isa: InstructionSet) {
      let (outer, inner, height, width) = size
      var random = LinearCongruentialGenerator(named: "stream \(size)")
      let (outHeight, outWidth) = ((height + stride - 1) / stride, (width + stride - 1) / stride)
      func pointwise(_ h: Int, _ w: Int) -> WindowGrid {
        WindowGrid(
          input: (h, w), kernel: (1, 1), stride: (1, 1), output: (h, w), padding: (0, 0))
      }
      expand = BlockedConv2D(
        channels: (outer, inner), window: pointwise(height, width), layout: .blocked,
        weights: random.floats(outer * inner), bias: random.floats(inner),
        slopes: random.floats(inner), epilogue: .prelu, isa: isa)
      depthwise = BlockedDepthwise(
        channels: inner,
        window: WindowGrid(
          input: (height, width), kernel: (3, 3), stride: (stride, stride),
          output: (outHeight, outWidth), padding: (1, 1)), weights: random.floats(9 * inner),
        bias: random.floats(inner), slopes: nil, epilogue: .none, isa: isa)
      project = BlockedConv2D(
        channels: (inner, outer), window: pointwise(outHeight, outWidth), layout: .blocked,
        weights: random.floats(inner * outer), bias: random.floats(outer),
        slopes: random.floats(outer), epilogue: .prelu, isa: isa)
    }

    /// Layer after layer, each with whole maps.
    func separate(_ input: [Float], residual: [Float]?) -> [Float] {
      var bottleneck = [Float](repeating: 0, count: expand.output.floatCount)
      var filtered = [Float](repeating: 0, count: depthwise.output.floatCount)
      var output = [Float](repeating: 0, count: project.output.floatCount)
      var scratch = [UInt8](repeating: 0, count: 4096)
      scratch.withUnsafeMutableBytes { scratch in
        let scratch = scratch.baseAddress!
        expand.run(rows: 0..<expand.output.height, from: input, to: &bottleneck, scratch: scratch)
        depthwise.run(
          rows: 0..<depthwise.output.height, from: bottleneck, to: &filtered, scratch: scratch)
        withOptional(residual) { residual in
          project.run(
            rows: 0..<project.output.height, from: filtered, to: &output,
            residual: residual.map { (project.output, $0) }, scratch: scratch)
        }
      }
      return output
    }
  }

  @Test("a stream gives the bits of its layers one after another", arguments: [1, 2])
  func equalsSeparateLayers(stride: Int) {
    for isa in InstructionSet.available {
      for size in RowStreamTests.sizes {
        let layers = Layers(size, stride: stride, isa: isa)
        let stream = RowStream(
          expand: layers.expand, depthwise: layers.depthwise, project: layers.project)
        let input = map(layers.expand.input, "input")
        let expected = layers.separate(input, residual: nil)
        var actual = [Float](repeating: 0, count: expected.count)
        run(stream, input, &actual, residual: nil, parts: 1)
        #expect(actual == expected, "\(isa.rawValue) \(size)")
        // Parts recompute the rows around their edges, and must come to the same bits.
        var inParts = [Float](repeating: 0, count: expected.count)
        run(stream, input, &inParts, residual: nil, parts: 3)
        #expect(inParts == expected, "\(isa.rawValue) \(size) in parts")
      }
    }
  }

  @Test("a stream may overwrite its input, the residual included")
  func inPlace() {
    for isa in InstructionSet.available {
      for size in RowStreamTests.sizes {
        let layers = Layers(size, isa: isa)
        let stream = RowStream(
          expand: layers.expand, depthwise: layers.depthwise, project: layers.project)
        #expect(stream.worksInPlace)
        let input = map(layers.expand.input, "in place")
        let expected = layers.separate(input, residual: input)
        var memory = input
        memory.withUnsafeMutableBufferPointer { memory in
          let base = memory.baseAddress!
          let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: stream.scratchBytes, alignment: 64)
          stream.run(
            rows: 0..<layers.project.output.height, from: base, to: base,
            residual: (layers.project.output, UnsafePointer(base)), scratch: scratch)
          scratch.deallocate()
        }
        #expect(memory == expected, "\(isa.rawValue) \(size)")
      }
    }
  }

  private func map(_ map: BlockedMap, _ name: String) -> [Float] {
    var random = LinearCongruentialGenerator(named: name)
    var blocked = [Float](repeating: 0, count: map.floatCount)
    map.pack(from: random.floats(map.height * map.width * map.channels), to: &blocked)
    return blocked
  }

  private func run(
    _ stream: RowStream, _ input: [Float], _ output: inout [Float], residual: [Float]?, parts: Int
  ) {
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: stream.scratchBytes, alignment: 64)
    defer { scratch.deallocate() }
    let height = stream.project.output.height
    for part in 0..<parts {
      stream.run(
        rows: rows(of: height, thread: part, threads: parts), from: input, to: &output,
        residual: nil, scratch: scratch)
    }
  }
}

/// The address of optional values.
private func withOptional(_ values: [Float]?, _ body: (UnsafePointer<Float>?) -> Void) {
  guard let values else { return body(nil) }
  values.withUnsafeBufferPointer { body($0.baseAddress) }
}
