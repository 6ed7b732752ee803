import FaceKitTensor

/// Reads and checks the parts of a model file, for ``TFLiteModel``.
struct ModelReader {
  let bytes: StorageView
  let limits: ModelLimits
  let root: FlatTable
  let subgraphCount: Int
  private let bufferCount: Int
  private let codes: [OperatorCode]

  /// Field numbers, named as in the schema.
  enum Model {
    static let version = 0
    static let operatorCodes = 1
    static let subgraphs = 2
    static let description = 3
    static let buffers = 4
    static let metadata = 6
    static let signatures = 7
  }

  enum SubGraph {
    static let tensors = 0
    static let inputs = 1
    static let outputs = 2
    static let operators = 3
  }

  /// An entry of the file's operator list.
  private struct OperatorCode {
    var code: Int
    var name: String
    var version: Int
  }

  init(_ bytes: StorageView, limits: ModelLimits) throws(ModelError) {
    self.bytes = bytes
    self.limits = limits
    root = try FlatTable(root: bytes, identifier: "TFL3")
    let version = try root.uint32(Model.version)
    guard version == 3 else {
      throw ModelError(.unsupportedVersion, "schema version \(version), but only 3 is known")
    }
    subgraphCount = try root.count(Model.subgraphs, width: 4) ?? 0
    guard subgraphCount > 0 else { throw ModelError(.malformed, "the model has no graph") }
    bufferCount = try root.count(Model.buffers, width: 4) ?? 0
    codes = try ModelReader.operatorCodes(root, limits)
    for index in 0..<bufferCount { _ = try data(ofBuffer: index) }
  }

  // MARK: Buffers

  /// The bytes of a buffer: inline, or anywhere in the file. `nil` if it has none.
  func data(ofBuffer index: Int) throws(ModelError) -> StorageView? {
    let table = try root.table(Model.buffers, index)
    if let inline = try table.bytes(0) { return inline.count > 0 ? inline : nil }
    let offset = try table.uint64(1)
    let size = try table.uint64(2)
    return try slice(offset: offset, size: size, "buffer \(index)")
  }

  /// Data outside the FlatBuffer. Offsets 0 and 1 mean that there is none.
  private func slice(
    offset: UInt64, size: UInt64, _ what: String
  ) throws(ModelError) -> StorageView? {
    guard offset > 1, size > 0 else { return nil }
    let length = UInt64(bytes.count)
    guard size <= length, offset <= length - size else {
      throw ModelError(.malformed, "\(what) lies outside the file: \(size) bytes at \(offset)")
    }
    return bytes.slice(offset: Int(offset), count: Int(size))
  }

  /// The bytes of the buffer a table names, by the number it stores.
  func data(ofBuffer index: UInt32, _ what: String) throws(ModelError) -> StorageView? {
    guard Int64(index) < Int64(bufferCount) else {
      throw ModelError(
        .indexOutOfRange, "\(what) names buffer \(index), but there are \(bufferCount)")
    }
    return try data(ofBuffer: Int(index))
  }

  // MARK: Operators

  private static func operatorCodes(
    _ root: FlatTable, _ limits: ModelLimits
  ) throws(ModelError) -> [OperatorCode] {
    let count = try root.count(Model.operatorCodes, width: 4) ?? 0
    guard count <= limits.operators else {
      throw ModelError(
        .resourceLimit, "\(count) operator codes, but the limit is \(limits.operators)")
    }
    var codes = [OperatorCode]()
    codes.reserveCapacity(count)
    for index in 0..<count {
      let table = try root.table(Model.operatorCodes, index)
      // Old writers know only the byte; new ones put 127 there for codes that need more. A negative
      // code is kept, to be refused where it is used.
      let old = try table.int8(0)
      let new = try table.int32(3)
      let code = new < 0 ? new : max(old, new)
      var name = ""
      if code == BuiltinOperator.custom {
        name = try table.string(1) ?? ""
      } else if let known = BuiltinOperator.name(code) {
        name = known
      } else {
        name = "code \(code)"
      }
      codes.append(
        OperatorCode(code: code, name: name, version: max(1, try table.int32(2, default: 1))))
    }
    return codes
  }

  func operators(
    of graph: FlatTable, tensorCount: Int
  ) throws(ModelError) -> [TFLiteModel.OperatorRecord] {
    let count = try graph.count(SubGraph.operators, width: 4) ?? 0
    guard count <= limits.operators else {
      throw ModelError(.resourceLimit, "\(count) operators, but the limit is \(limits.operators)")
    }
    var operators = [TFLiteModel.OperatorRecord]()
    operators.reserveCapacity(count)
    for index in 0..<count {
      let table = try graph.table(SubGraph.operators, index)
      let codeIndex = try table.uint32(0)
      guard Int64(codeIndex) < Int64(codes.count) else {
        throw ModelError(
          .indexOutOfRange, "operator code \(codeIndex) of \(codes.count)",
          at: .op(index: index, name: "?"))
      }
      let code = codes[Int(codeIndex)]
      do {
        operators.append(try operatorRecord(table, code, tensorCount))
      } catch {
        throw error.at(.op(index: index, name: code.name.printable))
      }
    }
    return operators
  }

  private func operatorRecord(
    _ table: FlatTable, _ code: OperatorCode, _ tensorCount: Int
  ) throws(ModelError) -> TFLiteModel.OperatorRecord {
    let isCustom = code.code == BuiltinOperator.custom
    var (type, options) = try table.union(3)
    let expected = BuiltinOperator.optionsType(code.code)
    if expected == 0 {
      (type, options) = (0, nil)
    } else if type != 0, type != expected {
      throw ModelError(.option, "the options are of type \(type), but \(expected) is needed")
    }
    var custom = try table.bytes(5)
    if custom == nil {
      custom = try slice(
        offset: table.uint64(9), size: table.uint64(10), "the options")
    }
    var inputs = [Int?]()
    for index in try table.int32s(1) ?? [] {
      guard index >= -1, index < tensorCount else {
        throw ModelError(.indexOutOfRange, "input tensor \(index) of \(tensorCount)")
      }
      inputs.append(index < 0 ? nil : index)
    }
    let outputs = try tensorList(table, 2, "output", tensorCount)
    for index in try table.int32s(8) ?? [] where index < -1 || index >= tensorCount {
      throw ModelError(.indexOutOfRange, "intermediate tensor \(index) of \(tensorCount)")
    }
    return TFLiteModel.OperatorRecord(
      code: code.code, name: code.name, isCustom: isCustom, version: code.version, inputs: inputs,
      outputs: outputs, options: options, optionsType: options == nil ? 0 : type,
      customOptions: isCustom ? custom : nil)
  }

  // MARK: Graph

  /// A list of tensors none of which may be left out.
  func tensorList(
    _ table: FlatTable, _ slot: Int, _ what: String, _ tensorCount: Int
  ) throws(ModelError) -> [Int] {
    let list = try table.int32s(slot) ?? []
    for index in list where index < 0 || index >= tensorCount {
      throw ModelError(.indexOutOfRange, "\(what) tensor \(index) of \(tensorCount)")
    }
    return list
  }

  /// Every operator reads only what is there before it runs, and writes what nobody else does.
  static func checkOrder(
    operators: [TFLiteModel.OperatorRecord], tensors: [TFLiteModel.TensorRecord], inputs: [Int],
    outputs: [Int]
  ) throws(ModelError) {
    var isReady = [Bool](repeating: false, count: tensors.count)
    for (index, tensor) in tensors.enumerated() where tensor.isConstant || tensor.isVariable {
      isReady[index] = true
    }
    for index in inputs {
      // Whoever fills the input would write over the file's bytes.
      guard !tensors[index].isConstant else {
        throw ModelError(.graph, "the input is a constant", at: .tensor(index))
      }
      isReady[index] = true
    }
    // A tensor of no elements has no bytes to be a constant by, yet nothing can be missing of it.
    let isEmpty = tensors.map { $0.shape.count == 0 && $0.shapeSignature == nil }

    for (index, record) in operators.enumerated() {
      func fault(_ what: String) -> ModelError {
        ModelError(.graph, what, at: .op(index: index, name: record.name.printable))
      }
      for case .some(let input) in record.inputs where !isReady[input] && !isEmpty[input] {
        throw fault("input tensor \(input) is neither constant nor computed before")
      }
      for output in record.outputs {
        guard !isReady[output] else {
          throw fault("output tensor \(output) already has a value")
        }
        isReady[output] = true
      }
    }
    for output in outputs where !isReady[output] && !isEmpty[output] {
      throw ModelError(.graph, "the output is never computed", at: .tensor(output))
    }
  }

  // MARK: Signatures and metadata

  func signatures(tensorCount: Int) throws(ModelError) -> [TFLiteModel.Signature] {
    var signatures = [TFLiteModel.Signature]()
    for index in 0..<(try root.count(Model.signatures, width: 4) ?? 0) {
      let table = try root.table(Model.signatures, index)
      let graph = try table.uint32(4)
      guard Int64(graph) < Int64(subgraphCount) else {
        throw ModelError(.indexOutOfRange, "signature \(index) names graph \(graph)")
      }
      guard graph == 0 else { continue }
      signatures.append(
        TFLiteModel.Signature(
          name: try table.string(2) ?? "", inputs: try arguments(table, 0, tensorCount),
          outputs: try arguments(table, 1, tensorCount)))
    }
    return signatures
  }

  private func arguments(
    _ signature: FlatTable, _ slot: Int, _ tensorCount: Int
  ) throws(ModelError) -> [TFLiteModel.Signature.Argument] {
    var arguments = [TFLiteModel.Signature.Argument]()
    for table in try signature.tables(slot) ?? [] {
      let tensor = try table.uint32(1)
      guard Int64(tensor) < Int64(tensorCount) else {
        throw ModelError(.indexOutOfRange, "a signature names tensor \(tensor) of \(tensorCount)")
      }
      arguments.append(.init(name: try table.string(0) ?? "", tensor: Int(tensor)))
    }
    return arguments
  }

  func metadata() throws(ModelError) -> [TFLiteModel.MetadataEntry] {
    var entries = [TFLiteModel.MetadataEntry]()
    for table in try root.tables(Model.metadata) ?? [] {
      let data = try data(ofBuffer: table.uint32(1), "a metadata entry")
      entries.append(
        TFLiteModel.MetadataEntry(
          name: try table.string(0) ?? "", data: data ?? bytes.slice(offset: 0, count: 0)))
    }
    return entries
  }
}
