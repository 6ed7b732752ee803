import FaceKitModels
import FaceKitTensor
import TestSupport
import Testing
import ToolSupport

@testable import Inspection

/// What the library knows of a model made here: `output = input + [1, 2, 3, 4]`.
@Suite("Inspections of a small model")
struct InspectionTests {
  private func session(_ options: EngineOptions = EngineOptions()) throws -> Session {
    try CompiledModel(TFLiteModel(bytes: ModelBuilder.addition().bytes), options: options)
      .makeSession()
  }

  private var unfused: EngineOptions {
    var options = EngineOptions()
    options.disabledPasses = ["all"]
    return options
  }

  @Test("the report of a graph names operators, values and costs")
  func graphReport() throws {
    let graph = try TFLiteModel(bytes: ModelBuilder.addition().bytes).makeGraph()
    let report = GraphReport(title: "made", graph).json(details: true)
    let node = try #require(report["nodes"]?.array?.first)
    #expect(node["op"]?.string == "ADD" && node["sources"]?.array == [.integer(0)])
    let constant = try #require(report["values"]?.array?.first { $0["constant"] == .bool(true) })
    #expect(constant["shape"]?.array == [.integer(4)])
    #expect(constant["statistics"]?["min"]?.number == 1)
    #expect(constant["statistics"]?["max"]?.number == 4)
    #expect(constant["statistics"]?["mean"]?.number == 2.5)
  }

  @Test("a run is recorded tensor by tensor, and compares with another")
  func records() throws {
    let session = try session(unfused)
    try session.setInput(0, Tensor([10, 20, 30, 40], shape: [1, 4]))
    let records = try TensorRecord.all(of: session)
    #expect(records.count == 1 && records[0].op == "ADD" && records[0].source == 0)
    #expect(records[0].values == [11, 22, 33, 44])
    let same = TensorComparison(records[0].values, reference: [11, 22, 33, 44])
    #expect(same.relative == 0 && !same.departs(beyond: 0))
    let other = TensorComparison(records[0].values, reference: [11, 22, 33, 50])
    #expect(other.departs(beyond: 0.1) && other.place == 3)
    #expect(records[0].json(other, departs: true)["largestDifference"] == .double(6))
    #expect(records[0].text(other, departs: true).hasPrefix("≠ 0 ADD"))
  }

  @Test("names that stand for several tensors are not compared")
  func unique() {
    func record(_ name: String) -> TensorRecord {
      TensorRecord(
        source: 0, op: "ADD", name: name, shape: [1], tensor: nil, quantization: nil, values: [1])
    }
    #expect(TensorRecord.unique([record("a"), record("b"), record("a")]) == ["b": [1]])
  }

  @Test("layers are recorded with what is conspicuous; a number picks one or the next")
  func layers() throws {
    let session = try session(unfused)
    try session.setInput(0, Tensor([-1, -2, -3, -4], shape: [1, 4]))
    let layers = try LayerActivation.record(session)
    #expect(layers.count == 1 && layers[0].fileStem == "0000-ADD")
    #expect(layers[0].flags == ["100 % zeros"])
    #expect(layers[0].json(model: "m", file: nil)["flags"]?.array == [.string("100 % zeros")])
    #expect(layers[0].text(model: "m", file: "f").hasSuffix("→ f"))
    #expect(try LayerActivation.record(session, layer: 0).count == 1)
    #expect(try LayerActivation.record(session, layer: 1).isEmpty)
    let page = try LayerActivation.page(layers, model: "m", graph: session.model.graph)
    #expect(
      page["activations"]?.array?.first?["png"]?.string?.hasPrefix("data:image/png;base64,iVBOR")
        == true)
  }

  @Test("a profile's shares make a whole, and its trace has no gaps")
  func profile() throws {
    let session = try session()
    session.fillWithRamps()
    let profile = try Profile(session, repetitions: 3)
    #expect(profile.entries.count == session.model.graph.nodes.count)
    #expect(abs(profile.entries.map(\.share).reduce(0, +) - 1) < 1e-9)
    var end: UInt64 = 0
    for node in profile.trace {
      #expect(node.start == end)
      end = node.start + node.length
    }
    #expect(profile.limits.peakGflops > 0 && profile.limits.bandwidthGBs > 0)
    #expect(profile.json()["nodes"]?.array?.count == profile.entries.count)
  }

  @Test("inputs come from texts and seeds, and what is missing is named")
  func inputs() throws {
    let session = try session()
    let error = #expect(throws: UsageError.self) {
      try SessionInputs.fill(session, path: "m.tflite", given: [], seed: nil)
    }
    #expect(error?.what.contains("'tensor0' (1×4 float32)") == true && error?.place == "m.tflite")
    #expect(throws: UsageError.self) {
      try SessionInputs.fill(session, path: "m.tflite", given: ["unknown=x.npy"], seed: nil)
    }
    func output(_ seed: Int) throws -> [Float] {
      try SessionInputs.fill(session, path: "m.tflite", given: [], seed: seed)
      try session.run()
      return session.output(0).floats
    }
    #expect(try output(1) == output(1))
    #expect(try output(1) != output(2))
  }
}

/// Timing a kernel is only worth something if it is the right one and right.
@Suite("Kernel benchmarks")
struct KernelBenchmarkTests {
  /// Twice one fully connected layer, of four values to two.
  private var models: [(name: String, bytes: StorageView)] {
    var builder = ModelBuilder()
    let weights = [Float(1), 0, 0, 0, 0, 1, 0, 0].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
    }
    let (input, constant) = (builder.tensor([1, 4]), builder.tensor([2, 4], data: weights))
    let output = builder.tensor([1, 2])
    builder.operation(9, inputs: [input, constant], outputs: [output], options: (8, [:]))
    (builder.inputs, builder.outputs) = ([input], [output])
    let bytes = StorageView(Storage(copying: builder.bytes))
    return [("a", bytes), ("b", bytes)]
  }

  @Test("a case that two models share is measured once, and names both")
  func cases() throws {
    let cases = try KernelBenchmark.cases(of: models, passes: false, filter: nil)
    try #require(cases.count == 1)
    #expect(cases[0].models == ["a", "b"] && cases[0].key.hasPrefix("FULLY_CONNECTED(1×4, 2×4"))
    #expect(try KernelBenchmark.cases(of: models, passes: false, filter: "fully").count == 1)
    #expect(try KernelBenchmark.cases(of: models, passes: false, filter: "conv").isEmpty)
    #expect(throws: ToolError.self) {
      try KernelBenchmark.cases(
        of: [("x", StorageView(Storage(copying: [1, 2, 3])))], passes: false, filter: nil)
    }
  }

  @Test("each way is held against the reference before it is timed")
  func measure() throws {
    let one = try #require(
      KernelBenchmark.cases(of: models, passes: false, filter: nil).first)
    let found = try KernelBenchmark.measure(
      one, KernelVariant.all(passes: false), [:], repetitions: 2)
    #expect(found.contains { $0.variant == "reference" } && found.count > 1)
    #expect(found.allSatisfy { $0.isCorrect && $0.minimumUs > 0 })
    let simd = try #require(found.first { $0.variant != "reference" })
    let ratio = try #require(simd.ratios(among: found).reference)
    #expect(ratio == found[0].minimumUs / simd.minimumUs)
  }

  @Test("an earlier output is read back; what is no measurement is an error with its line")
  func baseline() throws {
    let one = KernelMeasurement(
      key: "ADD", variant: "avx2", minimumUs: 80, medianUs: 81, operations: 1, error: 0,
      isCorrect: true, peakGflops: 1)
    let old = KernelMeasurement(
      key: "ADD", variant: "avx2", minimumUs: 100, medianUs: 101, operations: 1, error: 0,
      isCorrect: true, peakGflops: 1)
    let folder = try TestFolder()
    let line = old.json(what: "kernels", models: [], ratios: (nil, nil)).text
    let file = try folder.file("old.json", Array((line + "\n").utf8))
    let verdict = try #require(KernelBaseline(file).verdict(of: one))
    #expect(verdict.kind == .faster && verdict.ratio == 1.25)
    let bad = try folder.file("bad.json", Array((line + "\nnothing\n").utf8))
    let error = #expect(throws: ToolError.self) { try KernelBaseline(bad) }
    #expect(error?.place.hasSuffix("bad.json, line 2") == true)
  }
}
