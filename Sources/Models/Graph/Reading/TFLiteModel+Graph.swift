import FaceKitTensor

extension TFLiteModel {
  /// The main graph, its operators read.
  ///
  /// Values have the indices of ``tensors``. Constants are views of the file, save those whose place
  /// in it is not aligned to their elements, and sparse ones, which are unpacked.
  ///
  /// - Throws: ``ModelError/Code/unsupportedOperator`` naming the first operator the registry does
  ///   not have, or what an operator finds wrong with its options.
  public func makeGraph(registry: OperatorRegistry = .standard) throws(ModelError) -> Graph {
    // Vectors in options are decoded now, so this pass over the file has a budget of its own.
    let budget = ReadBudget(byteCount: bytes.count)
    var nodes = [Graph.Node]()
    nodes.reserveCapacity(operators.count)
    for (index, record) in operators.enumerated() {
      do {
        nodes.append(
          Graph.Node(
            try read(record, registry, budget), inputs: record.inputs,
            outputs: record.outputs, sources: [index]))
      } catch {
        throw error.at(.op(index: index, name: record.name.printable))
      }
    }
    return Graph(values: try values(), nodes: nodes, inputs: inputs, outputs: outputs)
  }

  private func read(
    _ record: OperatorRecord, _ registry: OperatorRegistry, _ budget: ReadBudget
  ) throws(ModelError) -> AnyOperator {
    for tensor in record.inputs {
      guard let tensor, tensors[tensor].isVariable else { continue }
      throw ModelError(
        .unsupportedOperator, "state kept between runs is not supported (tensor \(tensor))")
    }
    let source = OperatorSource(
      name: record.name, optionsTable: record.options?.renewed(budget),
      optionsType: record.optionsType,
      customOptions: record.customOptions, version: record.version,
      inputCount: record.inputs.count, outputTypes: record.outputs.map { tensors[$0].type })
    if record.isCustom {
      for entry in registry.custom.reversed()
      where entry.name.hasSameBytes(as: record.name)
        && entry.versions.contains(record.version)
      {
        return try entry.read(source)
      }
    } else if let entry = OperatorRegistry.builtin(code: record.code) {
      return try entry.read(source)
    }
    throw unsupported(record)
  }

  private func unsupported(_ record: OperatorRecord) -> ModelError {
    if record.isCustom {
      let name = record.name.isEmpty ? "without a name" : "'\(record.name.printable)'"
      return ModelError(
        .unsupportedOperator, "no custom operator \(name), version \(record.version)")
    }
    return ModelError(.unsupportedOperator, "operator \(record.name) is not implemented")
  }

  // MARK: Values

  private func values() throws(ModelError) -> [Graph.Value] {
    var constants = ConstantPlacer(fileBytes: bytes.count, limit: limits.constantBytes)
    var values = [Graph.Value]()
    values.reserveCapacity(tensors.count)
    let isProduced = producedTensors()
    for (index, tensor) in tensors.enumerated() {
      var constant: StorageView?
      do {
        constant = try constants.place(tensor)
      } catch {
        throw error.at(.tensor(index))
      }
      if constant == nil, tensor.shape.count == 0, !isProduced[index] {
        constant = bytes.slice(offset: 0, count: 0)
      }
      values.append(
        Graph.Value(
          name: tensor.name, type: tensor.type, shape: tensor.shape,
          quantization: tensor.quantization, constant: constant,
          shapeSignature: tensor.shapeSignature, sourceTensor: index))
    }
    return values
  }

  /// Inputs, and what operators compute.
  private func producedTensors() -> [Bool] {
    var isProduced = [Bool](repeating: false, count: tensors.count)
    for input in inputs { isProduced[input] = true }
    for record in operators {
      for output in record.outputs { isProduced[output] = true }
    }
    return isProduced
  }
}

/// Finds memory for constants: the file itself wherever it will do.
private struct ConstantPlacer {
  private var remaining: Int
  /// Aligned copies by position in the file, for tensors that share a buffer.
  private var copies: [Int: StorageView] = [:]
  /// Buffers may overlap, so that many small windows could ask for a copy of nearly the whole file.
  private var copyBudget: Int

  init(fileBytes: Int, limit: Int) {
    // Sparse tensors can be empty but for their shape. Networks keep a few per cent of their weights,
    // so what unpacks to far more than that is no network.
    let (plausible, overflow) = fileBytes.multipliedReportingOverflow(by: 64)
    remaining = overflow ? limit : min(limit, max(plausible, 1 << 24))
    copyBudget = 2 * fileBytes
  }

  mutating func place(_ tensor: TFLiteModel.TensorRecord) throws(ModelError) -> StorageView? {
    guard let data = tensor.data else { return nil }
    if let sparsity = tensor.sparsity {
      try reserve(tensor.shape.count * tensor.type.byteWidth)
      return StorageView(sparsity.densify(data, width: tensor.type.byteWidth))
    }
    let width = max(1, tensor.type.byteWidth)
    if Int(bitPattern: data.base) % width == 0 { return data }
    if let copy = copies[data.offset], copy.count == data.count { return copy }
    copyBudget -= data.count
    guard copyBudget >= 0 else {
      throw ModelError(.resourceLimit, "the constants overlap far beyond the file's size")
    }
    try reserve(data.count)
    let copy = Storage(count: data.count)
    copy.base.copyMemory(from: data.base, byteCount: data.count)
    let view = StorageView(copy)
    copies[data.offset] = view
    return view
  }

  private mutating func reserve(_ bytes: Int) throws(ModelError) {
    guard bytes <= remaining else {
      throw ModelError(.resourceLimit, "the constants need more memory than the limit allows")
    }
    remaining -= bytes
  }
}
