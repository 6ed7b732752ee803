import FaceKitKernels
import FaceKitTensor

/// One thread's inferences with a ``CompiledModel``.
///
/// Fill the inputs, ``run()``, read the outputs. A run allocates nothing. Inputs keep their values
/// from run to run; outputs are valid until the next run. Not for use from two threads at once: make
/// a second session instead.
public final class Session {
  private(set) var compiled: CompiledModel
  private var arena: Storage
  /// Helpers of this session's thread; `nil` with one thread.
  private let pool: WorkerPool?
  /// Inputs, constants and results where shapes depend on data; empty where they do not.
  var dynamicValues: [StorageView?] = []
  /// Shapes of the outputs after a run whose shapes depend on data.
  var dynamicShapes: [Shape?] = []

  init(_ compiled: CompiledModel) throws(ModelError) {
    self.compiled = compiled
    arena = Storage(count: compiled.arenaBytes)
    pool = compiled.options.threads > 1 ? WorkerPool(threads: compiled.options.threads) : nil
    if compiled.plan == nil { try prepareDynamicInputs() }
  }

  /// What the session runs.
  public var model: CompiledModel { compiled }

  /// The inputs, in the model's order.
  public var inputs: [TensorDescription] {
    compiled.graph.inputs.map { describe($0) }
  }

  /// The outputs, in the model's order. Shapes that depend on data are those of the last run.
  public var outputs: [TensorDescription] {
    compiled.graph.outputs.map { describe($0) }
  }

  /// The index of the input that a signature calls `name`; `nil` if it calls none so.
  public func inputIndex(named name: String, in signature: TFLiteModel.Signature) -> Int? {
    index(of: name, among: signature.inputs, in: compiled.source.inputs)
  }

  /// The index of the output that a signature calls `name`; `nil` if it calls none so.
  public func outputIndex(named name: String, in signature: TFLiteModel.Signature) -> Int? {
    index(of: name, among: signature.outputs, in: compiled.source.outputs)
  }

  private func index(
    of name: String, among arguments: [TFLiteModel.Signature.Argument], in values: [Int]
  ) -> Int? {
    guard let argument = arguments.first(where: { $0.name.hasSameBytes(as: name) }) else {
      return nil
    }
    return values.firstIndex { compiled.source.values[$0].sourceTensor == argument.tensor }
  }

  private func describe(_ value: Int) -> TensorDescription {
    let info = compiled.graph.values[value]
    let shape = dynamicShapes.isEmpty ? nil : dynamicShapes[value]
    return TensorDescription(
      name: info.name, type: info.type, shape: shape ?? info.shape,
      quantization: info.quantization, shapeSignature: info.shapeSignature)
  }

  // MARK: Data

  /// Access to an input's elements, row-major, to write.
  ///
  /// - Precondition: `index` is below the number of inputs, and `Element` has the input's width.
  public func withInput<Element: BitwiseCopyable, Result>(
    _ index: Int, as _: Element.Type,
    _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    let bytes = memory(compiled.graph.inputs[index])
    return body(
      UnsafeMutableBufferPointer(
        start: bytes.baseAddress?.assumingMemoryBound(to: Element.self),
        count: bytes.count / MemoryLayout<Element>.stride))
  }

  /// Access to an output's elements, row-major, to read.
  ///
  /// - Precondition: `index` is below the number of outputs, and `Element` has the output's width.
  public func withOutput<Element: BitwiseCopyable, Result>(
    _ index: Int, as _: Element.Type,
    _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result {
    let bytes = memory(compiled.graph.outputs[index])
    return body(
      UnsafeBufferPointer(
        start: UnsafePointer(bytes.baseAddress?.assumingMemoryBound(to: Element.self)),
        count: bytes.count / MemoryLayout<Element>.stride))
  }

  /// Access to a float input's elements, row-major, to write.
  public func withInput<Result>(
    _ index: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Result
  ) -> Result {
    withInput(index, as: Float.self, body)
  }

  /// Access to a float output's elements, row-major, to read.
  public func withOutput<Result>(
    _ index: Int, _ body: (UnsafeBufferPointer<Float>) -> Result
  ) -> Result {
    withOutput(index, as: Float.self, body)
  }

  /// Copies a tensor into an input.
  ///
  /// - Throws: `.input` if there is no such input, or type or shape differ.
  public func setInput(_ index: Int, _ tensor: Tensor) throws(ModelError) {
    guard compiled.graph.inputs.indices.contains(index) else {
      throw ModelError(.input, "there is no input \(index), only \(compiled.graph.inputs.count)")
    }
    let expected = describe(compiled.graph.inputs[index])
    guard tensor.type == expected.type, tensor.shape == expected.shape else {
      throw ModelError(
        .input,
        "input '\(expected.name)' takes \(expected.shape) \(expected.type.name), not \(tensor.shape) \(tensor.type.name)"
      )
    }
    let target = memory(compiled.graph.inputs[index])
    if tensor.data.count > 0 { target.copyMemory(from: tensor.data.bytes) }
  }

  /// A copy of an output.
  public func output(_ index: Int) -> Tensor {
    let value = compiled.graph.outputs[index]
    let description = describe(value)
    return copy(of: UnsafeRawBufferPointer(memory(value)), description.type, description.shape)
  }

  private func copy(
    of bytes: UnsafeRawBufferPointer, _ type: ElementType, _ shape: Shape
  ) -> Tensor {
    // Zeros where shapes depend on data and no run has succeeded yet.
    let storage = Storage(count: type.bytes(for: shape.count) ?? 0)
    if let base = bytes.baseAddress {
      storage.base.copyMemory(from: base, byteCount: min(bytes.count, storage.count))
    }
    return Tensor(type: type, shape: shape, data: StorageView(storage))
  }

  /// The bytes of an input or output.
  private func memory(_ value: Int) -> UnsafeMutableRawBufferPointer {
    let info = compiled.graph.values[value]
    if let constant = info.constant ?? (dynamicValues.isEmpty ? nil : dynamicValues[value]) {
      return UnsafeMutableRawBufferPointer(mutating: constant.bytes)
    }
    guard let offset = compiled.plan?.offset(of: value) else { return .init(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(
      start: arena.base + offset, count: info.type.bytes(for: info.shape.count) ?? 0)
  }

  // MARK: Running

  /// Computes the outputs from the inputs.
  ///
  /// - Throws: `ModelError` if data make an operator impossible: an index beyond its tensor, an
  ///   integer division by zero.
  public func run() throws(ModelError) {
    guard compiled.plan != nil else { return try runDynamically { _, _ in } }
    let workspace = Workspace(arena: arena.base)
    for index in compiled.nodes.indices { try runNode(index, workspace) }
  }

  @inline(__always)
  private func runNode(_ index: Int, _ workspace: Workspace) throws(ModelError) {
    if let pool, let work = compiled.nodes[index].rowWork {
      return pool.run(workspace.arena, work.job)
    }
    do throws(ModelError) {
      try compiled.nodes[index].kernel(workspace)
    } catch {
      throw error.at(compiled.graph.place(of: index))
    }
  }

  /// Computes the outputs and shows every intermediate value on the way.
  ///
  /// Values swallowed by a fused node do not appear; disable passes to see them.
  /// - Parameter observer: called after each node with its index in `model.graph` and a copy of each
  ///   output, row-major.
  /// - Throws: what ``run()`` throws.
  public func run(
    observer: (_ node: Int, _ outputs: [Tensor]) -> Void
  ) throws(ModelError) {
    guard let plan = compiled.plan else {
      return try runDynamically(observer: observer)
    }
    let workspace = Workspace(arena: arena.base)
    for index in compiled.nodes.indices {
      try runNode(index, workspace)
      var outputs: [Tensor] = []
      for value in compiled.graph.nodes[index].outputs {
        outputs.append(rowMajorCopy(value, plan))
      }
      observer(index, outputs)
    }
  }

  private func rowMajorCopy(_ value: Int, _ plan: MemoryPlan) -> Tensor {
    let info = compiled.graph.values[value]
    let base = arena.base + plan.offset(of: value)!
    if info.layout == .rowMajor {
      return copy(
        of: UnsafeRawBufferPointer(start: base, count: info.type.bytes(for: info.shape.count) ?? 0),
        info.type, info.shape)
    }
    let storage = Storage(count: info.shape.count * 4)
    let map = BlockedMap(info.shape)
    let image = map.height * map.width * map.channels
    for n in 0..<info.shape[0] {
      map.unpack(
        from: base.assumingMemoryBound(to: Float.self) + n * map.floatCount,
        to: storage.base.assumingMemoryBound(to: Float.self) + n * image)
    }
    return Tensor(type: info.type, shape: info.shape, data: StorageView(storage))
  }

  /// Runs `repetitions` times and measures each node.
  ///
  /// - Parameters:
  ///   - repetitions: runs to measure.
  ///   - clock: the time in nanoseconds; the engine itself knows no clock.
  /// - Throws: what ``run()`` throws.
  /// - Returns: for each node of `model.graph`, the time of each run in nanoseconds; empty where
  ///   shapes depend on data.
  public func profile(
    repetitions: Int, clock: () -> UInt64
  ) throws(ModelError) -> [[UInt64]] {
    var times = [[UInt64]](
      repeating: [UInt64](repeating: 0, count: repetitions), count: compiled.nodes.count)
    let workspace = Workspace(arena: arena.base)
    for repetition in 0..<repetitions {
      var start = clock()
      for index in compiled.nodes.indices {
        try runNode(index, workspace)
        let end = clock()
        times[index][repetition] = end &- start
        start = end
      }
    }
    return times
  }

  // MARK: Resizing

  /// Gives an input another shape and plans anew; inputs lose their values.
  ///
  /// - Throws: `.input` if there is no such input, `.shape` if the network cannot take the shape.
  public func resizeInput(_ index: Int, to shape: Shape) throws(ModelError) {
    guard compiled.source.inputs.indices.contains(index) else {
      throw ModelError(.input, "there is no input \(index), only \(compiled.source.inputs.count)")
    }
    let type = compiled.source.values[compiled.source.inputs[index]].type
    guard compiled.options.limits.bytes(of: type, shape) != nil else {
      throw ModelError(.resourceLimit, "an input of \(shape) is too large")
    }
    var graph = compiled.source
    graph.values[graph.inputs[index]].shape = shape
    compiled = try CompiledModel(graph: graph, options: compiled.options)
    arena = Storage(count: compiled.arenaBytes)
    dynamicValues = []
    dynamicShapes = []
    if compiled.plan == nil { try prepareDynamicInputs() }
  }
}
