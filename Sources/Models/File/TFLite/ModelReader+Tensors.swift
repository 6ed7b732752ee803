import FaceKitTensor

extension ModelReader {
  /// Field numbers of the table `Tensor`.
  private enum Field {
    static let shape = 0
    static let type = 1
    static let buffer = 2
    static let name = 3
    static let quantization = 4
    static let isVariable = 5
    static let sparsity = 6
    static let shapeSignature = 7
    static let externalBuffer = 10
  }

  func tensors(of graph: FlatTable) throws(ModelError) -> [TFLiteModel.TensorRecord] {
    let count = try graph.count(SubGraph.tensors, width: 4) ?? 0
    guard count <= limits.tensors else {
      throw ModelError(.resourceLimit, "\(count) tensors, but the limit is \(limits.tensors)")
    }
    var tensors = [TFLiteModel.TensorRecord]()
    tensors.reserveCapacity(count)
    for index in 0..<count {
      do {
        tensors.append(try tensor(graph.table(SubGraph.tensors, index)))
      } catch {
        throw error.at(.tensor(index))
      }
    }
    return tensors
  }

  private func tensor(_ table: FlatTable) throws(ModelError) -> TFLiteModel.TensorRecord {
    let code = try table.int8(Field.type)
    guard let type = ElementType(tfliteCode: code) else {
      throw ModelError(.type, "unknown element type \(code)")
    }
    let (shape, signature) = try shape(table)
    guard let size = limits.bytes(of: type, shape), shape.count <= Int32.max else {
      throw ModelError(
        .resourceLimit, "\(shape) of \(type.name) is beyond \(limits.tensorBytes) bytes")
    }
    if try table.uint32(Field.externalBuffer) != 0 {
      throw ModelError(
        .unsupportedVersion, "the data is in another file", advice: "keep weights in the model")
    }
    let data = try data(ofBuffer: table.uint32(Field.buffer), "the tensor")
    let isVariable = try table.bool(Field.isVariable)
    var sparsity: SparseLayout?
    if let data {
      guard !isVariable else { throw ModelError(.graph, "a variable with constant data") }
      guard signature == nil else {
        throw ModelError(.shape, "a constant with an open shape")
      }
      if let table = try table.table(Field.sparsity) {
        sparsity = try SparseLayout(table, shape: shape, type: type, dataBytes: data.count)
      } else {
        try checkSize(of: data, type: type, elements: shape.count, expected: size)
      }
    }
    return TFLiteModel.TensorRecord(
      name: try table.string(Field.name) ?? "", type: type, shape: shape, shapeSignature: signature,
      quantization: try quantization(table, type: type, shape: shape), isVariable: isVariable,
      data: data, sparsity: sparsity)
  }

  /// The shape with open extents as 1, and the signature if any extent is open.
  private func shape(_ table: FlatTable) throws(ModelError) -> (Shape, signature: [Int]?) {
    for slot in [Field.shape, Field.shapeSignature] {
      let rank = try table.count(slot, width: 4) ?? 0
      guard rank <= limits.rank else {
        throw ModelError(.shape, "rank \(rank), but the limit is \(limits.rank)")
      }
    }
    var extents = try table.int32s(Field.shape) ?? []
    var signature = try table.int32s(Field.shapeSignature) ?? extents
    // Writers leave out the signature by writing it empty, too.
    if signature.isEmpty { signature = extents }
    guard signature.count == extents.count else {
      throw ModelError(
        .shape, "a shape of rank \(extents.count) with \(signature.count) in its signature")
    }
    for axis in extents.indices {
      guard extents[axis] >= -1, signature[axis] >= -1 else {
        throw ModelError(.shape, "a negative extent")
      }
      if extents[axis] < 0 {
        extents[axis] = 1
        signature[axis] = -1
      }
    }
    return (Shape(extents), signature.contains(-1) ? signature : nil)
  }

  private func checkSize(
    of data: StorageView, type: ElementType, elements: Int, expected: Int
  ) throws(ModelError) {
    switch type {
    case .opaque: return
    case .string: try checkStrings(data, count: elements)
    default:
      guard data.count == expected else {
        throw ModelError(
          .malformed, "\(data.count) bytes of data where the shape needs \(expected)")
      }
    }
  }

  /// A count, one offset more than there are strings, and the strings' bytes.
  private func checkStrings(_ data: StorageView, count: Int) throws(ModelError) {
    func word(_ index: Int) -> Int {
      Int(Int32(littleEndian: data.base.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)))
    }
    guard data.count >= 8, word(0) == count, count <= data.count / 4 - 2 else {
      throw ModelError(.malformed, "the string list does not have \(count) strings")
    }
    var last = 4 * (count + 2)
    try root.budget.spend(count)
    guard word(1) == last else { throw ModelError(.malformed, "the string list has a gap") }
    for index in 0..<count {
      let end = word(2 + index)
      guard end >= last, end <= data.count else {
        throw ModelError(.malformed, "string \(index) lies outside the string list")
      }
      last = end
    }
  }
}

// MARK: - Quantisation

extension ModelReader {
  private enum QuantizationField {
    static let scale = 2
    static let zeroPoint = 3
    static let detailsType = 4
    static let axis = 6
  }

  /// Blockwise and multi-axis parameters: other tensors hold the scales.
  private static let unsupportedDetails = 2...3

  private func quantization(
    _ tensor: FlatTable, type: ElementType, shape: Shape
  ) throws(ModelError) -> Quantization? {
    // Float tensors carry empty or leftover tables.
    guard type.isInteger, let table = try tensor.table(Field.quantization) else { return nil }
    let details = try table.uint8(QuantizationField.detailsType)
    guard !ModelReader.unsupportedDetails.contains(details) else {
      throw ModelError(.quantization, "blockwise quantisation is not supported")
    }
    guard let scales = try table.floats(QuantizationField.scale), !scales.isEmpty else {
      return nil
    }
    let axis = try table.int32(QuantizationField.axis)
    if scales.count > 1 || axis != 0 {
      guard axis >= 0, axis < shape.rank else {
        throw ModelError(.quantization, "quantised along axis \(axis) of rank \(shape.rank)")
      }
    }
    guard scales.count == 1 || scales.count == shape[axis] else {
      throw ModelError(
        .quantization, "\(scales.count) scales for an extent of \(shape[axis])")
    }
    for scale in scales where !(scale >= 0 && scale.isFinite) {
      throw ModelError(.quantization, "scale \(scale)")
    }
    return Quantization(
      scales: scales, zeroPoints: try zeroPoints(table, type: type, count: scales.count),
      axis: axis)
  }

  private func zeroPoints(
    _ table: FlatTable, type: ElementType, count: Int
  ) throws(ModelError) -> [Int] {
    guard let stored = try table.int64s(QuantizationField.zeroPoint), !stored.isEmpty else {
      return [Int](repeating: 0, count: count)
    }
    guard stored.count == count else {
      throw ModelError(.quantization, "\(stored.count) zero points for \(count) scales")
    }
    var zeroPoints = [Int]()
    zeroPoints.reserveCapacity(count)
    for value in stored {
      guard let point = Int(exactly: value), type.integerRange?.contains(point) ?? false else {
        throw ModelError(.quantization, "zero point \(value) of \(type.name)")
      }
      zeroPoints.append(point)
    }
    return zeroPoints
  }
}
