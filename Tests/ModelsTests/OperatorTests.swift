import FaceKitKernels
import FaceKitTensor
import TestSupport
import Testing

@testable import FaceKitModels

/// One operator on given tensors, without a file around it.
enum Bench {
  static func graph(
    _ operation: AnyOperator, _ inputs: [Tensor?], quantizations: [Quantization?] = [],
    outputs: [(ElementType, Quantization?)]
  ) -> Graph {
    var values: [Graph.Value] = []
    var indices: [Int?] = []
    for (index, tensor) in inputs.enumerated() {
      guard let tensor else {
        indices.append(nil)
        continue
      }
      indices.append(values.count)
      values.append(
        Graph.Value(
          name: "input\(index)", type: tensor.type, shape: tensor.shape,
          quantization: index < quantizations.count ? quantizations[index] : nil,
          constant: tensor.data))
    }
    let first = values.count
    for (type, quantization) in outputs {
      values.append(
        Graph.Value(name: "output", type: type, shape: .scalar, quantization: quantization))
    }
    let results = [Int](first..<values.count)
    return Graph(
      values: values,
      nodes: [Graph.Node(operation, inputs: indices, outputs: results, sources: [0])], inputs: [],
      outputs: results)
  }

  static func run(
    _ kind: some Operator, _ inputs: [Tensor?], quantizations: [Quantization?] = [],
    outputs: [(ElementType, Quantization?)] = [(.float32, nil)]
  ) throws(ModelError) -> [Tensor] {
    var graph = graph(kind.erased, inputs, quantizations: quantizations, outputs: outputs)
    try graph.infer(0, limits: .default)
    let results = try graph.evaluate(0, limits: .default)
    return zip(graph.outputs, results).map {
      Tensor(type: graph.values[$0].type, shape: graph.values[$0].shape, data: $1)
    }
  }

  static func integers(_ values: [Int32], _ shape: Shape? = nil) -> Tensor {
    let storage = Storage(count: values.count * 4)
    for (index, value) in values.enumerated() {
      storage.base.storeBytes(of: value, toByteOffset: index * 4, as: Int32.self)
    }
    return Tensor(
      type: .int32, shape: shape ?? [values.count], data: StorageView(storage))
  }

  static func bytes(_ values: [Int8], _ shape: Shape) -> Tensor {
    Tensor(
      type: .int8, shape: shape,
      data: StorageView(Storage(copying: values.map { UInt8(bitPattern: $0) })))
  }
}

/// What operators infer, compute and refuse, beyond what the conformance suite covers.
@Suite("Operators")
struct OperatorTests {
  @Test("codes and names of the list are the schema's, each once")
  func registry() {
    var codes = Set<Int>()
    for entry in OperatorRegistry.builtin {
      #expect(codes.insert(entry.code).inserted, "code \(entry.code) twice")
      #expect(BuiltinOperator.name(entry.code) == entry.name)
    }
  }

  @Test(
    "the suite's operators are all in the list",
    .enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.reason)))
  func coverage() throws {
    let names = Set(OperatorRegistry.builtin.map(\.name))
    let needed = Set(try ConformanceCase.loadAll().flatMap(\.ops))
    #expect(!needed.isEmpty && needed.subtracting(names).isEmpty)
  }

  @Test(
    "SAME pads the odd pixel at the end; VALID rounds down",
    arguments: [
      (8, 3, 2, Padding.same, 4, 0), (7, 3, 2, .same, 4, 1), (5, 3, 1, .same, 5, 1),
      (8, 2, 2, .valid, 4, 0), (7, 3, 2, .valid, 3, 0),
      (5, 1, 2, .same, 3, 0), (4, 3, 2, .explicit(top: 1, left: 1, bottom: 1, right: 1), 2, 1),
      (0, 3, 1, .same, 0, 0),
    ])
  func windows(
    input: Int, kernel: Int, stride: Int, padding: Padding, output: Int, before: Int
  ) throws {
    let grid = try WindowGrid(
      input: [1, input, input, 1], kernel: (kernel, kernel), stride: (stride, stride),
      padding: padding)
    #expect(grid.outputHeight == output && grid.outputWidth == output)
    #expect(grid.paddingTop == before && grid.paddingLeft == before)
  }

  @Test("extents that overflow are an error, not a trap")
  func overflow() {
    let huge = Int.max / 2
    #expect(throws: ModelError.self) {
      try WindowGrid(
        input: [1, huge, 1, 1], kernel: (huge, 1), stride: (1, 1), dilation: (huge, 1),
        padding: .same)
    }
    #expect(throws: ModelError.self) {
      try Bench.run(
        Pad(), [Tensor([0], shape: [1]), Bench.integers([.max, .max], [1, 2])],
        outputs: [(.float32, nil)])
    }
    #expect(throws: ModelError.self) {
      try Bench.run(Fill(), [Bench.integers([.max, .max, .max]), Tensor([0], shape: .scalar)])
    }
    #expect(throws: ModelError.self) {
      try Bench.run(
        Tile(), [Tensor([0, 0], shape: [1, 2]), Bench.integers([.max, .max])])
    }
  }

  @Test("a dynamic shape is told apart from a wrong one")
  func dataDependent() {
    let shape = Operand(type: .int32, shape: [2])
    let input = Operand(type: .float32, shape: [6])
    do throws(ModelError) {
      _ = try Reshape().infer(Operands([input, shape]))
      Issue.record("no error")
    } catch {
      #expect(error.isDataDependent)
      #expect(error.at(.op(index: 1, name: "RESHAPE")).isDataDependent)
      #expect(!ModelError(error.code, error.what).isDataDependent)
    }
  }

  @Test("wrong operands are refused with a typed error")
  func refusals() {
    let image = Tensor([Float](repeating: 0, count: 48), shape: [1, 4, 4, 3])
    let flat = Tensor([1, 2, 3], shape: [3])
    func refused(
      _ what: Comment, _ code: ModelError.Code, _ kind: some Operator, _ inputs: [Tensor?],
      type: ElementType = .float32
    ) {
      do throws(ModelError) {
        _ = try Bench.run(kind, inputs, outputs: [(type, nil)])
        Issue.record("accepted: \(what)")
      } catch {
        #expect(error.code == code, what)
        #expect(error.location == .op(index: 0, name: kind.name), what)
      }
    }
    let filter = Tensor([Float](repeating: 0, count: 10), shape: [1, 1, 1, 10])
    let depthwise = Conv2D(.depthwise, padding: .same)
    refused("channels that do not fit", .shape, Conv2D(padding: .same), [image, filter])
    refused("a rank that is not 4", .shape, Conv2D(padding: .same), [flat, filter])
    refused("a multiplier that is no integer", .shape, depthwise, [image, filter])
    refused("a missing input", .graph, Binary("ADD", .add), [flat])
    refused("a hole where a tensor belongs", .graph, Binary("ADD", .add), [flat, nil])
    let two = Tensor([1, 2], shape: [2])
    refused("shapes that do not broadcast", .shape, Binary("ADD", .add), [flat, two])
    refused(
      "two types", .type, Binary("ADD", .add), [flat, Bench.integers([1, 2, 3])])
    refused(
      "an axis beyond the rank", .option, Reduce("SUM", .sum, keepsDimensions: false),
      [flat, Bench.integers([1])])
    refused("an axis beyond the rank", .option, Concatenation(axis: 2), [flat, flat])
    refused("two open extents", .shape, Reshape(newShape: [-1, -1]), [flat])
    refused("another number of elements", .shape, Reshape(newShape: [2, 2]), [flat])
    refused("a negative extent", .shape, Reshape(newShape: [-3]), [flat])
    refused("no shape at all", .option, Reshape(), [flat])
    refused("no permutation", .option, Transpose(), [flat, Bench.integers([0, 0])])
    refused(
      "a box outside the tensor", .option, Slice(),
      [flat, Bench.integers([2]), Bench.integers([2])])
    refused(
      "a stride of 0", .option, StridedSlice(),
      [flat, Bench.integers([0]), Bench.integers([3]), Bench.integers([0])])
    refused(
      "two ellipses", .option, StridedSlice(ellipsisMask: 3),
      [image] + [Tensor?](repeating: Bench.integers([0, 0]), count: 3))
    refused(
      "unequal parts", .option, Split(parts: 2, hasSizes: false), [Bench.integers([0]), flat])
    refused("blocks that do not fit", .shape, SpaceDepth(.toDepth, block: 3), [image])
    refused(
      "a size of 0", .option,
      Resize(isBilinear: true, alignCorners: false, halfPixelCenters: false),
      [image, Bench.integers([0, 4])])
    refused("negative paddings", .option, Pad(), [flat, Bench.integers([-1, 0], [1, 2])])
    refused(
      "a mirror larger than the tensor", .option, MirrorPad(isSymmetric: false),
      [flat, Bench.integers([3, 0], [1, 2])])
    refused(
      "integers without a scale", .type, Unary("EXP", .exp), [Bench.integers([1])], type: .int32)
    refused(
      "more than there are", .option, TopK(), [flat, Bench.integers([4], .scalar)])
    refused(
      "a depth that does not divide", .shape, FullyConnected(),
      [flat, Tensor([0, 0], shape: [1, 2])])
    refused(
      "a range without end", .option, NumberRange(),
      [0, 1, 0].map { Bench.integers([$0], .scalar) }, type: .int32)
  }

  @Test("an index out of range is an error of the input, found while running")
  func indices() {
    do throws(ModelError) {
      _ = try Bench.run(
        Gather(axis: 0), [Tensor([1, 2, 3], shape: [3]), Bench.integers([3])])
      Issue.record("no error")
    } catch {
      #expect(error.code == .input)
    }
  }

  @Test("bad scales and zero points are refused")
  func quantization() {
    let x = Bench.bytes([1, 2], [2])
    for bad in [
      nil, Quantization(scales: [0], zeroPoints: [0]),
      Quantization(scales: [.nan], zeroPoints: [0]),
      Quantization(scales: [.infinity], zeroPoints: [0]),
      Quantization(scales: [-1], zeroPoints: [0]), Quantization(scales: [1], zeroPoints: [128]),
      Quantization(scales: [], zeroPoints: []),
    ] {
      let good = Quantization(scales: [1], zeroPoints: [0])
      #expect(throws: ModelError.self) {
        try Bench.run(
          Binary("ADD", .add), [x, x], quantizations: [good, bad], outputs: [(.int8, good)])
      }
      #expect(throws: ModelError.self) {
        try Bench.run(
          Binary("ADD", .add), [x, x], quantizations: [good, good], outputs: [(.int8, bad)])
      }
    }
  }

  @Test("quantised addition is the real one to a quantum, and saturates")
  func quantizedAdd() throws {
    let (a, b) = (Bench.bytes([-128, 0, 50, 127], [4]), Bench.bytes([-128, 10, -50, 127], [4]))
    let output = try Bench.run(
      Binary("ADD", .add), [a, b],
      quantizations: [
        Quantization(scales: [0.5], zeroPoints: [0]),
        Quantization(scales: [0.25], zeroPoints: [10]),
      ], outputs: [(.int8, Quantization(scales: [0.5], zeroPoints: [-3]))])
    // −64 − 34.5 = −98.5, 0, 25 − 15 = 10, 63.5 + 29.25 = 92.75; in halves, less 3, in −128…127.
    #expect(output[0].array(of: Int8.self) == [-128, -3, 17, 127])
  }

  @Test("float weights and integer weights with scales give one answer")
  func hybrid() throws {
    let scales: [Float] = [0.5, 0.25]
    let output = try Bench.run(
      FullyConnected(),
      [Tensor([1, 2, 3], shape: [1, 3]), Bench.bytes([1, 2, 3, -4, 0, 8], [2, 3])],
      quantizations: [nil, Quantization(scales: scales, zeroPoints: [0, 0])])
    #expect(output[0].floats == [7, 5])
  }

  @Test("a legacy new_shape of [0] means scalar, and a shape of rank 2 is ignored")
  func reshapeLegacy() throws {
    let one = Tensor([5], shape: [1, 1])
    #expect(try Bench.run(Reshape(newShape: [0]), [one])[0].shape == .scalar)
    let ignored = Bench.integers([7, 7], [1, 2])
    #expect(try Bench.run(Reshape(newShape: [1]), [one, ignored])[0].shape == [1])
  }

  @Test("WHERE lists the coordinates of what is true")
  func coordinates() throws {
    let condition = Tensor(
      type: .bool, shape: [2, 3], data: StorageView(Storage(copying: [0, 1, 0, 1, 0, 1])))
    let output = try Bench.run(Where(), [condition], outputs: [(.int64, nil)])
    #expect(output[0].shape == [3, 2])
    #expect(output[0].array(of: Int64.self) == [0, 1, 1, 0, 1, 2])
  }

  @Test("scattered updates of one place add up")
  func scatter() throws {
    let output = try Bench.run(
      ScatterND(),
      [
        Bench.integers([1, 3, 1], [3, 1]), Tensor([10, 20, 5], shape: [3]), Bench.integers([4]),
      ])
    #expect(output[0].floats == [0, 15, 0, 20])
  }

  @Test("an updated slice is held inside its tensor")
  func updateSlice() throws {
    let output = try Bench.run(
      DynamicUpdateSlice(),
      [
        Tensor([0, 0, 0, 0, 0], shape: [5]), Tensor([1, 2], shape: [2]), Bench.integers([9]),
      ])
    #expect(output[0].floats == [0, 0, 0, 1, 2])
  }

  @Test("SELECT chooses slices of axis 0 by a vector")
  func selectSlices() throws {
    let condition = Tensor(
      type: .bool, shape: [2], data: StorageView(Storage(copying: [1, 0])))
    let output = try Bench.run(
      Select(broadcasts: false),
      [condition, Tensor([1, 2, 3, 4], shape: [2, 2]), Tensor([5, 6, 7, 8], shape: [2, 2])])
    #expect(output[0].floats == [1, 2, 7, 8])
  }

  @Test("division of integers by zero is an error of the input")
  func divisionByZero() {
    do throws(ModelError) {
      _ = try Bench.run(
        Binary("DIV", .divide), [Bench.integers([1]), Bench.integers([0])],
        outputs: [(.int32, nil)])
      Issue.record("no error")
    } catch {
      #expect(error.code == .input)
    }
  }
}

/// Operators that choose among boxes.
@Suite("Box selection")
struct BoxSelectionTests {
  /// Two that overlap by 81 %, and one apart.
  static let boxes = Tensor(
    [0, 0, 10, 10, 1, 10, 10, 0, 20, 20, 30, 30], shape: [3, 4])

  static func select(limit: Int32, overlap: Float, score: Float) throws -> (
    indices: [Int32], count: Int32
  ) {
    let scores = Tensor([0.5, 0.9, 0.4], shape: [3])
    let outputs = try Bench.run(
      NonMaxSuppression(isSoft: false),
      [
        boxes, scores, Bench.integers([limit], .scalar), Tensor([overlap], shape: .scalar),
        Tensor([score], shape: .scalar),
      ], outputs: [(.int32, nil), (.int32, nil)])
    return (outputs[0].array(), outputs[1].array(of: Int32.self)[0])
  }

  @Test("the better of two overlapping boxes stays, in order of score, padded with 0")
  func hard() throws {
    #expect(try Self.select(limit: 4, overlap: 0.5, score: 0).indices == [1, 2, 0, 0])
    #expect(try Self.select(limit: 4, overlap: 0.5, score: 0).count == 2)
    #expect(try Self.select(limit: 4, overlap: 0.95, score: 0).indices == [1, 0, 2, 0])
    #expect(try Self.select(limit: 1, overlap: 0.5, score: 0).count == 1)
    #expect(try Self.select(limit: 4, overlap: 0.5, score: 0.45).count == 1)
  }

  @Test("soft suppression lowers scores instead")
  func soft() throws {
    let outputs = try Bench.run(
      NonMaxSuppression(isSoft: true),
      [
        Self.boxes, Tensor([0.5, 0.9, 0.4], shape: [3]), Bench.integers([3], .scalar),
        Tensor([1], shape: .scalar), Tensor([0], shape: .scalar), Tensor([0.5], shape: .scalar),
      ], outputs: [(.int32, nil), (.float32, nil), (.int32, nil)])
    #expect(outputs[0].array(of: Int32.self) == [1, 2, 0])
    let overlap: Float = 0.9
    let expected = [0.9, 0.4, 0.5 * Elementary.exp(-overlap * overlap)]
    #expect(zip(outputs[1].floats, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
